import {code, list, unique, table} from './format.mjs';

const sum = (rows, column) => rows.reduce((total, r) => total + Number(r[column]), 0);
const none = (number, one, more) => (number === 0 ? 'none' : number === 1 ? `1 ${one}` : `${number} ${more}`);

export function robustness(read, say) {
  say('## Robustness', '',
    'Nothing of this is published: what is asked for is that a run that ends well is right, or says that it may not be (`cardan study robustness`).');
  silentFailures(read('robustness/random_mechanisms.csv'), say);
  bearings(read('robustness/bearings.csv'), say);
  lottery(read('robustness/lottery.csv'), say);
}

function silentFailures(rows, say) {
  say('### Silent failures', '',
    `${sum(rows, 'mechanisms')} random mechanisms, masses from a gram to a ton in half of them, 0.4 s with every method: ${sum(rows, 'runs')} runs, steps of 0.004 s or the default`,
    'tolerance, against a reference (closed forms where bars stay parallel, else `dopri5` at 1e-11 in two formulations that agree). A run is off when its error, the largest',
    'of places in sizes of the mechanism or of directions in rad at five instants, is more than 100 times the tolerance and more than 100 times the error that its own summary gives.',
    `Of ${sum(rows, 'ok')} runs that end well ${none(sum(rows, 'off'), 'is', 'are')} off, ${none(sum(rows, 'silent'), 'of them', 'of them')} without a warning.`,
    `${sum(rows, 'apart')} are more than 100 times as far off as the median of their rule over the formulations, ${sum(rows, 'apart_unwarned')} of these without a warning, but with an estimate in the summary that says so.`,
    `Of ${sum(rows, 'failed')} that fail ${sum(rows.filter((r) => r.kind.startsWith('singular')), 'failed')} are of mechanisms with singular positions, which not every method passes.`, '',
    table(rows, [
      ['kind', (r) => r.kind, 'left'], ['mechanisms', (r) => r.mechanisms], ['runs', (r) => r.runs], ['end well', (r) => r.ok], ['fail', (r) => r.failed], ['refused', (r) => r.refused],
      ['off', (r) => r.off], ['off, not a word', (r) => r.silent], ['far from the median', (r) => r.apart], ['of these not warned', (r) => r.apart_unwarned]]));
}

function bearings(rows, say) {
  say('### Redundant bearings', '',
    'Mechanisms of one degree of freedom that joints hold more often than needed, from a millimetre to a kilometre, each in 100 random places and orientations with every method.',
    'Off: not counted as one degree of freedom; or an error against the closed form that falls over two halvings of the step by less than the order less a half, or exceeds 100 tolerances.', '',
    table(rows, [['mechanism', (r) => r.mechanism, 'left'], ['runs', (r) => r.runs], ['miscounted', (r) => r.miscounted], ['off', (r) => r.off]]));
}

function lottery(rows, say) {
  const kinds = unique(rows.map((r) => `${r.formulation} ${r.integrator}`)).map((name) => rows.filter((r) => `${r.formulation} ${r.integrator}` === name));
  const windows = unique(rows.map((r) => r.windows));
  say('### Singular positions as a lottery', '',
    `${list(windows)} windows of a four-bar, 10 s, ${rows[0].runs} steps from 0.03 to 0.066 s each, or as many tolerances from 1e−4 to 1e−9 of \`dopri5\`: ${sum(rows, 'runs')} runs.`,
    'A run is lost when it fails or a coupler ends tilted, and far off when its crank ends more than 0.3 rad from the closed form, by what the rule errs on the way.', '',
    table(kinds, [
      ['formulation', (g) => code(g[0].formulation), 'left'], ['integrator', (g) => code(g[0].integrator), 'left'], ['runs', (g) => sum(g, 'runs')], ['lost', (g) => sum(g, 'lost')],
      ...windows.map((n) => [`far off, ${n}`, (g) => sum(g.filter((r) => r.windows === n), 'off')]), ['far off, not a word', (g) => sum(g, 'off_unsaid')]]));
}
