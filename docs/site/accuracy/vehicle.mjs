import {code, digits, fixed, formulation, list, ok, range, step, table, unique} from './format.mjs';
import {plot} from './plot.mjs';

const height = ['height, mm RMS', (r) => (ok(r) ? fixed(1000 * r.rms_height, 2) : 'failed')];
const pitch = ['pitch, deg RMS', (r) => (ok(r) ? fixed((r.rms_pitch * 180) / Math.PI, 3) : '')];
const kPrecision = 'iltis-vehicle/precision.csv';
const none = (value) => (Number(value) > 0 ? value : 'none');

export function vehicle(read, say) {
  times(read, say);
  ranking(read, say);
  if (read.has(kPrecision)) precision(read, say);
  say('Difference from `hybrid` at 0.001 s over the first 3 s, before the stairs:', '',
    table(read('iltis-vehicle/agreement.csv'), [formulation, ['height, m RMS', (r) => (ok(r) ? digits(r.rms_height) : 'failed')], ['pitch, rad RMS', (r) => (ok(r) ? digits(r.rms_pitch) : '')]]));
  sdirk(read, say);
  projections(read, say);
  structural(read, say);
}

function times(read, say) {
  const rows = read('iltis-vehicle/vehicle.csv');
  const {cpu_seconds: unit, published_seconds: publishedUnit} = rows.find((r) => r.formulation === 'hybrid' && r.step === '0.01');
  say('## Iltis: a vehicle over a ramp and stairs', '',
    '8 s at 5 m/s, [H] table 4. A step is good while height and pitch of the chassis stay within 20 mm and 1.0 degree RMS of a reference run',
    '(`hybrid`, 1e-4 s). Times relative to `hybrid` at 0.01 s, ours to ours and published to published.', '',
    table(rows, [
      ['method', (r) => r.method.trim(), 'left'],
      ['step, s', (r) => (r.integrator === 'bdf' ? 'variable' : r.step)], height, pitch, ['iterations', (r) => r.iterations],
      ['time', (r) => (ok(r) ? digits(r.cpu_seconds / unit) : '')], ['published step, s', (r) => (Number(r.published_step) > 0 ? r.published_step : '')],
      ['published time', (r) => (Number(r.published_seconds) > 0 ? digits(r.published_seconds / publishedUnit) : '')]]));
}

/** Which formulation is first: by how far all steps are good, and by what an error costs. */
function ranking(read, say) {
  const bounds = read('iltis-vehicle/largest_steps.csv');
  const lucky = bounds.filter((r) => Number(r.largest_good) > Number(r.all_good_up_to));
  say('The paper ranks by the largest good step. ' + (lucky.length
    ? `That is luck: where an edge of the stairs falls within the steps decides, and good steps come after bad ones (${list(lucky.map((r) => code(r.formulation)))}). What is not luck is up to where all are good:`
    : 'Here no good step comes after a bad one:'), '',
    table(bounds, [
      formulation, ['all good up to, s', (r) => none(r.all_good_up_to)], ['largest good, s', (r) => none(r.largest_good)], ['first that fails, s', (r) => none(r.first_failing)],
      ['published largest good, s', (r) => r.published]]));
  const work = read('iltis-vehicle/precision_work.csv').filter((r) => Number(r.cpu_seconds) > 0);
  const unit = work.find((r) => r.formulation === 'hybrid' && Number(r.bound_height) === 0.02).cpu_seconds;
  const heights = unique(work.map((r) => r.bound_height));
  const names = unique(work.map((r) => r.formulation));
  const at = (name, bound) => work.find((r) => r.formulation === name && r.bound_height === bound);
  const order = (bound) => names.filter((n) => at(n, bound)).sort((a, b) => at(a, bound).cpu_seconds - at(b, bound).cpu_seconds);
  const published = names.filter((n) => at(n, heights.at(-1))).sort((a, b) => at(a, heights.at(-1)).published_seconds - at(b, heights.at(-1)).published_seconds);
  const same = heights.filter((bound) => order(bound).join() === published.filter((n) => at(n, bound)).join());
  const three = (names_) => names_.filter((n) => n !== 'recursive');
  const sameThree = heights.filter((bound) => three(order(bound)).join() === three(published).filter((n) => at(n, bound)).join());
  say('And what an error costs: time, relative to the last of `hybrid`, of the longest step such that it and all shorter ones stay within it (pitch within as many twentieths of a degree):', '',
    table(names, [
      ['formulation', (n) => code(n), 'left'],
      ...heights.map((bound) => [`${digits(1000 * bound)} mm`, (n) => (at(n, bound) ? `${digits(at(n, bound).cpu_seconds / unit)} (${at(n, bound).step} s)` : '')])]));
  say(`Cheapest first, that is ${heights.map((bound) => `${list(order(bound).map(code))} within ${digits(1000 * bound)} mm`).join('; ')}. The published order of times is ${list(published.map(code))}: ` +
    (same.length === heights.length
      ? 'it holds at every error.'
      : same.length
        ? `it holds within ${list(same.map((b) => `${digits(1000 * b)} mm`))}.`
        : sameThree.length === heights.length
          ? 'it holds at every error but for `recursive`.'
          : sameThree.length
            ? `but for \`recursive\` it holds within ${list(sameThree.map((b) => `${digits(1000 * b)} mm`))} and nowhere else.`
            : 'it does not hold.'));
}

