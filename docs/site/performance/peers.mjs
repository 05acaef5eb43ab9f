import {digits, list, power, table, unique} from '../accuracy/format.mjs';

const kProblems = {
  windows: () => ['### Windows', '',
    'N windows of rods and pins over 10 s, ten times through positions in which each could go on in two ways; the largest energy error held to the bound, on',
    'the right branch. Cardan\'s joints hold to 1e-8 m, those of others as the last column but one says.'],
  bricard: () => ['### Bricard\'s loop', '', 'Five rods and six hinges, one closure equation redundant, 10 s.'],
  vehicle: () => ['### The Iltis over stairs', '',
    'The vehicle of `models/iltis.yaml`, 8 s: the error is that of the chassis\' height, m RMS over time. MuJoCo and Simbody have its bodies, joints and loops; tyres, leaf springs and shock absorbers',
    'are the same functions for both, called by their engines. DART knows no rods of constant length and is left out.'],
  chain: () => ['### A second of an open chain', '', 'A spatial chain that falls for a second; energy error below a hundredth of a joule for every link.'],
};

function chains(read, say) {
  const rows = read('chains.csv');
  const engines = unique(rows.map((r) => r.engine));
  const at = (links, engine) => rows.find((r) => r.links === links && r.engine === engine)?.seconds ?? '';
  say('### Forward dynamics of an open chain', '', 'One evaluation of accelerations of a spatial chain, us, and in brackets times Cardan:', '',
    table(unique(rows.map((r) => r.links)), [
      ['links', (links) => links],
      ...engines.map((engine) => [engine, (links) => (at(links, engine) === '' ? '' :
        `${digits(1e6 * at(links, engine), 3)}${engine === engines[0] ? '' : ` (${digits(at(links, engine) / at(links, engines[0]))})`}`)])]));
  instructionsOfChains(read, say);
}

function instructionsOfChains(read, say) {
  const counts = read('chain_instructions.csv');
  say('One forward dynamics of a spatial chain in instructions, with Simbody as Debian compiles it, which is without `NDEBUG`; compiled for the machine it runs on it was measured level with Cardan on long chains:', '',
    table(counts, [['links', (r) => r.links], ['Cardan', (r) => Number(r.cardan).toLocaleString('en-US')], ['Simbody', (r) => Number(r.simbody).toLocaleString('en-US')],
      ['ratio', (r) => digits(r.simbody / r.cardan)]]));
}

function problem(rows, say) {
  const held = rows.filter((r) => r.seconds !== '');
  say(...kProblems[rows[0].problem](), '',
    table(rows, [
      ['size', (r) => r.size], ['error, J or m', (r) => r.error], ['engine', (r) => r.engine, 'left'],
      ['time, ms', (r) => (r.seconds === '' ? 'none held it' : digits(1e3 * r.seconds, 3))], ['times Cardan', (r) => digits(r.ratio)],
      ['joints open, m', (r) => (r.violation === '' ? '' : power(r.violation))], ['setting', (r) => r.setting, 'left']]));
  const others = unique(rows.map((r) => r.engine)).slice(1).map((engine) => {
    const ratios = held.filter((r) => r.engine === engine && r.ratio !== '').map((r) => Number(r.ratio)).filter(Number.isFinite);
    return ratios.length ? `${engine} takes ${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))} times the time of Cardan where it holds the error` : `${engine} holds it nowhere`;
  });
  if (others.length) say(`${list(others)}.`);
}

export function peers(read, say, machine, has) {
  if (!has('engines.csv')) {
    say('## Beside other engines', '', 'Not measured yet with the program as it is: `make bench-peers`.');
    instructionsOfChains(read, say);
    return;
  }
  const engines = read('engines.csv');
  const absent = engines.filter((r) => r.there !== 'yes').map((r) => r.engine);
  say('## Beside other engines', '',
    'The same problems in the same run (`make bench-peers`), one thread, interleaved, the least of repeats, each engine with its cheapest setting found by a scan',
    `over solvers, stiffnesses and steps; engines as Debian packages them. Times are of ${machine('peers')}; ratios are what counts.` +
    (absent.length ? ` Not there, and left out: ${list(absent)}.` : ''));
  chains(read, say);
  const rows = read('peers.csv');
  for (const name of unique(rows.map((r) => r.problem))) problem(rows.filter((r) => r.problem === name), say);
}
