// The page is what the generator makes of the stored files, and not a word by hand.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';
import {fileURLToPath} from 'node:url';
import {performancePage} from '../performance.mjs';

const docs = fileURLToPath(new URL('../../', import.meta.url));

test('the page of performance is made of the files of the benchmarks', () => {
  assert.equal(readFileSync(`${docs}performance.md`, 'utf8'), performancePage(`${docs}performance`));
});
test('what was not measured is named', () => {
  assert.throws(() => performancePage('/nowhere'), /machine\.csv is not there/);
});