/** Error over time, one curve for each method. */
export function precisionPlot(read) {
  if (!read.has(kPrecision)) return null;
  const rows = read(kPrecision).filter((r) => ok(r) && Number(r.rms_height) > 0);
  const unit = hundredth(read);
  return plot({
    xLabel: 'time, in runs of hybrid trapezoidal at 0.01 s',
    yLabel: 'error of the height, m RMS',
    curves: unique(rows.map((r) => r.method)).map((name) => ({name, points: rows.filter((r) => r.method === name).map((r) => [r.cpu_seconds / unit, Number(r.rms_height)])})),
  });
}
const hundredth = (read) => read(kPrecision).find((r) => r.method === 'hybrid trapezoidal' && Number(r.setting) === 0.01).cpu_seconds;

/** All methods, ranked by what it takes to stay within an error with a setting and all finer ones. */
function precision(read, say) {
  const rows = read('iltis-vehicle/ranking.csv');
  const unit = hundredth(read);
  const bounds = unique(rows.map((r) => r.bound));
  const at = (name, bound) => rows.find((r) => r.method === name && r.bound === bound);
  const held = (name, bound) => Number(at(name, bound).cpu_seconds) > 0;
  const order = (bound) => unique(rows.map((r) => r.method)).filter((n) => held(n, bound)).sort((a, b) => at(a, bound).cpu_seconds - at(b, bound).cpu_seconds);
  // By the sum of their places; who does not hold a bound is last there.
  const names = unique(rows.map((r) => r.method));
  const place = (name, bound) => (held(name, bound) ? order(bound).indexOf(name) : names.length);
  const ranked = [...names].sort((a, b) => bounds.reduce((sum, bound) => sum + place(a, bound) - place(b, bound), 0));
  say('### Precision against work', '',
    'All methods with many steps or tolerances: the error of the height, RMS over time from a reference (`hybrid` `dopri5`, tolerance 1e-9), over time. Curves that',
    'are not smooth are the lottery of where the edges of the stairs fall: a single step that happens to be good, or bad, ranks nothing.', '',
    '![Error over time of all methods on the vehicle](pictures/vehicle_precision.svg)', '',
    'Ranked by what it takes to stay within an error with a setting and with all finer ones (times of `hybrid` `trapezoidal` at 0.01 s; in brackets the step in s, or the tolerance):', '',
    table(ranked, [
      ['method', (n) => code(n), 'left'],
      ...bounds.map((bound) => [`${digits(1000 * bound)} mm`, (n) => (held(n, bound) ? `${digits(at(n, bound).cpu_seconds / unit)} (${digits(at(n, bound).setting)})` : '')])]));
  say(`The cheapest: ${bounds.filter((b) => order(b).length).map((b) => `${code(order(b)[0])} within ${digits(1000 * b)} mm`).join(', ')}.`);
}

