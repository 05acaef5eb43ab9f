// The page is what the generator makes of the stored files, and not a word by hand.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {fileURLToPath} from 'node:url';
import {accuracyPage, precisionPicture} from '../accuracy.mjs';
import {parseCsv} from '../accuracy/format.mjs';

const docs = fileURLToPath(new URL('../../', import.meta.url));

test('the page of accuracies is made of the files of the studies', () => {
  assert.equal(readFileSync(`${docs}accuracy.md`, 'utf8'), accuracyPage(`${docs}accuracy`));
});
test('so is its picture', () => {
  const picture = precisionPicture(`${docs}accuracy`);
  if (picture) assert.equal(readFileSync(`${docs}pictures/vehicle_precision.svg`, 'utf8'), picture);
});
test('a study that was not run is named', () => {
  assert.throws(() => accuracyPage('/nowhere'), /given_penalty\.csv is not there/);
});
test('cells may hold commas and quotes', () => {
  assert.deepEqual(parseCsv('a,b\n1,"x, ""y"""\n'), [{a: '1', b: 'x, "y"'}]);
});
