import {code, digits, ok, range, table} from './format.mjs';

export function stiffStop(read, say) {
  const rows = read('stiff-stop/stiff_stop.csv').filter((r) => r.formulation === 'hybrid');
  const stays = rows.filter((r) => r.penalty_follows === '0');
  const lost = stays.filter((r) => !ok(r)).length;
  const speed = read('stiff-stop/speed.csv').filter((r) => r.step_control === 'error' && r.fixed_over_variable !== '' && r.fixed_over_variable !== 'nan');
  say('## Stiff stop: variable step and variable penalty', '',
    'A four-bar that swings against a stop 500 times stiffer than its spring, `hybrid`, trapezoidal rule; errors of the crank\'s angle over 5 s. `increment` and',
    '`residual` are the measures of [V], with the longest step that it allows, 0.02 s, and at two tolerances (which two it took, it does not say); `energy` is the',
    'measure that it cites, `error` is ours. ' + (lost === stays.length
      ? 'A penalty that does not follow the step ends the run, as the paper says.'
      : `A penalty that does not follow the step ends ${lost} of ${stays.length} runs; the paper says that it fails.`) +
      ` At equal largest error \`error\` takes ${range(speed.map((r) => r.fixed_over_variable), 1)} times fewer iterations than a constant step.`, '',
    table(rows, [
      ['step control', (r) => code(r.step_control), 'left'], ['tolerance or step', (r) => (r.step_control === 'fixed' ? `${digits(r.step)} s` : digits(r.tolerance))],
      ['at most, s', (r) => (r.step_control === 'fixed' ? '' : digits(r.step_max))],
      ['penalty', (r) => (r.penalty === 'automatic' ? 'automatic' : r.penalty_follows === '1' ? 'given, follows' : 'given, stays'), 'left'],
      ['largest error, rad', (r) => (ok(r) ? digits(r.largest_error) : 'failed')], ['steps', (r) => r.steps], ['rejected', (r) => r.rejected], ['iterations', (r) => r.iterations]]));
}
