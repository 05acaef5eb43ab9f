// docs/accuracy.md from the studies' CSV files: node accuracy.mjs [FOLDER] [PAGE]; default docs/accuracy and docs/accuracy.md.
// `make accuracy` runs the studies first. Numbers depend on the program alone, but for times, which are given as ratios.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Rows of a CSV file as objects; quoted cells may hold commas and quotes. */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') {
      quoted = true;
    } else if (c === ',' || c === '\n') {
      row.push(cell);
      cell = '';
      if (c === '\n') rows.push(row), (row = []);
    } else {
      cell += c;
    }
  }
  const [head, ...lines] = rows;
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

/** So many digits, with an exponent below a thousandth. */
function digits(value, count = 2) {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return '';
  const text = number !== 0 && Math.abs(number) < 1e-3 ? number.toExponential(count - 1) : Number(number.toPrecision(count)).toString();
  return text.replaceAll('-', '−');
}
const fixed = (value, count) => (Number.isFinite(Number(value)) ? Number(value).toFixed(count).replace('-', '−') : '');
const minus = (text) => text.replace('-', '−');

const isPowerOfTen = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 0.01;

/** `columns`: [title, function of a row, 'right' or nothing]. */
function table(rows, columns) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([title]) => title)),
    line(columns.map(([, , align]) => (align === 'left' ? '---' : '--:'))),
    ...rows.map((row) => line(columns.map(([, text]) => text(row)))),
    '',
  ].join('\n');
}

