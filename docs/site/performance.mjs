// docs/performance.md from the files of docs/performance: node performance.mjs [FOLDER] [PAGE]. `make performance` measures first:
// instructions.csv and profile.csv by bench/instructions.mjs, peers.csv, chains.csv and engines.csv by cardan_peers_bench, auto.csv by
// cardan_auto_choice; size.csv, chain_instructions.csv and machine.csv are written by whoever measures. Sentences that depend on
// numbers are made of them.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseCsv, table} from './accuracy/format.mjs';
import {choice} from './performance/choice.mjs';
import {peers} from './performance/peers.mjs';

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** 474,300 */
const whole = (value) => (value === '' ? '' : Number(value).toLocaleString('en-US'));

/** What the functions of the profile do. */
const kMeanings = {
  'TreeMotion::dynamics': 'M and Q of the tree',
  'SparseSolver::solve_panels': 'solutions with the factor',
  'SparseSolver::factorize_panels': 'factorization',
  'NewmarkIntegrator::assemble_and_factorize': 'assembly of the tangent',
  'TreeMotion::sweep': 'Q - M a of the tree',
  'RelativeFormulation::write_rows': 'directions of the constraint forces',
  'BodyModel::tyre_force': 'forces of tyres',
  'Projection::run': 'velocities and accelerations onto the constraints',
  'TreeMotion::position': 'poses',
  'TreeMotion::velocity': 'twists',
  'multiply_add': 'M times accelerations',
  'internal::call_dense_assignment_loop': 'small matrices (Eigen)',
  'Measure::evaluate': 'closures and lengths',
  'Measure::place': 'points of closures',
  'place': 'points of closures',
};

function instructions(read, say, machine) {
  say('## Instructions', '', `${machine('compiler')}. "Before" is ${machine('before')}.`, '',
    table(read('instructions.csv'), [['what', (r) => r.what, 'left'], ['before', (r) => whole(r.before)], ['now', (r) => whole(r.now)]]));
  say('Steps of the Iltis at 0.04 s, the ten functions that take most, in percent (`callgrind_annotate`):', '',
    table(read('profile.csv'), [
      ['function', (r) => (kMeanings[r.function] ? `${kMeanings[r.function]} (\`${r.function}\`)` : `\`${r.function}\``), 'left'],
      ['before', (r) => r.before], ['now', (r) => r.now]]));
  say('Newton\'s tangent leaves out how M and the directions of the constraint forces change, so that increments shrink by a rate, a',
    'twentieth to a two-hundredth, and not by squares.');
}

function size(read, say, machine) {
  say('## Size', '', table(read('size.csv'), [['what', (r) => r.what, 'left'], ['time of the processor', (r) => r.value, 'left']]),
    `Measured on ${machine('machine')}.`);
}

export function performancePage(folder) {
  const path = (file) => join(folder, file);
  const read = (file) => {
    if (!existsSync(path(file))) throw new Error(`${path(file)} is not there; run make performance`);
    return parseCsv(readFileSync(path(file), 'utf8'));
  };
  const facts = new Map(read('machine.csv').map((r) => [r.what, r.value]));
  const machine = (what) => facts.get(what) ?? '';
  const parts = [];
  const say = (...lines) => parts.push(lines.join('\n') + '\n');
  say('# Performance', '',
    'This page is made by `make performance` from what it measures (`docs/performance/`; sizes and the names of machine and compiler are',
    'written into their files by whoever measures). What a step costs is counted in instructions (callgrind, the difference of two lengths',
    'of a run, no output): counts are the same on a loaded machine and from day to day. `cardan_step_cost` makes such a run:', '',
    '```sh',
    'cmake --preset release -D CARDAN_BENCH=ON && cmake --build --preset release --target cardan_step_cost',
    'valgrind --tool=callgrind build/release/bin/cardan_step_cost models/iltis.yaml hybrid trapezoidal 0.04 50    # and 150',
    '```');
  instructions(read, say, machine);
  size(read, say, machine);
  const has = (file) => existsSync(path(file));
  if (has('auto.csv')) choice(read, say, machine);
  peers(read, say, machine, has);
  return parts.join('\n').replace(/\n{3,}/g, '\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = join(docs, 'performance'), page = join(docs, 'performance.md')] = process.argv.slice(2);
  writeFileSync(page, performancePage(folder));
  console.log(page);
}
