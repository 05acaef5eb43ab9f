import {digits, fixed, formulation, list, minus, ok, step, table, unique} from './format.mjs';

export function suspension(read, say) {
  const rows = read('iltis-suspension/suspension.csv');
  const columns = [
    formulation, step, ['ours, J', (r) => (ok(r) ? fixed(r.difference, 2) : 'failed')], ['published, J', (r) => minus(r.published_difference)],
    ['balance, J', (r) => (ok(r) ? fixed(r.balance_error, 3) : '')], ['iterations', (r) => r.iterations]];
  const [found, model] = ['found', 'model'].map((start) => rows.filter((r) => r.start === start));
  const place = (group) => `${digits(1000 * group[0].lift)} mm above the nominal position (the tyre ${digits(1000 * Math.abs(group[0].clearance))} mm ${group[0].clearance < 0 ? 'pressed in' : 'off the road'})`;
  const met = Math.abs(found[0].difference - found[0].published_difference) < 0.01;
  const trend = unique(found.map((r) => r.step)).map((h) => found.find((r) => r.step === h && r.formulation === 'global'));
  const signs = rows.every((r) => !ok(r) || Number(r.difference) < 0);
  say('## Iltis suspension down a kerb', '',
    'Energy dissipated by the shock absorber less lost gravitational energy, J ([H] table 2). The paper calls its numbers the lost energy less the',
    `dissipated one; ${signs ? 'ours are negative, as the published ones, only in the order given here' : 'ours do not all have the sign of the published ones'}. The difference is no error of integration: it leaves out what springs and tyre store and`,
    'what the tyre loses at the kerb. The balance is the largest deviation of our full one. From where the suspension is let go is not published.', '',
    `Let go ${place(found)} \`global\` ${met ? 'has' : 'does not have'} the published number at the shortest step, and at the others`,
    `${list(trend.slice(1).map((r) => fixed(r.difference, 1)))} J (published ${list(trend.slice(1).map((r) => fixed(r.published_difference, 1)))}):`, '',
    table(found, columns));
  say(`As the model has it, ${place(model)}:`, '', table(model, columns));
}