function sdirk(read, say) {
  const rows = read('iltis-sdirk/sdirk.csv');
  const unit = rows.find((r) => r.test === 'automatic' && r.formulation === 'hybrid' && r.integrator === 'trapezoidal' && r.step === '0.01').cpu_seconds;
  const key = (r) => `${r.formulation} ${r.integrator} ${r.step}`;
  // Some long runs are made under one test alone.
  const pairs = unique(rows.filter((r) => r.test !== 'automatic').map(key)).map((name) => ['automatic', 'other'].map((test) => rows.find((r) => key(r) === name && (r.test === 'automatic') === (test === 'automatic'))));
  const bound = rows.find((r) => r.test !== 'automatic').test;
  say('### Implicit Runge-Kutta against the trapezoidal rule', '',
    '[R] table 2: iterations of 8 s, times relative to `hybrid` with the trapezoidal rule at 0.01 s. How many iterations a step takes depends on when they end: by our',
    `[own test](theory/augmented-lagrangian.md), or when the norm of the increment is below ${bound}, the test of the paper (its bound is not stated, this one is ours).`, '',
    table(pairs, [
      ['formulation', ([, r]) => code(r.formulation), 'left'], ['integrator', ([, r]) => code(r.integrator), 'left'], ['step, s', ([, r]) => r.step],
      ['height, mm RMS', ([r]) => (!r ? '' : ok(r) ? fixed(1000 * r.rms_height, 2) : 'failed')], ['iterations', ([r]) => r?.iterations ?? ''], ['time', ([r]) => (r && ok(r) ? digits(r.cpu_seconds / unit) : '')],
      [`height, ${bound}`, ([, r]) => (ok(r) ? fixed(1000 * r.rms_height, 2) : 'failed')], [`iterations, ${bound}`, ([, r]) => r.iterations],
      [`time, ${bound}`, ([, r]) => (ok(r) ? digits(r.cpu_seconds / unit) : '')], ['published iterations', ([, r]) => (Number(r.published_iterations) > 0 ? r.published_iterations : 'fails')]]));
  const cost = read('iltis-sdirk/largest_steps.csv');
  const ratios = (test, at) => cost.filter((r) => r.test === test && at(r)).map((r) => r.ratio);
  const longest = (r) => r.at === 'all good up to';
  say(`Both under one test, SDIRK takes ${range(ratios('automatic', (r) => !longest(r)))} times the time of the trapezoidal rule at equal steps (${range(ratios(bound, (r) => !longest(r)))} with ${bound}), and`,
    `${range(ratios('automatic', longest))} times (${range(ratios(bound, longest))}) with each at the longest step such that it and all shorter ones are good. Published: ${range(cost.map((r) => r.published_ratio))}.`, '',
    table(cost, [
      ['iterations end', (r) => (r.test === 'automatic' ? 'by our test' : `below ${r.test}`), 'left'], formulation, ['steps', (r) => r.at, 'left'],
      ['`sdirk3`, s', (r) => none(r.sdirk3_step)], ['`trapezoidal`, s', (r) => none(r.trapezoidal_step)], ['ratio of times', (r) => digits(r.ratio)], ['published', (r) => digits(r.published_ratio)]]));
}

/** "SDIRK may leave its projections out, the trapezoidal rule may not." */
function projections(read, say) {
  const rows = read('iltis-sdirk/projections.csv');
  const good = (r) => ok(r) && Number(r.rms_height) < 0.02;
  const without = (integrator) => rows.filter((r) => r.integrator === integrator && r.projections === 'no');
  const verdict = (integrator) => {
    const all = without(integrator);
    return all.every(good) ? `\`${integrator}\` stays good without them` : all.some(good) ? `\`${integrator}\` stays good without them on ${list(all.filter(good).map((r) => code(r.formulation)))} only` : `\`${integrator}\` does not do without them`;
  };
  say(`[R] also finds that SDIRK may leave its projections out, and that the trapezoidal rule needs them. Here, at 0.001 s: ${verdict('sdirk3')}, ${verdict('trapezoidal')}.`, '',
    table(rows, [
      formulation, ['integrator', (r) => code(r.integrator), 'left'], ['projections', (r) => r.projections], height,
      ['position violation, m', (r) => (ok(r) ? digits(r.position_violation) : '')], ['of velocities, relative', (r) => (ok(r) ? digits(r.velocity_violation) : '')], ['ends at, s', (r) => digits(r.end_time, 3)]]));
}

function structural(read, say) {
  const rows = read('iltis-structural/structural.csv');
  say('### Structural integrators', '', 'Newmark, HHT and generalized-alpha, as compared in [S].', '',
    table(rows, [
      formulation, ['rule', (r) => r.rule, 'left'], step, height, pitch,
      ['iterations', (r) => r.iterations], ['all good up to, s', (r) => none(r.all_good_up_to)]]));
  const hybrid = rows.filter((r) => r.formulation === 'hybrid' && ok(r));
  const best = [...hybrid].sort((a, b) => a.rms_height - b.rms_height)[0];
  const farthest = [...hybrid].sort((a, b) => b.all_good_up_to - a.all_good_up_to)[0];
  say(`The paper of 2004 finds dissipative Newmark best on large systems. On \`hybrid\` the smallest error at 0.01 s is that of ${best.rule} (${fixed(1000 * best.rms_height, 1)} mm), and the longest good steps`,
    `are those of ${farthest.rule} (all good up to ${farthest.all_good_up_to} s); the trapezoidal rule has ${fixed(1000 * hybrid[0].rms_height, 1)} mm and ${hybrid[0].all_good_up_to} s.`);
}
