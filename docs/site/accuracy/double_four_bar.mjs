import {code, digits, fixed, formulation, minus, ok, power, range, step, table, unique} from './format.mjs';

export function doubleFourBar(read, say) {
  say('## Double four-bar: ten singular positions', '', '10 s, largest deviation of the total energy, J ([H] table 1).');
  givenPenalty(read, say);
  defaults(read, say);
  lottery(read, say);
  rungeKutta(read, say);
}

/** One penalty for all constraints, as [H] has it; which one, it does not say. */
function givenPenalty(read, say) {
  const rows = read('double-four-bar/given_penalty.csv');
  const penalties = unique(rows.map((r) => r.penalty));
  const groups = unique(rows.map((r) => `${r.formulation} ${r.step}`)).map((key) => rows.filter((r) => `${r.formulation} ${r.step}` === key));
  const energy = (r) => (ok(r) ? fixed(r.energy_error, 3) : `ends at ${digits(r.end_time)} s`);
  const hybrid = rows.filter((r) => r.formulation === 'hybrid');
  const failed = hybrid.filter((r) => !ok(r));
  const off = Math.max(...hybrid.filter(ok).map((r) => Math.abs(r.energy_error - r.published_energy_error)));
  const global = rows.filter((r) => r.formulation === 'global');
  const lost = global.filter((r) => !ok(r));
  const losses = unique(global.map((r) => r.step)).map((step) => digits(-Math.min(...global.filter((r) => ok(r) && r.step === step).map((r) => r.energy_error))));
  say(`The paper has one penalty for all constraints and a tolerance for Newton's increment, and states neither. With tolerance ${power(rows[0].tolerance)} (ours) and`,
    `penalties from ${power(penalties[0])} to ${power(penalties.at(-1))}, ${failed.length ? `${failed.length} runs of \`hybrid\` fail and the others are` : '`hybrid` is'} within ${digits(off)} J of the published numbers at every step and penalty.`,
    `\`global\` loses the more the longer the step, as the paper's does: up to ${losses.join(', ')} J${lost.length ? `, and ${lost.length} of its runs fail` : ', whatever the penalty'}.`, '',
    table(groups, [
      ['formulation', (g) => code(g[0].formulation), 'left'], ['step, s', (g) => g[0].step],
      ...penalties.map((p) => [power(p), (g) => energy(g.find((r) => r.penalty === p))]),
      ['published', (g) => minus(g[0].published_energy_error)]]));
}

function defaults(read, say) {
  const rows = read('double-four-bar/default_settings.csv');
  const unit = rows.find((r) => r.formulation === 'hybrid' && r.step === '0.01').microseconds_per_step;
  say('With all defaults; the angle is the crank\'s at 10 s against the closed form, the time of a step is relative to `hybrid` at 0.01 s:', '',
    table(rows, [
      formulation, step,
      ['energy error, J', (r) => (ok(r) ? fixed(r.energy_error, 3) : `ends at ${digits(r.end_time)} s`)], ['published', (r) => minus(r.published_energy_error)],
      ['angle error, rad', (r) => digits(r.crank_angle_error)], ['iterations a step', (r) => fixed(r.iterations_per_step, 1)],
      ['time of a step', (r) => fixed(r.microseconds_per_step / unit, 1)]]));
  const of = (name) => rows.filter((r) => r.formulation === name && ok(r));
  const ratios = of('global').map((r) => r.energy_error / of('hybrid').find((h) => h.step === r.step)?.energy_error);
  const published = of('global').map((r) => r.published_energy_error / of('hybrid').find((h) => h.step === r.step)?.published_energy_error);
  say(`At equal steps the energy error of \`global\` is ${range(ratios, 1)} times that of \`hybrid\` (published: ${range(published, 2)}).`);
}

function lottery(read, say) {
  const draws = read('double-four-bar/lottery.csv');
  const groups = ['hybrid', 'global'].map((name) => {
    const own = draws.filter((r) => r.formulation === name);
    const steps = own.map((r) => Number(r.step));
    return {formulation: name, runs: own.length, lost: own.filter((r) => r.lost === '1').length, from: Math.min(...steps), to: Math.max(...steps)};
  });
  say('Singular positions are a lottery: a run with an unlucky step may fail or leave its branch.', '',
    table(groups, [formulation, ['steps, s', (g) => `${g.from} to ${digits(g.to)}`], ['runs', (g) => g.runs], ['lost', (g) => g.lost]]));
}

function rungeKutta(read, say) {
  const steps = read('double-four-bar/runge_kutta_steps.csv');
  const key = (r) => `${r.integrator} ${r.formulation}`;
  const largest = unique(steps.map(key)).map((name) => {
    const own = steps.filter((r) => key(r) === name);
    const bad = own.find((r) => r.usable !== '1');
    const before = own.filter((r) => r.usable === '1' && (!bad || Number(r.step) < Number(bad.step)));
    return {name, usable: own.filter((r) => r.usable === '1').length, of: own.length, upTo: before.at(-1)?.step};
  });
  say('Runge-Kutta methods; usable: within 0.1 rad of the closed form at 10 s, couplers level.', '',
    table(largest, [['integrator, formulation', (g) => g.name, 'left'], ['all steps usable up to, s', (g) => (g.upTo ? digits(g.upTo, 3) : 'none')], ['usable', (g) => `${g.usable} of ${g.of}`]]));
}
