import {code, list, power, table, unique} from './format.mjs';

export function orders(read, say) {
  const rows = read('orders/orders.csv');
  const mechanisms = read('orders/mechanisms.csv');
  const key = (r) => `${r.formulation} ${r.integrator}`;
  const restricted = (group) => group.every((r) => r.verdict === 'refused') && new Set(group.map((r) => r.reason)).size === 1;
  const groups = unique(rows.map(key)).map((name) => rows.filter((r) => key(r) === name));
  const shown = (group, mechanism) => {
    const r = group.find((row) => row.mechanism === mechanism);
    return r.verdict === 'off' ? `**${r.shown}**` : r.verdict === 'failed' ? '**failed**' : r.verdict === 'above' ? `*${r.shown}*` : r.shown;
  };
  const count = (verdict) => rows.filter((r) => r.verdict === verdict).length;
  const bad = count('off') + count('failed');
  say('## Orders', '',
    'The order of every integrator on every formulation: the slope of the largest error of positions and velocities over the last factor of four in steps',
    'above rounding. Steps are halved (by the square root of two for order 5) until the last three slopes agree within 0.05, errors come to rounding, or a run',
    'has 100,000 steps: one rule for all, and what theory says has no part in it. An order above theory (italics) is one whose leading term of the error is small',
    'beside the next down to rounding. Stiff loads whose direction turns in the coordinates cost Runge-Kutta methods part of their order while',
    'the step does not resolve them, see [theory](theory/runge-kutta.md#order-and-stiff-loads).',
    `\`bdf\` varies its order; "held" says that its errors follow the tolerance. ${rows.length} combinations: ${count('good')} have the theoretical order`,
    `within 0.2, ${count('above')} are above it, ${count('refused')} are refused by name, ${bad ? `${bad} ${bad === 1 ? 'is below or fails' : 'are below or fail'} (bold)` : 'none is below or fails'}.`, '',
    table(groups.filter((g) => !restricted(g)), [
      ['formulation', (g) => code(g[0].formulation), 'left'], ['integrator', (g) => code(g[0].integrator), 'left'],
      ['theory', (g) => (g[0].theoretical_order === '0' ? 'varies' : g[0].theoretical_order)],
      ...mechanisms.map((m) => [m.mechanism, (g) => shown(g, m.mechanism)])]));
  say(`Integrators that a formulation does not have: ${list(groups.filter(restricted).map((g) => `${code(g[0].integrator)} on ${code(g[0].formulation)}`))}.`, '',
    'The mechanisms, each turned and moved at random; errors are taken against `dopri5` on `topological`, which is compared with `dopri5` on `cartesian`:', '',
    table(mechanisms, [
      ['mechanism', (m) => m.mechanism, 'left'], ['what it is', (m) => m.about, 'left'], ['runs for, s', (m) => m.duration], ['longest step, s', (m) => m.longest_step],
      ['references differ by', (m) => power(m.uncertainty)]]));
  smallSteps(read('orders/small_steps.csv').filter((r) => r.step !== ''), say);
}

/// Steps of a method come from the longest to the shortest.
function smallSteps(rows, say) {
  const method = (r) => `${r.mechanism} ${r.formulation} ${r.integrator}`;
  const ladders = unique(rows.map(method)).map((name) => rows.filter((r) => method(r) === name));
  const grow = ladders.filter((ladder) => Number(ladder.at(-1).growth) > 1);
  const most = (ladder, column, of) => Math.max(...ladder.map((l) => Number(of(l)[column])));
  say('Steps from 0.01 s down to 1e-6 s over the first 0.02 s, two to a factor of ten, with every method whose steps are the caller\'s:',
    `of ${ladders.length} combinations ${grow.length ? `${grow.length} have` : 'none has'} an error that grows as the step shrinks, until rounding: that of positions`,
    'over the step, as implicit rules have velocities by differences of positions.', '',
    table(unique(rows.map((r) => r.mechanism)).map((name) => ladders.filter((l) => l[0].mechanism === name)), [
      ['mechanism', (g) => g[0][0].mechanism, 'left'], ['methods', (g) => g.length],
      ['largest error at 0.01 s', (g) => power(most(g, 'error', (l) => l[0]))], ['at 1e-6 s', (g) => power(most(g, 'error', (l) => l.at(-1)))],
      ['rounding there', (g) => power(most(g, 'rounding', (l) => l.at(-1)))],
      ['grow', (g) => g.filter((l) => Number(l.at(-1).growth) > 1).length]]));
}
