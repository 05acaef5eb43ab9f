import {code, digits, fixed, list, power, table, unique} from './format.mjs';

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
    'beside the next in most of these steps, see below. Stiff loads whose direction turns in the coordinates cost Runge-Kutta methods part of their order while',
    'the step does not resolve them, see [theory](theory/runge-kutta.md#order-and-stiff-loads).',
    `\`bdf\` varies its order; "held" says that its errors follow the tolerance. ${rows.length} combinations: ${count('good')} have the theoretical order`,
    `within 0.2, ${count('above')} are above it, ${count('refused')} are refused by name, ${bad ? `${bad} ${bad === 1 ? 'is below or fails' : 'are below or fail'} (bold)` : 'none is below or fails'}.`, '',
    table(groups.filter((g) => !restricted(g)), [
      ['formulation', (g) => code(g[0].formulation), 'left'], ['integrator', (g) => code(g[0].integrator), 'left'],
      ['theory', (g) => (g[0].theoretical_order === '0' ? 'varies' : g[0].theoretical_order)],
      ...mechanisms.map((m) => [m.mechanism, (g) => shown(g, m.mechanism)])]));
  aboveTheory(rows.filter((r) => r.verdict === 'above'), say);
  say(`Integrators that a formulation does not have: ${list(groups.filter(restricted).map((g) => `${code(g[0].integrator)} on ${code(g[0].formulation)}`))}.`, '',
    'The mechanisms, each turned and moved at random; errors are taken against `dopri5` on `topological`, which is compared with `dopri5` on `cartesian`:', '',
    table(mechanisms, [
      ['mechanism', (m) => m.mechanism, 'left'], ['what it is', (m) => m.about, 'left'], ['runs for, s', (m) => m.duration], ['longest step, s', (m) => m.longest_step],
      ['references differ by', (m) => power(m.uncertainty)]]));
  smallSteps(read('orders/small_steps.csv').filter((r) => r.step !== ''), say);
}

/// What is above theory, with the fit that says where theory begins.
function aboveTheory(rows, say) {
  if (!rows.length) return;
  const fits = (r) => Number(r.theory_below) > 0;
  const within = rows.filter((r) => Math.abs(r.last_slope - r.theoretical_order) <= 0.2);
  const below = rows.filter((r) => !within.includes(r) && fits(r) && Number(r.theory_below) < Number(r.shortest_step));
  const others = rows.length - within.length - below.length;
  say('Those above theory: with e = a h^p + b h^(p+m), m = 1 or 2, fitted to the same steps, the slope is p + m b h^m/(a + b h^m), and comes within 0.2 of p only below the step given here, where the error is the one beside it.',
    `Of ${rows.length}, ${within.length} have come to the theoretical order in their last two steps above rounding; ${below.length} have their leading term where steps are shorter than those that can be told from rounding (about 2e−12)${others ? `; ${others} fit neither` : ''}.`, '',
    table(rows, [
      ['formulation', (r) => code(r.formulation), 'left'], ['integrator', (r) => code(r.integrator), 'left'], ['mechanism', (r) => r.mechanism, 'left'], ['theory', (r) => r.theoretical_order],
      ['measured', (r) => r.shown], ['between the last two', (r) => fixed(r.last_slope, 2)], ['shortest step above rounding, s', (r) => digits(r.shortest_step)],
      ['within 0.2 below, s', (r) => (fits(r) ? digits(r.theory_below) : '')], ['error there', (r) => (fits(r) ? power(r.error_there) : '')],
      ['m', (r) => r.next_power], ['fit off by, %', (r) => digits(100 * r.misfit)]]));
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
