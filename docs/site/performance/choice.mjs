import {code, digits, power, table, unique} from '../accuracy/format.mjs';

const kBar = 1.5;

/** What the integrator auto chooses beside the best setting found by hand. */
export function choice(read, say) {
  const rows = read('auto.csv');
  const models = unique(rows.map((r) => r.model));
  const good = (r) => r.status === 'ok' && Number(r.ratio) <= kBar && Number(r.own_error) <= Number(r.error);
  const errors = unique(rows.map((r) => r.error));
  const at = (model, error) => rows.find((r) => r.model === model && r.error === error);
  const all = models.filter((m) => rows.filter((r) => r.model === m).every(good));
  say('## What `auto` chooses', '',
    `With a wanted [error](formulations.md#auto) the integrator \`auto\` chooses by trial runs. Here beside the best of all methods with its best setting, as \`cardan tune\` finds it (\`cardan_auto_choice\`): the`,
    'time of the run in times of that of the best setting; \\* where its error is larger than what was asked for. Trial runs are not in it; how many of such runs they take is in brackets.', '',
    table(models, [
      ['model', (m) => m, 'left'],
      ...errors.map((error) => [power(error), (m) => {
        const r = at(m, error);
        return r ? `${digits(r.ratio)}${Number(r.own_error) > Number(r.error) ? '\\*' : ''} (${digits(r.trial_seconds / r.seconds)})` : '';
      }])]));
  const counted = rows.filter(good).length;
  say(`Within ${kBar} times the best, with the error held, in ${counted} of ${rows.length} cases` +
    (all.length ? `; at all errors on ${all.length} of ${models.length} models` : '') + '. Beyond that:', '',
    table(rows.filter((r) => !good(r)), [
      ['model', (r) => r.model, 'left'], ['error', (r) => power(r.error)], ['best by hand', (r) => `${code(r.best_formulation)} ${code(r.best_integrator)}, ${r.best_setting}`, 'left'],
      ['chosen', (r) => `${code(r.formulation)} ${code(r.integrator)}, ${r.setting}`, 'left'], ['its error', (r) => digits(r.own_error)], ['times the best', (r) => digits(r.ratio)]]));
}
