// Plots: the tree of columns, units and degrees, values under the pointer, their height; and the files that the page makes.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {documented, open, readCsv, run, runFile, settled, stop, view} from './fixture.mjs';

let cart, bar, cartAddress, barAddress;
before(async () => {
  cart = runFile(documented('docs/model-file.md', 'cart'), 'cart');
  bar = run('four_bar', 'four_bar', '--until', '1');
  [cartAddress, barAddress] = [await view(cart), await view(bar)];
});
after(stop);

async function saved(page, label) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByLabel(label).click()]);
  return {name: download.suggestedFilename(), data: readFileSync(await download.path())};
}
/** Width and height in the head of a PNG. */
const sizeOfPng = (data) => [data.readUInt32BE(16), data.readUInt32BE(20)];
/** How many different colours a PNG shows. */
function colours(page, data) {
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const {data: pixels} = canvas.getImageData(0, 0, image.width, image.height);
    const found = new Set();
    for (let i = 0; i < pixels.length; i += 4) found.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return found.size;
  }, data.toString('base64'));
}

test('columns stand in a tree by element, with units; what the model asks for is plotted at once', async () => {
  const page = await open(cartAddress);
  const groups = await page.$$eval('.columns > details > summary', (all) => all.map((s) => s.firstChild.textContent));
  assert.deepEqual(groups, ['Bodies', 'Joints', 'Springs', 'Tyres', 'Forces, actuators, contacts, drivers of joints']);
  const units = await page.$$eval('.plot', (all) => all.map((plot) => plot.getAttribute('aria-label')));
  assert.deepEqual(units, ['Plot in m', 'Plot in N'], 'one axis for each unit');
  assert.deepEqual(await page.evaluate(() => cardan.app.plots.columns), ['deck.z', 'front_spring.force', 'rear_spring.force', 'front_spring.length', 'fl.load', 'fr.load', 'rl.load', 'rr.load']);
  // A branch that is folded has no columns in the page yet.
  const element = page.locator('.columns details.element', {has: page.locator('summary', {hasText: /^rear_hub$/})});
  assert.equal(await element.locator('input').count(), 0);
  await element.locator('summary').click();
  await page.getByLabel('rear_hub.v', {exact: true}).check();
  assert.match(await element.textContent(), /rear_hub\.qrad.*rear_hub\.vrad\/s/);
  await page.waitForFunction(() => cardan.drawn('rear_hub.v'));
  // Every column has a unit but quaternions.
  const none = await page.evaluate(() => Object.entries(cardan.app.shown[0].scene.units).filter(([column, unit]) => !unit && !/\.q[wxyz]$/.test(column)).map(([column]) => column));
  assert.deepEqual(none, []);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('angles are shown in degrees on request, and rounding of zero as 0', async () => {
  const page = await open(barAddress);
  const csv = readCsv(join(bar, 'trajectory.csv'));
  const angle = csv.column('crank.angle');
  await page.getByLabel('Angles in degrees').check();
  await page.waitForFunction((wanted) => Math.abs((cardan.drawn('crank.angle')?.values[0] ?? 0) - wanted) < 1e-9, (angle[0] * 180) / Math.PI);
  assert.equal(await page.locator('.plot').first().getAttribute('aria-label'), 'Plot in °');
  await page.selectOption('select[aria-label=Element]', 'joint:pinB0');
  await settled(page);
  const cells = await page.$$eval('.values tr', (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.ok(Math.max(...csv.column('pinB0.mz').map(Math.abs)) < 1e-9, 'a pin bears no moment but rounding');
  assert.equal(cells.find(([name]) => name === 'mz')[1], '0');
  assert.equal(cells.find(([name]) => name === 'v')[2], '°/s');
  await page.close();
});

test('the values beside the names are those under the pointer', async () => {
  const page = await open(barAddress);
  const csv = readCsv(join(bar, 'trajectory.csv'));
  const over = await page.locator('.plot .u-over').first().boundingBox();
  await page.mouse.move(over.x + over.width * 0.4, over.y + over.height / 2);
  await page.waitForFunction(() => document.querySelector('.cursor-time').textContent !== '');
  const t = Number((await page.textContent('.cursor-time')).match(/[\d.]+/)[0]);
  assert.ok(Math.abs(t - 0.4) < 0.02, `${t}`);
  const row = csv.column('t').findIndex((time) => Math.abs(time - t) < 1e-6);
  const shown = Number((await page.textContent('.legend .value')).replaceAll('−', '-'));
  assert.ok(Math.abs(shown - csv.column('crank.angle')[row]) < 1e-5, `${shown}`);
  await page.mouse.move(over.x + 20, over.y - 200);
  await page.waitForFunction(() => document.querySelector('.cursor-time').textContent === '');
  const now = Number((await page.textContent('.legend .value')).replaceAll('−', '-'));
  assert.ok(Math.abs(now - csv.column('crank.angle')[0]) < 1e-5);
  await page.close();
});

test('the bar between picture and plots makes the plots larger', async () => {
  const page = await open(barAddress);
  const height = () => page.evaluate(() => document.querySelector('.plot canvas').clientHeight);
  const before = await height();
  const bar = await page.locator('.splitter').boundingBox();
  await page.mouse.move(bar.x + bar.width / 2, bar.y + 3);
  await page.mouse.down();
  await page.mouse.move(bar.x + bar.width / 2, bar.y - 197, {steps: 4});
  await page.mouse.up();
  await page.waitForFunction((h) => document.querySelector('.plot canvas').clientHeight > h + 150, before);
  const dragged = await height();
  await page.locator('.splitter').focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction((h) => document.querySelector('.plot canvas').clientHeight < h - 15, dragged);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('picture and plots are saved as PNG, columns as CSV', async () => {
  const page = await open(barAddress);
  await page.evaluate(() => cardan.app.setLabels(true));
  await settled(page);
  const picture = await saved(page, 'Save the picture as PNG');
  assert.equal(picture.name, 'four-bar.png');
  const canvas = await page.evaluate(() => [cardan.app.stage.canvas.width, cardan.app.stage.canvas.height]);
  assert.deepEqual(sizeOfPng(picture.data), canvas);
  assert.ok((await colours(page, picture.data)) > 100, 'bodies, grid and names are in it');
  const plots = await saved(page, 'Save the plots as PNG');
  assert.equal(plots.name, 'four-bar-plots.png');
  assert.ok((await colours(page, plots.data)) > 20);
  const table = await saved(page, 'Save the plotted columns as CSV');
  const csv = readCsv(join(bar, 'trajectory.csv'));
  const lines = table.data.toString().trimEnd().split('\n');
  assert.equal(lines[0], 't [s],crank.angle [rad]');
  assert.deepEqual(lines.slice(1).map((line) => line.split(',').map(Number)), csv.column('t').map((t, i) => [t, csv.column('crank.angle')[i]]));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('the animation is recorded from start to end as WebM', async () => {
  const page = await open(barAddress);
  const video = await saved(page, 'Record the animation from start to end as WebM');
  assert.equal(video.name, 'four-bar.webm');
  console.log(`video of a second: ${video.data.length} bytes`);
  assert.deepEqual([...video.data.subarray(0, 4)], [0x1a, 0x45, 0xdf, 0xa3], 'the head of WebM');
  assert.ok(video.data.length > 5000);
  // It plays: the browser finds a picture of the stage's size in it.
  const blank = await open('about:blank', {wait: false});
  const size = await blank.evaluate(async (source) => {
    const element = document.createElement('video');
    element.src = `data:video/webm;base64,${source}`;
    await new Promise((done, fail) => {
      element.onloadeddata = done;
      element.onerror = () => fail(new Error(element.error.message));
    });
    return [element.videoWidth, element.videoHeight];
  }, video.data.toString('base64'));
  await blank.close();
  assert.deepEqual(size, await page.evaluate(() => [cardan.app.stage.canvas.width, cardan.app.stage.canvas.height]));
  assert.equal(await page.getByLabel('Record the animation from start to end as WebM').textContent(), 'Video');
  assert.deepEqual(page.complaints, []);
  await page.close();
});
