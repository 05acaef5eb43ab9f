// Instructions of steps, counted by callgrind as the difference of two lengths of a run without output, and the ten
// functions that take most of them: node bench/instructions.mjs BIN [now|before] [FOLDER]
// BIN has cardan_step_cost; the counts go into the column `now` (or `before`, of an older build) of FOLDER/instructions.csv
// and FOLDER/profile.csv (default docs/performance). `docs/site/performance.mjs` makes the page of them.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseCsv} from '../docs/site/accuracy/format.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [bin, column = 'now', folder = join(root, 'docs/performance')] = process.argv.slice(2);
if (!bin || !['now', 'before'].includes(column)) {
  console.error('usage: node bench/instructions.mjs BIN [now|before] [FOLDER]');
  process.exit(2);
}

const kCases = [
  {what: 'a step of the Iltis, `hybrid` `trapezoidal`, 0.04 s', run: ['iltis', 'hybrid', 'trapezoidal', 0.04], steps: [50, 150], profile: true},
  {what: 'the same at 0.01 s', run: ['iltis', 'hybrid', 'trapezoidal', 0.01], steps: [100, 300]},
  {what: 'the same in `topological` at 0.01 s', run: ['iltis', 'topological', 'trapezoidal', 0.01], steps: [100, 300]},
  {what: 'a row of all columns of the Iltis with reactions, without its text', run: ['iltis', 'hybrid', 'trapezoidal', 0.01], steps: [100, 300], row: true},
  {what: 'a step of the double four-bar, `hybrid` `trapezoidal`, 0.01 s', run: ['double_four_bar', 'hybrid', 'trapezoidal', 0.01], steps: [100, 300]},
  {what: 'a step of the double four-bar, `global` `trapezoidal`, 0.01 s', run: ['double_four_bar', 'global', 'trapezoidal', 0.01], steps: [100, 300]},
  {what: 'a step of the PUMA, `hybrid` `trapezoidal`, 0.01 s', run: ['puma560', 'hybrid', 'trapezoidal', 0.01], steps: [50, 150]},
  {what: 'a step of the double four-bar, `hybrid` `rk4`, 0.1 s', run: ['double_four_bar', 'hybrid', 'rk4', 0.1], steps: [20, 60]},
];

const scratch = mkdtempSync(join(tmpdir(), 'cardan-instructions-'));

/** The whole of a run, and by function: {total, functions: Map}. */
function count([model, ...method], steps, samples) {
  const out = join(scratch, 'callgrind.out');
  execFileSync('valgrind', ['--tool=callgrind', `--callgrind-out-file=${out}`, join(bin, 'cardan_step_cost'),
    join(root, 'models', `${model}.yaml`), ...method.map(String), String(steps), ...(samples ? ['samples'] : [])], {stdio: 'ignore'});
  const text = execFileSync('callgrind_annotate', ['--threshold=100', out], {encoding: 'utf8', maxBuffer: 1 << 28});
  const functions = new Map();
  let total = 0;
  for (const line of text.split('\n')) {
    const [, number, rest] = line.match(/^\s*([\d,]+) \(\s*[\d.]+%\)\s+(.*)$/) ?? [];
    if (!number) continue;
    const value = Number(number.replaceAll(',', ''));
    if (rest.startsWith('PROGRAM TOTALS')) total = value;
    else functions.set(nameOf(rest), (functions.get(nameOf(rest)) ?? 0) + value);
  }
  return {total, functions};
}

/** "TreeMotion::dynamics" of "/path/file.cpp:cardan::TreeMotion<3>::dynamics(double, ...) const [/path/program]" */
function nameOf(text) {
  let name = text.replace(/ \[[^\]]*\]$/, '').replace(/^[^:]*:(?!:)/, '').replaceAll('(anonymous namespace)', '').replace(/'\d+$/, '');
  for (let before = ''; before !== name;) before = name, name = name.replace(/<[^<>]*>/g, '');
  name = name.replace(/\(.*$/, '').trim().split(' ').at(-1);
  return name.split('::').filter((part) => part && part !== 'cardan').slice(-2).join('::');
}

/** Rows of the file with this column written, in the order of `keys`. */
function write(file, key, entries) {
  const path = join(folder, file);
  const old = new Map((existsSync(path) ? parseCsv(readFileSync(path, 'utf8')) : []).map((row) => [row[key], row]));
  const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const keys = [...new Set([...entries.keys(), ...(column === 'before' ? old.keys() : [])])];
  const lines = keys.map((name) => {
    const row = {before: '', now: '', ...old.get(name), ...(entries.has(name) ? {[column]: entries.get(name)} : {})};
    return [name, row.before, row.now].map((cell) => quoted(String(cell))).join(',');
  });
  writeFileSync(path, [`${key},before,now`, ...lines, ''].join('\n'));
}

const instructions = new Map();
for (const {what, run, steps: [few, many], row, profile} of kCases) {
  const [short, long] = [few, many].map((steps) => count(run, steps, row));
  let each = (long.total - short.total) / (many - few);
  if (row) {
    const [shortOnly, longOnly] = [few, many].map((steps) => count(run, steps, false));
    each -= (longOnly.total - shortOnly.total) / (many - few);
  }
  instructions.set(what, Math.round(each));
  console.log(`${what}: ${Math.round(each)}`);
  if (!profile) continue;
  const whole = long.total - short.total;
  const shares = [...long.functions].map(([name, value]) => [name, (100 * (value - (short.functions.get(name) ?? 0))) / whole]);
  write('profile.csv', 'function', new Map(shares.sort((a, b) => b[1] - a[1]).slice(0, 10).map(([name, share]) => [name, share.toFixed(1)])));
}
write('instructions.csv', 'what', instructions);
rmSync(scratch, {recursive: true});
