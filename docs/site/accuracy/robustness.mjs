import {code, table} from './format.mjs';

const sum = (rows, column) => rows.reduce((total, row) => total + Number(row[column]), 0);
const none = (number) => (number === 0 ? 'none' : String(number));

export function robustness(read, say) {
  say('## Robustness', '', 'What is lost where steps, places and mechanisms are drawn at random, with every method, and whether a run says so (`cardan study robustness`).');
  randomMechanisms(read('robustness/random_mechanisms.csv'), say);
  bearings(read('robustness/bearings.csv'), say);
  lottery(read('robustness/lottery.csv'), say);
}

function randomMechanisms(rows, say) {
  say(`**Silent failures.** ${sum(rows, 'mechanisms')} random mechanisms, masses in half of them from a gram to a ton, 0.4 s with steps of 0.004 s or the default tolerance. References are`,
    'closed forms of the singular ones, of the others `dopri5` at 1e-11 in two formulations that agree. A run that ends well is off when it is further from it than 100 times the tolerance,',
    'or than 100 times the median error of its rule over the formulations. It says so by a warning, or by an estimate of its own error that is not 100 times too small. Of',
    `${sum(rows, 'ok')} runs that end well ${sum(rows, 'off')} are off; ${none(sum(rows, 'silent'))} of them without a word.`, '',
    table(rows, [
      ['kind', (r) => r.kind, 'left'], ['mechanisms', (r) => r.mechanisms], ['runs', (r) => r.runs], ['refused', (r) => r.refused], ['failed', (r) => r.failed], ['ok', (r) => r.ok],
      ['off', (r) => r.off], ['warned', (r) => r.warned], ['told by its estimate', (r) => r.told], ['not a word', (r) => r.silent]]));
}

function bearings(rows, say) {
  say('**Redundant bearings.** Mechanisms of one degree of freedom that joints hold more often than needed, a millimetre to a kilometre in size, 100 random places and orientations each with every',
    'method, against closed forms: errors of positions and velocities fall over two halvings by the order of the method less a half, or stay within 100 times the tolerance.', '',
    table(rows, [['mechanism', (r) => r.mechanism, 'left'], ['runs', (r) => r.runs], ['degrees of freedom miscounted', (r) => r.miscounted], ['off', (r) => r.off]]));
}

function lottery(rows, say) {
  say(`**Singular positions.** Rows of windows of the double four-bar, 10 s through ten singular positions, 60 steps from 0.03 to 0.066 s or tolerances from 1e-4 to 1e-9: of ${sum(rows, 'runs')} runs`,
    `${none(sum(rows, 'lost'))} fail${sum(rows, 'lost') === 1 ? 's' : ''} or leave${sum(rows, 'lost') === 1 ? 's' : ''} the branch. Far off are those whose crank ends more than 0.3 rad from the closed form, by what the rule errs on the way.`, '',
    table(rows, [
      ['windows', (r) => r.windows], ['formulation', (r) => code(r.formulation), 'left'], ['integrator', (r) => code(r.integrator), 'left'], ['runs', (r) => r.runs], ['lost', (r) => r.lost],
      ['far off', (r) => r.off], ['of them without a word', (r) => r.off_unsaid]]));
}
