// The cockpit with the program itself: keys move the machine, and what was driven can be run again.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {after, afterEach, test} from 'node:test';
import {join} from 'node:path';
import {documented, drive, folder, open, program, readCsv, root, stop} from './fixture.mjs';

let page, driven;
const model = (name) => join(root, 'models', `${name}.yaml`);
afterEach(async () => {
  await page?.close();
  driven?.server.kill('SIGTERM');
  await driven?.ended;
});
after(stop);

const state = () => page.evaluate(() => ({
  time: cardan.cockpit.trajectory.newest.time,
  mode: cardan.cockpit.trajectory.newest.mode,
  chassis: Object.fromEntries(['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'].map((suffix) => [suffix, cardan.value(`chassis.${suffix}`)])),
}));
async function begin(name, ...options) {
  driven = await drive(name === 'pole' ? documented('docs/drive.md', name) : model(name), '--out', join(folder, `${name}-drive`), ...options);
  page = await open(driven.address, {width: 640, height: 480}); // a small picture: the renderer here is the processor itself
}
async function hold(key, ms) {
  await page.keyboard.down(key);
  await page.waitForTimeout(ms);
  await page.keyboard.up(key);
}
/** Until the program says that it has stopped: the last frame is the state then. */
async function paused() {
  await page.keyboard.press(' ');
  await page.waitForFunction(() => cardan.cockpit.trajectory.newest.mode === 'paused');
}

test('10 s at the keyboard: the Iltis goes and steers, and the recording gives the same end', async () => {
  await begin('iltis_driven');
  const first = await state();
  const from = Date.now();
  await hold('ArrowUp', 2000);
  await hold('ArrowLeft', 1500);
  await page.keyboard.down('ArrowUp');
  await hold('ArrowRight', 1500);
  await page.keyboard.up('ArrowUp');
  await hold('w', 1000);
  await page.waitForTimeout(1000);
  await hold('ArrowDown', 500);
  await page.waitForTimeout(Math.max(0, 10000 - (Date.now() - from)));
  await paused();
  const last = await state();
  assert.ok(last.time > first.time + 1, `${last.time} s`);
  assert.ok(last.chassis.x - first.chassis.x > 5, `the vehicle has gone ${last.chassis.x - first.chassis.x} m`);
  assert.ok(Math.abs(last.chassis.y - first.chassis.y) > 0.05, `and ${last.chassis.y - first.chassis.y} m to the side`);
  await page.waitForFunction(() => cardan.cockpit.latency.count > 0);
  console.log(`latency, key to frame: ${await page.evaluate(() => cardan.cockpit.latency.toFrame)} ms; loop: ${(await page.innerText('.loop')).replace(/\s+/g, ' ')}`);
  assert.deepEqual(page.complaints, []);
  driven.server.kill('SIGINT');
  await driven.ended;

  const recording = join(folder, 'iltis_driven-drive', 'drive.csv');
  const inputs = readCsv(recording);
  for (const name of ['throttle', 'brake', 'steer']) assert.ok(inputs.column(name).some((value) => value !== 0), `${name} is in the recording`);
  assert.ok(Math.max(...inputs.column('steer')) === 1 && Math.min(...inputs.column('steer')) === -1, 'fully to either side');
  const out = join(folder, 'again');
  execFileSync(program, ['run', model('iltis_driven'), '--input', recording, '--until', String(last.time), '--every', '1000', '--out', out], {stdio: 'ignore'});
  const again = readCsv(join(out, 'trajectory.csv'));
  const end = again.rows.at(-1);
  const found = (suffix) => end[again.names.indexOf(`chassis.${suffix}`)];
  // q and -q are the same attitude; which of them a row has goes by the rows before, which were others.
  const sign = Math.sign(['qw', 'qx', 'qy', 'qz'].reduce((sum, suffix) => sum + found(suffix) * last.chassis[suffix], 0));
  for (const [suffix, value] of Object.entries(last.chassis)) {
    const ran = (suffix.startsWith('q') ? sign : 1) * found(suffix);
    assert.ok(Math.abs(ran - value) <= 1e-9 * (1 + Math.abs(value)), `chassis.${suffix}: driven ${value}, run ${ran}`);
  }
});

test('save, reset and return by the program', async () => {
  await begin('excavator');
  const boom = () => page.evaluate(() => cardan.value('boom_pin.q'));
  const start = await boom();
  await hold('ArrowUp', 1500);
  await page.waitForFunction((start) => Math.abs(cardan.value('boom_pin.q') - start) > 0.02, start);
  await paused();
  const saved = {time: (await state()).time, boom: await boom()};
  await page.keyboard.press('Shift+Digit2');
  await page.keyboard.press(' ');
  await page.waitForFunction((then) => cardan.cockpit.trajectory.newest.time > then + 0.3, saved.time);
  await page.keyboard.press('r');
  await page.waitForFunction((then) => cardan.cockpit.trajectory.newest.time < then, saved.time);
  await paused();
  await page.keyboard.press('2');
  await page.waitForFunction((then) => cardan.cockpit.trajectory.newest.time === then, saved.time);
  assert.equal(await boom(), saved.boom, 'the same bits');
  await page.keyboard.press('.');
  await page.waitForFunction((then) => Math.abs(cardan.cockpit.trajectory.newest.time - then - 0.005) < 1e-9, saved.time);
  assert.deepEqual(page.complaints, []);
});

