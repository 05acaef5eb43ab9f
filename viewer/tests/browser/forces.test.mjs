// Arrows of loads, picking of springs, names that leave each other room, triad and numbers of the grid.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {documented, open, readCsv, runFile, settled, stop, view} from './fixture.mjs';

let cart, loader, cartAddress, loaderAddress;
before(async () => {
  cart = runFile(documented('docs/model-file.md', 'cart'), 'cart');
  loader = runFile(documented('docs/viewer.md', 'loader'), 'loader');
  [cartAddress, loaderAddress] = [await view(cart), await view(loader)];
});
after(stop);

/** The load arrows: who, from where, and the vector they stand for. */
function arrows(page, sort) {
  return page.evaluate((name) => {
    const [view] = cardan.app.stage.views;
    return view.forces.loads[name].acting.map((one) => ({name: one.pick.name, at: [...one.point(view.place, [0, 0, 0])], vector: [...one.vector(view.place, [0, 0, 0])]}));
  }, sort);
}
const near = (found, wanted, tolerance, what) => wanted.forEach((x, i) => assert.ok(Math.abs(found[i] - x) <= tolerance, `${what}: ${found}, not ${wanted}`));

test('springs pull at both ends, tyres push where the road is, applied forces act where they do', async () => {
  const page = await open(cartAddress);
  const csv = readCsv(join(cart, 'trajectory.csv'));
  const row = 200; // before the bump
  const value = (name) => csv.rows[row][csv.names.indexOf(name)];
  await page.getByLabel('Loads', {exact: true}).check();
  await page.evaluate((t) => cardan.seek(t), csv.rows[row][0]);
  await settled(page);
  const forces = await arrows(page, 'forces');
  const spring = forces.filter(({name}) => name === 'front_spring');
  assert.equal(spring.length, 2);
  const tension = value('front_spring.force');
  assert.ok(tension < -1000, 'it is pressed together');
  // From the deck downwards to the carrier: pressed, the deck is pushed up and the carrier down.
  assert.ok(spring[0].vector[2] > 0 && spring[1].vector[2] < 0);
  for (const {vector} of spring) assert.ok(Math.abs(Math.hypot(...vector) - Math.abs(tension)) < 1e-6 * Math.abs(tension));
  const tyre = forces.find(({name}) => name === 'fl');
  near(tyre.vector, ['fl.fx', 'fl.fy', 'fl.fz'].map(value), 1e-9 * value('fl.load'), 'force of the road');
  assert.ok(Math.abs(tyre.at[2]) < 0.1 && Math.abs(tyre.at[1] - 0.55) < 1e-6, `at the road: ${tyre.at}`);
  const wind = forces.find(({name}) => name === 'wind');
  near(wind.vector, [-200, 0, 0], 1e-9, 'wind');
  near(wind.at, [value('deck.x') + 1.3, 0, value('deck.z')], 0.05, 'where the wind acts');
  const drawn = await page.evaluate(() => cardan.app.stage.views[0].root.children.filter((o) => o.name === 'load-forces' && o.visible).map((o) => o.count));
  assert.deepEqual(drawn, [9, 9], 'a shaft and a head for two ends of two springs, four tyres and the wind');
  assert.match(await page.textContent('.arrow-legend'), /m long:.*force: [\d.]+ N/);
  const back = await page.evaluate(() => getComputedStyle(document.querySelector('.arrow-legend')).backgroundColor);
  assert.match(back, /^rgb\(/, 'numbers of the grid do not show through it');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a driver of a joint shows its force along the axis that has moved', async () => {
  const page = await open(loaderAddress);
  const csv = readCsv(join(loader, 'trajectory.csv'));
  const row = 200;
  const value = (name) => csv.rows[row][csv.names.indexOf(name)];
  await page.evaluate((t) => cardan.seek(t), csv.rows[row][0]);
  await page.getByLabel('Loads', {exact: true}).check();
  await page.selectOption('select[aria-label=Element]', 'load:jack');
  await settled(page);
  const jack = (await arrows(page, 'forces')).find(({name}) => name === 'jack');
  const line = ['x', 'y', 'z'].map((k) => value(`rod.${k}`) - value(`barrel.${k}`));
  const cosine = line.reduce((sum, x, i) => sum + x * jack.vector[i], 0) / Math.hypot(...line) / Math.hypot(...jack.vector);
  assert.ok(cosine > 1 - 1e-6, `along barrel and rod: ${cosine}`);
  assert.ok(Math.abs(Math.hypot(...jack.vector) - Math.abs(value('jack.effort'))) < 1e-6 * Math.abs(value('jack.effort')));
  assert.match(await page.textContent('.values'), /effort.*N(?! m)/);
  await page.close();
});

test('springs can be picked', async () => {
  const page = await open(cartAddress);
  await page.evaluate(() => cardan.app.setSeeThrough(true));
  const box = await page.locator('.stage canvas').boundingBox();
  const at = await page.evaluate(() => {
    const {stage} = cardan.app;
    const [p, q] = stage.views[0].endsOf({kind: 'spring', name: 'front_spring'});
    return stage.project([0, 1, 2].map((i) => 0.7 * p[i] + 0.3 * q[i]));
  });
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  assert.equal(await page.inputValue('select[aria-label=Element]'), 'spring:front_spring');
  assert.match(await page.textContent('.facts'), /spring between deck and front/);
  assert.match(await page.textContent('.values'), /length.*m.*force.*N/s);
  await page.close();
});

test('names of bodies and joints are shown, and none covers another or what arrows stand for', async () => {
  const page = await open(cartAddress);
  await page.keyboard.press('n');
  await page.keyboard.press('r');
  await page.keyboard.press('l');
  await settled(page);
  const labels = await page.$$eval('.labels .label', (all) => all.filter((e) => e.style.visibility === 'visible').map((e) => ({text: e.textContent, kind: e.className, ...e.getBoundingClientRect().toJSON()})));
  const texts = labels.map(({text}) => text);
  for (const name of ['deck', 'front_axle', 'front_hub', 'rear_hub']) assert.ok(texts.includes(name), `${name} among ${texts}`);
  const box = async (selector) => page.$eval(selector, (e) => e.getBoundingClientRect().toJSON());
  const stage = await box('canvas');
  labels.push({text: 'the legend', kind: 'legend', ...(await box('.arrow-legend'))});
  for (const number of labels.filter(({kind}) => kind.includes('grid-number'))) assert.ok(number.bottom <= stage.bottom + 0.6 && number.right <= stage.right + 0.6, `all of ${number.text}`);
  for (const [i, a] of labels.entries()) {
    for (const b of labels.slice(i + 1)) {
      const apart = a.right <= b.left + 0.6 || b.right <= a.left + 0.6 || a.bottom <= b.top + 0.6 || b.bottom <= a.top + 0.6;
      assert.ok(apart, `${a.text} and ${b.text}`);
    }
  }
  assert.ok(labels.filter(({kind}) => kind.includes('grid-number')).length >= 4, 'numbers of the grid');
  await page.close();
});

test('the numbers of the grid are the coordinates of its lines, and the triad turns with the camera', async () => {
  const page = await open(loaderAddress);
  const numbers = await page.evaluate(() => cardan.app.stage.gridNumbers());
  assert.ok(numbers.length >= 6);
  const values = numbers.map(({at, text}) => ({at, value: Number(text.replace('−', '-').replace(/ m.*$/, ''))}));
  const last = numbers.findIndex(({text}) => text.endsWith('m, x'));
  for (const {at, value} of values.slice(0, last + 1)) assert.ok(Math.abs(at[0] - value) < 1e-9);
  for (const {at, value} of values.slice(last + 1)) assert.ok(Math.abs(at[1] - value) < 1e-9);
  const corner = async () => {
    const box = await page.locator('.stage canvas').boundingBox();
    return (await page.screenshot({clip: {x: box.x, y: box.y + box.height - 84, width: 84, height: 84}})).toString('base64');
  };
  const before = await corner();
  await page.evaluate(() => {
    const {stage} = cardan.app;
    stage.camera.position.applyAxisAngle(stage.camera.up, 0.8);
    stage.controls.update();
  });
  await settled(page);
  assert.notEqual(await corner(), before);
  await page.close();
});
