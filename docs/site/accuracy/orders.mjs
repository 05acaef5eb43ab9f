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
    'The order of every integrator on every formulation: the slope of the largest error of positions and velocities over three steps that halve, short',
    'enough for slopes to have settled or errors to come to rounding. Where it is above theory (italics) the error falls faster than theory asks: down to',
    'rounding its leading term is below the next one. Stiff loads whose direction turns in the coordinates cost Runge-Kutta methods part of their order while',
    'the step does not resolve them, see [theory](theory/runge-kutta.md#order-and-stiff-loads).',
    `\`bdf\` varies its order; "held" says that its errors follow the tolerance. ${rows.length} combinations: ${count('good')} have the theoretical order`,
    `within 0.2, ${count('above')} are above it, ${count('refused')} are refused by name, ${bad ? `${bad} are below or fail (bold)` : 'none is below or fails'}.`, '',
    table(groups.filter((g) => !restricted(g)), [
      ['formulation', (g) => code(g[0].formulation), 'left'], ['integrator', (g) => code(g[0].integrator), 'left'],
      ['theory', (g) => (g[0].theoretical_order === '0' ? 'varies' : g[0].theoretical_order)],
      ...mechanisms.map((m) => [m.mechanism, (g) => shown(g, m.mechanism)])]));
  say(`Integrators that a formulation does not have: ${list(groups.filter(restricted).map((g) => `${code(g[0].integrator)} on ${code(g[0].formulation)}`))}.`, '',
    'The mechanisms, each turned and moved at random; errors are taken against `dopri5` on `topological`, which is compared with `dopri5` on `cartesian`:', '',
    table(mechanisms, [
      ['mechanism', (m) => m.mechanism, 'left'], ['what it is', (m) => m.about, 'left'], ['runs for, s', (m) => m.duration], ['longest step, s', (m) => m.longest_step],
      ['references differ by', (m) => power(m.uncertainty)]]));
}
