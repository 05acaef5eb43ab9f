// Modes in motion: from the folder that `cardan modes` writes, and in its report.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {documented, folder, inOwnPage, open, program, readJson, settled, stop, view} from './fixture.mjs';

let out, report, result, scene;
before(() => {
  out = join(folder, 'cart-modes');
  report = join(folder, 'modes.html');
  execFileSync(program, ['modes', documented('docs/model-file.md', 'cart'), '--set', 'speed=0', '--set', 'drag=0', '--out', out, '--report', report], {stdio: 'ignore'});
  inOwnPage(report);
  result = readJson(join(out, 'modes.json'));
  scene = readJson(join(out, 'scene.json'));
});
after(stop);

/** The first mode that swings, and the body and axis that it moves most. */
function swinging() {
  const index = result.modes.findIndex((mode) => !mode.rigid && mode.frequency > 0);
  const {shape} = result.modes[index];
  let most = {size: 0};
  scene.bodies.forEach(({name}, body) => ['x', 'y', 'z'].forEach((letter, axis) => {
    const [re, im] = shape[`${name}.${letter}`];
    if (Math.hypot(re, im) > most.size) most = {size: Math.hypot(re, im), re, im, body, axis};
  }));
  return {index, most};
}

async function moves(page, {by_itself = true} = {}) {
  const {index, most} = swinging();
  const mode = result.modes[index];
  await page.locator(`.modes input[value="${index}"]`).check();
  const row = await page.locator('.modes label', {has: page.locator(`input[value="${index}"]`)}).textContent();
  assert.ok(row.includes(' Hz'), row);
  // The number of the mode stands before it.
  const shown = Number(/([\d.]+) Hz/.exec(row.slice(String(index + 1).length))[1]);
  assert.ok(Math.abs(shown - mode.frequency) < 1e-3 * mode.frequency, row);
  const {start, end} = await page.evaluate(() => ({start: cardan.app.player.start, end: cardan.app.player.end}));
  assert.ok(Math.abs((end - start) * mode.frequency - 1) < 1e-9, 'one period');
  if (by_itself) assert.ok(await page.evaluate(() => cardan.app.player.playing));
  await page.evaluate(() => (cardan.app.player.playing = false));
  const at = async (part) => {
    await page.evaluate((t) => cardan.seek(t), part * end);
    await settled(page);
    return page.evaluate((i) => cardan.app.stage.views[0].poses.position[i], 3 * most.body + most.axis);
  };
  const rest = result.poses[most.body].position[most.axis];
  const [up, down] = [(await at(0.25)) - rest, (await at(0.75)) - rest];
  assert.ok(Math.abs(up + down) < 1e-6 * Math.abs(up), `to and fro: ${up} and ${down}`);
  const [zero, quarter] = [(await at(0)) - rest, up];
  assert.ok(Math.abs(zero * most.re - quarter * most.im) < 1e-6 * most.size * Math.abs(quarter), 'in the phase of the shape');
  assert.ok(Math.abs(up) > 0.01, `visibly: ${up} m`);
  return up;
}

test('cardan view shows every mode of a folder in motion, with frequency and damping', async () => {
  const page = await open(await view(out));
  assert.equal(await page.locator('.modes input').count(), result.modes.length);
  assert.match(await page.textContent('.modes label >> nth=0'), /rigid/, 'the cart can roll away');
  assert.equal(await page.textContent('.messages'), '', 'nothing is missing');
  const first = Number(await page.locator('.modes input:checked').getAttribute('value'));
  assert.equal(first, result.modes.findIndex((mode) => !mode.rigid), 'begins with one that something resists');
  const before = await moves(page);
  // The size of the motion is a matter of taste.
  await page.getByLabel('Size of the motion').evaluate((input) => {
    input.value = '0.3';
    input.dispatchEvent(new Event('input', {bubbles: true}));
  });
  const after = await moves(page, {by_itself: false});
  assert.ok(Math.abs(after / before - 10 ** 0.3) < 1e-6, `${after / before}`);
  assert.match(await page.textContent('.state'), /mode \d+: [\d.]+ Hz, damping ratio [\d.]+/);
  assert.deepEqual(page.complaints.filter((text) => !/404/.test(text)), []);
  await page.close();
});

test('the report of modes has a table and moves', async () => {
  const page = await open(`file://${report}`);
  const rows = await page.$$eval('table.data tbody tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, result.modes.length);
  const {index} = swinging();
  assert.ok(Math.abs(Number(rows[index][1]) - result.modes[index].frequency) < 1e-4 * result.modes[index].frequency);
  await moves(page);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