test('the way of docs/drive.md: a model, its page, the run of what was driven', async () => {
  await begin('pole', '--paused');
  assert.deepEqual(await page.locator('.control kbd').allTextContents(), ['↑', '↓']);
  await page.keyboard.press(' ');
  await holdUntil(['ArrowUp'], () => cardan.input('push') > 5 && cardan.value('rail.q') > 0.01);
  await page.keyboard.press('-');
  await holdUntil(['ArrowDown'], () => cardan.input('push') < -5);
  await paused();
  const last = await page.evaluate(() => [cardan.cockpit.trajectory.newest.time, cardan.value('rail.q'), cardan.value('pin.q')]);
  assert.deepEqual(page.complaints, []);
  driven.server.kill('SIGINT');
  await driven.ended;
  const out = join(folder, 'pole');
  execFileSync(program, ['run', join(folder, 'pole.yaml'), '--input', join(folder, 'pole-drive', 'drive.csv'), '--until', String(last[0]), '--out', out], {stdio: 'ignore'});
  const {rows, names} = readCsv(join(out, 'trajectory.csv'));
  assert.deepEqual(['rail.q', 'pin.q'].map((name) => rows.at(-1)[names.indexOf(name)]), last.slice(1), 'the same bits');
});

test('a page that comes while nothing moves sees where things stand', async () => {
  await begin('excavator', '--paused');
  assert.equal(await page.textContent('.state'), 'paused');
  assert.equal((await state()).time, 0);
  await page.reload();
  await page.waitForFunction(() => window.cardan?.ready && document.querySelector('.state').textContent === 'paused');
});

test('a program that ends is missed and found when it is back', async () => {
  const place = ['--token', 'a-secret-of-the-test'];
  await begin('excavator', ...place);
  const port = new URL(driven.address).port;
  driven.server.kill('SIGINT');
  await driven.ended;
  await page.waitForFunction(() => /lost/.test(document.querySelector('.banner:not([hidden])')?.textContent ?? ''));
  driven = await drive(model('excavator'), '--out', join(folder, 'excavator-drive'), ...place, '--port', port);
  await page.waitForFunction(() => document.querySelector('.banner').hidden && document.querySelector('.state').textContent === 'driving');
  const others = page.complaints.filter((text) => !/WebSocket|ERR_CONNECTION|ERR_EMPTY/.test(text)); // the browser's own words about the loss
  assert.deepEqual(others, []);
});

test('the forklift lifts its load by a slider and drives by its lever', async () => {
  await begin('forklift_driven');
  await page.keyboard.down('ArrowUp');
  await page.waitForFunction(() => cardan.input('travel_lever') === 5 && cardan.value('truck/chassis.vx') > 0.1);
  await page.keyboard.up('ArrowUp');
  await page.keyboard.down('k');
  await page.waitForFunction(() => cardan.input('lift') < 2.3 && cardan.value('truck/load.z') < 3.15);
  await page.keyboard.up('k');
  for (const [name, kind] of [['steer', 'wheel'], ['travel_lever', 'lever'], ['lift', 'slider'], ['tilt', 'slider']]) {
    assert.ok(await page.locator(`.control.${kind}[data-input=${name}]`).count(), `${name} is a ${kind}`);
  }
  assert.deepEqual(page.complaints, []);
});

/** Holds keys until something is so on the page. */
async function holdUntil(keys, found) {
  for (const key of keys) await page.keyboard.down(key);
  await page.waitForFunction(found);
  for (const key of keys) await page.keyboard.up(key);
}

test('the forklift with its load up falls over in a turn at full speed, and stands again after a reset', async () => {
  await begin('forklift_driven');
  await holdUntil(['ArrowUp'], () => cardan.value('truck/chassis.vx') > 4);
  await holdUntil(['ArrowUp', 'ArrowLeft'], () => Math.abs(cardan.value('truck/roll')) > 1);
  await page.waitForFunction(() => /tipped over/.test(document.querySelector('.banner:not([hidden])')?.textContent ?? ''));
  await page.keyboard.press('r');
  await page.waitForFunction(() => document.querySelector('.banner').hidden);
  await page.waitForFunction(() => Math.abs(cardan.value('truck/roll')) < 0.01 && document.querySelector('.state').textContent === 'driving');
  assert.deepEqual(page.complaints, []);
});

test('the excavator digs a bucket of soil, lifts it and lets it fall', async () => {
  await begin('excavator_driven');
  for (const name of ['boom_lever', 'stick_lever', 'bucket_lever', 'swing_lever']) assert.ok(await page.locator(`.control.lever[data-input=${name}]`).count(), name);
  await holdUntil(['ArrowDown'], () => cardan.value('depth') > 0.4);
  await holdUntil(['w'], () => cardan.value('soil') > 300);
  await holdUntil(['w', 'i'], () => cardan.value('soil') > 500);
  await holdUntil(['ArrowUp', 'i'], () => cardan.value('tip_at.z') > 1);
  await holdUntil(['ArrowUp'], () => cardan.value('tip_at.z') > 2);
  assert.ok(await page.evaluate(() => cardan.value('soil') > 300), 'it is in the bucket');
  await holdUntil(['s', 'k'], () => cardan.value('soil') < 50);
  assert.deepEqual(page.complaints, []);
});

test('the hand of the PUMA goes where the levers lead it', async () => {
  await begin('puma_driven');
  const start = await page.evaluate(() => cardan.value('to_x'));
  await holdUntil(['ArrowUp'], () => cardan.value('to_x') > 0.55);
  await holdUntil(['ArrowLeft'], () => cardan.value('to_y') > 0);
  await page.waitForFunction(() => cardan.value('off') < 0.05);
  assert.ok((await page.evaluate(() => cardan.value('to_x'))) > start);
  assert.deepEqual(page.complaints, []);
});
