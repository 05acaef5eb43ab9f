import {code, digits, list, power, table, unique} from './format.mjs';

const sum = (rows, column) => rows.reduce((all, r) => all + Number(r[column]), 0);
const said = (count, what) => (count ? `${count} ${what}` : `none ${what}`);

export function robustness(read, say) {
  say('## Robustness', '',
    'What is lost, and whether it is said (`cardan study robustness`): random mechanisms, places and steps with every method that a formulation has.');
  silentFailures(read, say);
  bearings(read, say);
  lottery(read, say);
}

function silentFailures(read, say) {
  const rows = read('robustness/random_mechanisms.csv');
  const off = read('robustness/random_mechanisms_off.csv');
  const told = off.filter((r) => r.status === 'ok' && Number(r.error) > Number(r.allowed));
  const silent = told.filter((r) => r.silent === '1');
  say('### Silent failures', '',
    `${sum(rows, 'mechanisms')} random mechanisms, masses in half of them from a gram to a ton, 0.4 s with every method, at 0.004 s or the default tolerance. References are \`dopri5\` at 1e−11 in two formulations that agree within`,
    `1e−7, or closed forms; a mechanism that has none is not counted. Off is a run that ends with status ok and differs from it, in sizes of the mechanism or rad, by more than 100 times the largest of its tolerance, the error that it says`,
    `itself, and 1e−8. Of ${sum(rows, 'runs')} runs ${sum(rows, 'ok')} end ok; ${said(sum(rows, 'off'), 'of these are off')}, ${said(sum(rows, 'silent'), 'of them without a warning')}.`, '',
    table(rows, [['kind', (r) => r.kind, 'left'], ['mechanisms', (r) => r.mechanisms], ['runs', (r) => r.runs], ['refused', (r) => r.refused], ['failed', (r) => r.failed],
      ['ok', (r) => r.ok], ['off', (r) => r.off], ['off, not a word', (r) => r.silent], ['far from other formulations', (r) => r.apart], ['of these unwarned', (r) => r.apart_unwarned]]));
  if (silent.length)
    say(`Without a warning: ${list(silent.map((r) => `${code(r.integrator)} on ${code(r.formulation)}, ${r.kind}, ${power(r.error)} where ${power(r.allowed)} is allowed`))}.`);
  say('Most runs that fail are of methods in independent coordinates (`topological`, most rules of `cartesian`), which end at a singular position and name it.',
    'Far from the other formulations is a run whose error is more than 100 times the median of its rule over all formulations, whatever it says of itself: it may be resolved badly and say so by its estimate.');
}

function bearings(read, say) {
  const rows = read('robustness/bearings.csv');
  const off = read('robustness/bearings_off.csv');
  say('### Redundant bearings', '',
    'Mechanisms of one degree of freedom that joints hold more often than needed, each with 100 random sizes, places and orientations and every method, against closed forms over 0.16 s. Off: not counted as one degree of freedom,',
    'an error that falls slower over two halvings of the step than its order less a half (unless below 2e−9), or above 100 times the tolerance.', '',
    table(rows, [['mechanism', (r) => r.mechanism, 'left'], ['runs', (r) => r.runs], ['miscounted', (r) => r.miscounted], ['off', (r) => r.off]]));
  if (off.length)
    say(`Off: ${list(off.map((r) => `${code(r.integrator)} on ${code(r.formulation)}, ${r.kind} (${power(r.coarse)}${r.fine === '' ? '' : `, ${power(r.fine)}`})`))}.`);
}

function lottery(read, say) {
  const rows = read('robustness/lottery.csv');
  const methods = unique(rows.map((r) => `${r.formulation} ${r.integrator}`)).map((name) => rows.filter((r) => `${r.formulation} ${r.integrator}` === name));
  const windows = unique(rows.map((r) => r.windows));
  const cell = (group, count) => {
    const r = group.find((row) => row.windows === count);
    return Number(r.off) ? `${r.lost} (${r.off}${Number(r.off_unsaid) ? `, ${r.off_unsaid} unsaid` : ''})` : r.lost;
  };
  say('### Singular positions as a lottery', '',
    `Rows of windows (four-bars side by side) that pass singular positions, 10 s, ${rows[0].runs} steps from 0.03 to 0.066 s or tolerances from 1e−4 to 1e−9: how many are lost, that is fail or leave the branch. In brackets those that`,
    `stay on it with an angle that is far off, which the run says. Of ${sum(rows, 'runs')} runs ${said(sum(rows, 'lost'), 'are lost')}; ${said(sum(rows, 'off_unsaid'), 'that are far off say nothing')}.`, '',
    table(methods, [['formulation', (g) => code(g[0].formulation), 'left'], ['integrator', (g) => code(g[0].integrator), 'left'], ...windows.map((count) => [`${digits(count)} windows`, (g) => cell(g, count)])]));
}
