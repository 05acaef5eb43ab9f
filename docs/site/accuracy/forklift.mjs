import {chosen, code, digits, fixed, list, ok, power, range, table, unique} from './format.mjs';

const percent = (value, count) => fixed(100 * Number(value), count);

export function forklift(read, say) {
  const rows = read('forklift-rollover/forklift.csv');
  const of = (formulation, control, step) =>
    rows.find((r) => r.formulation === formulation && r.control === control && (step === undefined || Number(r.step) === step));
  const both = unique(rows.map((r) => r.formulation));
  const finest = Math.min(...rows.filter((r) => r.control === 'fixed').map((r) => Number(r.step)));
  const exact = both.map((f) => of(f, 'fixed', finest));
  const gain = (r) => Number(of(r.formulation, 'fixed', 0.001).iterations) / Number(r.iterations);
  const faster = (r) => Number(r.real_time_factor) / Number(of(r.formulation, 'fixed', 0.001).real_time_factor);
  const coarse = both.map((f) => of(f, 'fixed', 0.01));
  const off = coarse.map((r, i) => 1e3 * Math.abs(r.impact - exact[i].impact));
  say('## Forklift: a rollover with contacts that come and go', '',
    'A forklift reversing at 10 km/h steers fully, lifts its right wheels, tips over and slams into the ground ([V]; `cardan study forklift-rollover`). Its masses, tyres and contacts are not',
    'published, those of the model are assumed. Trapezoidal rule, 22 s; the load is at rest at the end. Where it rests is compared with steps of ' + digits(finest) + ' s in the same formulation. Energy created: largest rise of the mechanical',
    'energy less the work of drivers and motors, of what the machine can lose.', '',
    table(rows, [['formulation', (r) => code(r.formulation), 'left'], ['step control', (r) => code(r.control), 'left'],
      ['step or tolerance', (r) => (r.control === 'fixed' ? `${digits(r.step)} s` : chosen(r.tolerance))], ['steps', (r) => r.steps], ['iterations', (r) => r.iterations], ['those of 0.001 s over these', (r) => (ok(r) ? fixed(gain(r), 1) : '')], ['in time', (r) => (ok(r) ? fixed(faster(r), 1) : '')],
      ['lifts off, s', (r) => fixed(r.lift_off, 3)], ['hits the ground, s', (r) => fixed(r.impact, 3)], ['rests off by, mm', (r) => (ok(r) ? digits(1e3 * r.rest_off) : 'failed')],
      ['energy created, %', (r) => percent(r.created, 3)]]), '',
    `Published: a constant step of 0.01 s crashes soon, 0.001 s works. Here ${coarse.every(ok)
      ? `0.01 s runs through in ${list(both.map(code))} and hits the ground ${range(off)} ms off, resting ${range(coarse.map((r) => 1e3 * r.rest_off))} mm off; ` +
        'the run warns that the energy balance jumps in the step of the impact. So the motion up to the impact is right, what follows is wrong by centimetres and the run says so, but it does not crash as in the paper.'
      : `0.01 s fails in ${list(coarse.filter((r) => !ok(r)).map((r) => code(r.formulation)))}, as it does there.`}`, '',
    'Steps by the error as exact as steps of 0.001 s in where the load rests, from the first tolerance on below which all are: ' + list(both.map((f) => {
      const plain = of(f, 'fixed', 0.001), by = rows.filter((r) => r.formulation === f && r.control === 'error');
      const good = (r) => ok(r) && Number(r.rest_off) <= Number(plain.rest_off);
      const first = by.find((r, i) => by.slice(i).every(good));
      return first ? `${code(f)} with ${chosen(first.tolerance)}, ${fixed(gain(first), 1)} times fewer iterations, ${fixed(faster(first), 1)} times faster (${digits(1e3 * first.rest_off)} instead of ${digits(1e3 * plain.rest_off)} mm)` : `${code(f)} with none of these`;
    })) + '. The place of rest scatters: how far the load slides depends on the instant and speed of the impact, and errors of one tolerance add up by chance. ' +
      `On one core the run with steps of 0.001 s is ${range(both.map((f) => of(f, 'fixed', 0.001).real_time_factor), 2)} times as fast as the machine falls.`);

  const counts = read('forklift-rollover/counts.csv');
  say('', `The machine has ${counts[0].degrees_of_freedom} degrees of freedom and ${counts[0].driven} guided motions, as published. [V] counts 101 mixed coordinates with 103 constraints, 13 of them redundant; points and unit`,
    'vectors that neighbours share leave none of these here. Built as such machines are, with two hinges and rails of the mast and two bearings of a wheel, it has redundant ones, which are counted, named and change nothing:', '',
    table(counts, [['machine', (r) => r.machine, 'left'], ['formulation', (r) => code(r.formulation), 'left'], ['coordinates', (r) => r.coordinates], ['constraints', (r) => r.constraints],
      ['redundant', (r) => r.redundant], ['degrees of freedom', (r) => r.degrees_of_freedom], ['guided', (r) => r.driven], ['redundant ones', (r) => r.names.replaceAll('; ', ', '), 'left']]));

  const penalties = read('forklift-rollover/penalties.csv');
  const given = penalties.filter((r) => r.penalty !== 'automatic');
  const pairs = given.filter((r) => r.kept === 'follows').map((r) => [r, given.find((o) => o.kept === 'kept' && o.formulation === r.formulation && o.penalty === r.penalty)]);
  const needed = pairs.filter(([follows, kept]) => ok(follows) && !ok(kept));
  const harmful = pairs.filter(([follows, kept]) => !ok(follows) && ok(kept));
  const automatic = (kept) => penalties.filter((r) => r.penalty === 'automatic' && ok(r) && (r.kept === 'kept') === kept).map((r) => code(r.formulation));
  say('', '### The penalty must follow the step', '',
    'Steps chosen by the increment, tolerance 1e−5, from 1e−4 to 0.02 s as in the paper, the first one 0.02 s; one penalty for all constraints that serves there, following the step by',
    '$\\alpha\\leftarrow\\alpha\\,(h_{old}/h_{new})^2$ or kept. ' + (needed.length
      ? `With ${list(both.map((f) => `${list(needed.filter(([r]) => r.formulation === f).map(([r]) => power(r.penalty)))} in ${code(f)}`))} the penalty that follows carries the run through, and the one that is kept ends it ` +
        `at ${range(needed.map(([, kept]) => kept.until), 3)} s, where the load meets the ground and steps become short: [V]'s finding.`
      : 'No penalty of the list needs the rule.') +
      (harmful.length ? ` With ${list(harmful.map(([r]) => `${power(r.penalty)} (${code(r.formulation)})`))} it is the other way round.` : '') +
      ` Weaker ones fail either way, the strongest carries both. Automatic penalties that follow the step carry ${list(automatic(false))}` +
      (automatic(true).length ? `, kept they carry ${list(automatic(true))}.` : ', kept they carry neither.'), '',
    table(penalties, [['formulation', (r) => code(r.formulation), 'left'], ['penalty at 0.02 s', (r) => (r.penalty === 'automatic' ? 'automatic' : power(r.penalty))],
      ['with the step', (r) => r.kept, 'left'], ['steps', (r) => r.steps], ['rejected', (r) => r.rejected], ['iterations', (r) => r.iterations], ['until, s', (r) => fixed(r.until, 2)],
      ['result', (r) => (ok(r) ? 'ok' : 'failed'), 'left']]));
}
