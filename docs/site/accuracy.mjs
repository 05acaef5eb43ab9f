// docs/accuracy.md from the studies' CSV files: node accuracy.mjs [FOLDER] [PAGE]; default docs/accuracy and docs/accuracy.md.
// `make accuracy` runs the studies first. Numbers depend on the program alone, but for times, which are given as ratios; sentences
// that depend on numbers are made of them. One module for each section in accuracy/.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {doubleFourBar} from './accuracy/double_four_bar.mjs';
import {forklift} from './accuracy/forklift.mjs';
import {parseCsv} from './accuracy/format.mjs';
import {cornering, excavator} from './accuracy/machines.mjs';
import {orders} from './accuracy/orders.mjs';
import {puma} from './accuracy/puma.mjs';
import {robustness} from './accuracy/robustness.mjs';
import {stiffDoublePendulum} from './accuracy/stiff_double_pendulum.mjs';
import {stiffStop} from './accuracy/stiff_stop.mjs';
import {suspension} from './accuracy/suspension.mjs';
import {precisionPlot, vehicle} from './accuracy/vehicle.mjs';

const docs = resolve(dirname(fileURLToPath(import.meta.url)), '..');

function reader(folder) {
  const read = (file) => {
    const path = join(folder, file);
    if (!existsSync(path)) throw new Error(`${path} is not there; run the study, or make accuracy`);
    return parseCsv(readFileSync(path, 'utf8'));
  };
  read.has = (file) => existsSync(join(folder, file));
  return read;
}

/** pictures/vehicle_precision.svg beside the page; null where the study has not been run since it makes that. */
export const precisionPicture = (folder) => precisionPlot(reader(folder));

export function accuracyPage(folder) {
  const read = reader(folder);
  const parts = [];
  const say = (...lines) => parts.push(lines.join('\n') + '\n');
  say('# Accuracy', '',
    'What the methods do on published experiments: our numbers beside the published ones. This page is made by `make accuracy`, which runs',
    'every study of `cardan study --list` and writes it from their files (`docs/accuracy/`); nothing on it is typed in. Errors, steps and',
    'iterations are the same on any machine but for rounding; times are ratios between our own runs. The papers are listed with the',
    '[notation](theory/notation.md#papers).');
  for (const section of [doubleFourBar, puma, vehicle, suspension, stiffDoublePendulum, stiffStop, forklift, cornering, excavator, orders, robustness])
    section(read, say);
  return parts.join('\n').replace(/\n{3,}/g, '\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = join(docs, 'accuracy'), page = join(docs, 'accuracy.md')] = process.argv.slice(2);
  writeFileSync(page, accuracyPage(folder));
  const picture = precisionPicture(folder);
  if (picture) writeFileSync(join(dirname(page), 'pictures/vehicle_precision.svg'), picture);
  console.log(page);
}