export function accuracyPage(folder) {
  const read = (file) => {
    const path = join(folder, file);
    if (!existsSync(path)) throw new Error(`${path} is not there; run the study, or make accuracy`);
    return parseCsv(readFileSync(path, 'utf8'));
  };
  const parts = [];
  const say = (...lines) => parts.push(lines.join('\n') + '\n');
  const ok = (row) => row.status === 'ok';

  say('# Accuracy', '',
    'What the methods do on published experiments: our numbers beside the published ones. This page is made by `make accuracy`, which runs',
    'every study of `cardan study --list` and writes it from their files (`docs/accuracy/`); nothing on it is typed in. Errors, steps and',
    'iterations are the same on any machine but for rounding; times are ratios between our own runs. The papers are listed with the',
    '[notation](theory/notation.md#papers).');

  doubleFourBar();
  puma();
  vehicle();
  suspension();
  stiffDoublePendulum();
  stiffStop();
  return parts.join('\n').replace(/\n{3,}/g, '\n\n');

  function doubleFourBar() {
    say('## Double four-bar: ten singular positions', '',
      '10 s, largest deviation of the total energy, J. With the settings of [H] (penalty 1e9, tolerance 1e-5), `hybrid`, trapezoidal rule:', '',
      table(read('double-four-bar/published_settings.csv'), [
        ['step, s', (r) => r.step], ['ours', (r) => fixed(r.energy_error, 4)], ['published', (r) => minus(r.published_energy_error)]]));
    const rows = read('double-four-bar/default_settings.csv');
    const unit = rows.find((r) => r.formulation === 'hybrid' && r.step === '0.01').microseconds_per_step;
    say('With all defaults; the angle is the crank\'s at 10 s against the closed form, the time of a step is relative to `hybrid` at 0.01 s:', '',
      table(rows, [
        ['formulation', (r) => `\`${r.formulation}\``, 'left'], ['step, s', (r) => r.step],
        ['energy error, J', (r) => (ok(r) ? fixed(r.energy_error, 3) : `ends at ${digits(r.end_time)} s`)], ['published', (r) => minus(r.published_energy_error)],
        ['angle error, rad', (r) => digits(r.crank_angle_error)], ['iterations a step', (r) => fixed(r.iterations_per_step, 1)],
        ['time of a step', (r) => fixed(r.microseconds_per_step / unit, 1)]]));
    const lottery = read('double-four-bar/lottery.csv');
    const groups = ['hybrid', 'global'].map((formulation) => {
      const own = lottery.filter((r) => r.formulation === formulation);
      const steps = own.map((r) => Number(r.step));
      return {formulation, runs: own.length, lost: own.filter((r) => r.lost === '1').length, from: Math.min(...steps), to: Math.max(...steps)};
    });
    say('Singular positions are a lottery: a run with an unlucky step may fail or leave its branch.', '',
      table(groups, [['formulation', (g) => `\`${g.formulation}\``, 'left'], ['steps, s', (g) => `${g.from} to ${digits(g.to)}`], ['runs', (g) => g.runs], ['lost', (g) => g.lost]]));
    const steps = read('double-four-bar/runge_kutta_steps.csv');
    const keys = [...new Set(steps.map((r) => `${r.integrator} ${r.formulation}`))];
    const largest = keys.map((key) => {
      const own = steps.filter((r) => `${r.integrator} ${r.formulation}` === key);
      const bad = own.find((r) => r.usable !== '1');
      const before = own.filter((r) => r.usable === '1' && (!bad || Number(r.step) < Number(bad.step)));
      return {key, usable: own.filter((r) => r.usable === '1').length, of: own.length, upTo: before.at(-1)?.step};
    });
    say('Runge-Kutta methods; usable: within 0.1 rad of the closed form at 10 s, couplers level.', '',
      table(largest, [['integrator, formulation', (g) => g.key, 'left'], ['all steps usable up to, s', (g) => (g.upTo ? digits(g.upTo, 3) : 'none')], ['usable', (g) => `${g.usable} of ${g.of}`]]));
  }

  function puma() {
    const rows = read('puma/puma.csv');
    say('## PUMA 560: a hand that is held and let go', '',
      'Distance of the hand\'s point from where it started, after 8 s, mm. The paper [H] gives neither poses nor torques; ours follow from assumed',
      'poses by inverse dynamics, so only orders of magnitude can be compared.', '',
      table(rows, [
        ['formulation', (r) => `\`${r.formulation}\``, 'left'], ['step, s', (r) => r.step], ['ours, mm', (r) => (ok(r) ? digits(1000 * r.error) : 'failed')],
        ['published, mm', (r) => r.published_error], ['iterations', (r) => r.iterations]]));
  }

  function vehicle() {
    const rows = read('iltis-vehicle/vehicle.csv');
    const {cpu_seconds: unit, published_seconds: publishedUnit} = rows.find((r) => r.formulation === 'hybrid' && r.step === '0.01');
    let name = '';
    say('## Iltis: a vehicle over a ramp and stairs', '',
      '8 s at 5 m/s, [H] table 4. A step is good while height and pitch of the chassis stay within 20 mm and 1.0 degree RMS of a reference run',
      '(`hybrid`, 1e-4 s). Times relative to `hybrid` at 0.01 s, ours to ours and published to published.', '',
      table(rows, [
        ['method', (r) => (r.method.startsWith(' ') ? `${name}, largest good step` : (name = r.method)), 'left'],
        ['step, s', (r) => (r.integrator === 'bdf' ? 'variable' : r.step)], ['height, mm RMS', (r) => (ok(r) ? fixed(1000 * r.rms_height, 2) : 'failed')],
        ['pitch, deg RMS', (r) => (ok(r) ? fixed((r.rms_pitch * 180) / Math.PI, 3) : '')], ['iterations', (r) => r.iterations],
        ['time', (r) => (ok(r) ? digits(r.cpu_seconds / unit) : '')], ['published step, s', (r) => (Number(r.published_step) > 0 ? r.published_step : '')],
        ['published time', (r) => (Number(r.published_seconds) > 0 ? digits(r.published_seconds / publishedUnit) : '')]]));
    say('Difference from `hybrid` at 0.001 s over the first 3 s, before the stairs:', '',
      table(read('iltis-vehicle/agreement.csv'), [['formulation', (r) => `\`${r.formulation}\``, 'left'], ['height, m RMS', (r) => digits(r.rms_height)], ['pitch, rad RMS', (r) => digits(r.rms_pitch)]]));
    const sdirk = read('iltis-sdirk/sdirk.csv');
    const sdirkUnit = sdirk.find((r) => r.formulation === 'hybrid' && r.integrator === 'trapezoidal' && r.step === '0.01').cpu_seconds;
    say('### Implicit Runge-Kutta against the trapezoidal rule', '', '[R] table 2: iterations of 8 s, times relative to `hybrid` with the trapezoidal rule at 0.01 s.', '',
      table(sdirk, [
        ['formulation', (r) => `\`${r.formulation}\``, 'left'], ['integrator', (r) => `\`${r.integrator}\``, 'left'], ['step, s', (r) => r.step],
        ['height, mm RMS', (r) => (ok(r) ? fixed(1000 * r.rms_height, 2) : 'failed')], ['iterations', (r) => r.iterations],
        ['time', (r) => (ok(r) ? digits(r.cpu_seconds / sdirkUnit) : '')], ['published iterations', (r) => (Number(r.published_iterations) > 0 ? r.published_iterations : 'fails')]]));
    say('### Structural integrators', '', 'Newmark, HHT and generalized-alpha, as compared in [S].', '',
      table(read('iltis-structural/structural.csv'), [
        ['formulation', (r) => `\`${r.formulation}\``, 'left'], ['rule', (r) => r.rule, 'left'], ['step, s', (r) => r.step],
        ['height, mm RMS', (r) => (ok(r) ? fixed(1000 * r.rms_height, 2) : 'failed')], ['pitch, deg RMS', (r) => (ok(r) ? fixed((r.rms_pitch * 180) / Math.PI, 3) : '')],
        ['iterations', (r) => r.iterations], ['largest good step, s', (r) => (Number(r.largest_good_step) > 0 ? r.largest_good_step : '')]]));
  }

  function suspension() {
    say('## Iltis suspension down a kerb', '',
      'Lost gravitational energy less what the shock absorber dissipates, J ([H] table 2). That difference is no error of integration: it leaves out what',
      'springs and tyre store and what the tyre loses at the kerb. The last column is the largest deviation of our full energy balance.', '',
      table(read('iltis-suspension/suspension.csv'), [
        ['formulation', (r) => `\`${r.formulation}\``, 'left'], ['step, s', (r) => r.step], ['ours, J', (r) => (ok(r) ? fixed(r.difference, 2) : 'failed')],
        ['published, J', (r) => minus(r.published_difference)], ['balance, J', (r) => (ok(r) ? fixed(r.balance_error, 3) : '')], ['iterations', (r) => r.iterations]]));
  }

  function stiffDoublePendulum() {
    say('## Stiff double pendulum', '', 'Two arms, a damper of 10000 N m s/rad between them ([N]); `cartesian` in independent coordinates. Largest usable steps, s:', '',
      table(read('stiff-double-pendulum/largest_steps.csv'), [['integrator', (r) => `\`${r.integrator}\``, 'left'], ['ours', (r) => digits(r.step, 3)], ['published', (r) => digits(r.published, 3)]]));
    say('Order: slope of the logarithm of the error over that of the step, where steps resolve the fast motion and where they do not.', '',
      table(read('stiff-double-pendulum/fitted_slopes.csv'), [
        ['integrator', (r) => `\`${r.integrator}\``, 'left'], ['steps', (r) => r.range, 'left'], ['from, s', (r) => digits(r.step_largest)], ['to, s', (r) => digits(r.step_smallest)],
        ['positions', (r) => fixed(r.position_slope, 2)], ['velocities', (r) => fixed(r.velocity_slope, 2)]]));
    for (const set of [1, 2]) {
      say(`Set ${set}: what a tolerance gives, errors over the whole run.`, '',
        table(read(`stiff-double-pendulum/error_over_tolerance_set${set}.csv`).filter((r) => isPowerOfTen(Number(r.tolerance))), [
          ['integrator', (r) => r.integrator, 'left'], ['tolerance', (r) => minus(Number(r.tolerance).toExponential(0))], ['position error, rad', (r) => (ok(r) ? digits(r.position_error) : 'failed')],
          ['velocity error, rad/s', (r) => (ok(r) ? digits(r.velocity_error) : '')], ['steps', (r) => r.steps], ['evaluations', (r) => r.evaluations]]));
    }
  }

  function stiffStop() {
    const rows = read('stiff-stop/stiff_stop.csv').filter((r) => r.formulation === 'hybrid');
    say('## Stiff stop: variable step and variable penalty', '',
      'A four-bar that swings against a stop 500 times stiffer than its spring, `hybrid`, trapezoidal rule; errors of the crank\'s angle over 5 s. `increment` and',
      '`residual` are the measures of [V], `error` is ours. A penalty that does not follow the step ends the run, as the paper says.', '',
      table(rows, [
        ['step control', (r) => `\`${r.step_control}\``, 'left'], ['tolerance or step', (r) => (r.step_control === 'fixed' ? `${digits(r.step)} s` : digits(r.tolerance))],
        ['penalty', (r) => (r.penalty === 'automatic' ? 'automatic' : r.penalty_follows === '1' ? 'given, follows' : 'given, stays'), 'left'],
        ['largest error, rad', (r) => (ok(r) ? digits(r.largest_error) : 'failed')], ['steps', (r) => r.steps], ['rejected', (r) => r.rejected], ['iterations', (r) => r.iterations]]));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = join(docs, 'accuracy'), page = join(docs, 'accuracy.md')] = process.argv.slice(2);
  writeFileSync(page, accuracyPage(folder));
  console.log(page);
}
