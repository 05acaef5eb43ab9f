import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {gzipSync} from 'node:zlib';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {documented, open, pointAt, projected, readCsv, readJson, root, run, runFile, settled, stop, view} from './fixture.mjs';

let fourBar, bricard, coarse, address, both;
before(async () => {
  fourBar = run('double_four_bar');
  bricard = run('bricard');
  coarse = run('double_four_bar', 'coarse', '--formulation', 'global', '--step', '0.02');
  address = await view(fourBar);
  both = await view(fourBar, coarse, bricard);
});
after(stop);

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

test('the page is below 1 MB gzipped and refers to nothing outside', () => {
  const html = readFileSync(join(root, 'viewer/dist/index.html'));
  const size = gzipSync(html).length;
  console.log(`page: ${html.length} bytes, ${size} gzipped`);
  assert.ok(size < 1e6);
});

test('loads without complaint and the animation advances', async () => {
  const page = await open(address);
  assert.equal(await page.textContent('h1'), 'double-four-bar');
  assert.match(await page.textContent('.method'), /hybrid · trapezoidal/);
  assert.equal(await page.evaluate(() => cardan.time), 0);
  const before = await page.evaluate(() => cardan.projectDrawn('coupler1', [0, 0, 0]));
  await page.click('button[aria-label^="Play"]');
  await page.waitForFunction(() => cardan.time > 0.4);
  const during = await page.evaluate(() => cardan.projectDrawn('coupler1', [0, 0, 0]));
  assert.ok(distance(before, during) > 5, 'the coupler has moved on the screen');
  await page.click('button[aria-label^="Pause"]');
  const held = await page.evaluate(() => cardan.time);
  await page.waitForTimeout(200);
  assert.equal(await page.evaluate(() => cardan.time), held);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('where bodies turn in their places, what turns is plotted first', async () => {
  const page = await open(await view(runFile(documented('docs/recipes.md', 'steering-column'), 'column')));
  assert.deepEqual(await page.evaluate(() => [...cardan.app.plots.columns]), ['wheel_bearing.q']);
  await page.close();
});

for (const name of ['double_four_bar', 'bricard']) {
  test(`scrubbing moves ${name} to the pose of trajectory.csv, within 2 pixels`, async () => {
    const result = name === 'bricard' ? bricard : fourBar;
    const page = await open(`${both}?run=${name}`);
    const scene = readJson(join(result, 'scene.json'));
    const csv = readCsv(join(result, 'trajectory.csv'));
    let worst = 0;
    for (const row of [0, 137, 500, 861, csv.rows.length - 1]) {
      const t = csv.rows[row][0];
      await page.locator('.scrub').evaluate((input, time) => {
        input.value = String(time);
        input.dispatchEvent(new Event('input', {bubbles: true}));
      }, t);
      await settled(page);
      const camera = await page.evaluate(() => cardan.camera());
      for (const body of scene.bodies) {
        for (const p of [...body.points.map((point) => point.at), body.center]) {
          const r = [0, 1, 2].map((i) => p[i] - body.center[i]);
          const local = body.axes.map((axis) => axis[0] * r[0] + axis[1] * r[1] + axis[2] * r[2]);
          const drawn = await page.evaluate(([b, l]) => cardan.projectDrawn(b, l), [body.name, local]);
          worst = Math.max(worst, distance(drawn, projected(camera, pointAt(scene, csv, row, body.name, p))));
        }
      }
    }
    console.log(`largest deviation on the screen: ${worst.toExponential(2)} pixels`);
    assert.ok(worst < 2, `${worst} pixels`);
    await page.close();
  });
}

test('the pixels are where the pose says', async () => {
  const page = await open(address);
  const scene = readJson(join(fourBar, 'scene.json'));
  const csv = readCsv(join(fourBar, 'trajectory.csv'));
  const box = await page.locator('.stage canvas').boundingBox();
  const colour = async (x, y) => page.evaluate(async ([png]) => {
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(1, 1, 1, 1).data];
  }, [(await page.screenshot({clip: {x: box.x + x - 1, y: box.y + y - 1, width: 3, height: 3}})).toString('base64')]);
  for (const row of [0, 80, 210]) {
    await page.evaluate((time) => cardan.seek(time), csv.rows[row][0]);
    await settled(page);
    const camera = await page.evaluate(() => cardan.camera());
    // A third of the way along the crank, which is blue; the background is grey.
    const [x, y] = projected(camera, pointAt(scene, csv, row, 'crank', [0, 0.35, 0])).map(Math.round);
    const [r, , b] = await colour(x, y);
    assert.ok(b > r + 30, `row ${row}: red ${r}, blue ${b} at ${x}, ${y}`);
  }
  await page.close();
});

test('plots show the numbers of the file and are linked to the time', async () => {
  const page = await open(address);
  const csv = readCsv(join(fourBar, 'trajectory.csv'));
  await page.fill('input[type=search]', 'pinB0.f');
  await page.getByLabel('pinB0.fx', {exact: true}).check();
  await page.waitForFunction(() => cardan.drawn('pinB0.fx'));
  const drawn = await page.evaluate(() => cardan.drawn('pinB0.fx'));
  assert.deepEqual(drawn.t, csv.column('t'));
  assert.deepEqual(drawn.values, csv.column('pinB0.fx'));
  await page.evaluate((t) => cardan.seek(t), csv.rows[321][0]);
  const wanted = csv.column('pinB0.fx')[321];
  // The value beside the name follows within a tenth of a second; a busy machine may take longer.
  await page.waitForFunction((value) => {
    const entry = [...document.querySelectorAll('.legend .entry')].find((e) => e.textContent.includes('pinB0.fx'));
    const shown = Number(entry.querySelector('output').textContent.replaceAll('−', '-'));
    return Math.abs(shown - value) <= 1e-5 * Math.abs(value);
  }, wanted);
  // A click in the middle goes to the middle of the time axis.
  const over = page.locator('.plot', {has: page.locator('text=crank.angle')}).locator('.u-over');
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await settled(page);
  assert.ok(Math.abs((await page.evaluate(() => cardan.time)) - 5) < 0.05);
  // Dragging looks closer, a double click shows everything.
  await page.mouse.move(box.x + 0.2 * box.width, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 20, {steps: 5});
  await page.mouse.up();
  await page.waitForFunction(() => cardan.drawn('crank.angle').t.length < 300);
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 20);
  await page.waitForFunction(() => cardan.drawn('crank.angle').t.length > 1000);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('bodies and joints can be picked', async () => {
  const page = await open(address);
  const csv = readCsv(join(fourBar, 'trajectory.csv'));
  await page.evaluate(() => cardan.seek(0.5));
  await settled(page);
  const box = await page.locator('.stage canvas').boundingBox();
  const click = async (p) => {
    await page.mouse.click(box.x + p[0], box.y + p[1]);
    await settled(page);
  };
  await click(await page.evaluate(() => cardan.projectBody('rocker1')));
  assert.equal(await page.inputValue('select[aria-label=Element]'), 'body:rocker1');
  const cell = page.locator('.values tr', {has: page.locator('th', {hasText: /^angle$/})}).locator('.number');
  const row = csv.column('t').findIndex((t) => Math.abs(t - 0.5) < 1e-9);
  const angle = csv.column('rocker1.angle')[row];
  assert.ok(Math.abs(Number((await cell.textContent()).replaceAll('−', '-')) - angle) < 1e-5 * Math.abs(angle) + 1e-6);

  await click(await page.evaluate(() => cardan.projectDrawn('crank', [0.5, 0, 0])));
  assert.equal(await page.inputValue('select[aria-label=Element]'), 'joint:pinB0');
  assert.match(await page.textContent('.facts'), /revolute joint between crank and coupler1/);
  await click([8, 8]);
  assert.equal(await page.inputValue('select[aria-label=Element]'), '');
  await page.close();
});

test('reactions, trails, names and following can be switched on', async () => {
  const page = await open(`${both}?run=bricard`);
  await page.selectOption('select[aria-label=Element]', 'body:rod3');
  await page.getByLabel('Reactions').check();
  await page.getByLabel('Trail of this element').check();
  await page.getByLabel('Names').check();
  await page.getByLabel('Follow').selectOption('body:rod3');
  const before = await page.evaluate(() => cardan.projectBody('rod3'));
  const time = readCsv(join(bricard, 'trajectory.csv')).rows[200][0];
  await page.evaluate((t) => cardan.seek(t), time);
  await settled(page);
  assert.ok(distance(before, await page.evaluate(() => cardan.projectBody('rod3'))) < 1, 'the camera follows it');
  const lengths = await page.evaluate(() => {
    const view = cardan.app.stage.views[0];
    const found = [];
    view.root.traverse((object) => object.isInstancedMesh && object.visible && found.push(object.count));
    return {arrows: found, trail: view.trails.drawn({kind: 'body', name: 'rod3'})};
  });
  assert.ok(lengths.arrows.includes(6), 'an arrow for each of six joints');
  assert.equal(lengths.trail, 201, 'the trail ends at the current sample');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('two runs are overlaid or side by side', async () => {
  const page = await open(`${both}?run=double_four_bar&run=coarse`);
  await page.evaluate(() => cardan.seek(9));
  await settled(page);
  const scene = readJson(join(coarse, 'scene.json'));
  const files = [readCsv(join(fourBar, 'trajectory.csv')), readCsv(join(coarse, 'trajectory.csv'))];
  const camera = await page.evaluate(() => cardan.camera());
  const places = [];
  for (const [i, csv] of files.entries()) {
    const row = csv.column('t').findIndex((t) => Math.abs(t - 9) < 1e-9);
    places.push(projected(camera, pointAt(scene, csv, row, 'coupler2', scene.bodies[4].center)));
    assert.ok(distance(await page.evaluate((r) => cardan.projectBody('coupler2', r), i), places[i]) < 2);
  }
  assert.ok(distance(...places) > 3, 'the formulations differ at 9 s');
  await page.waitForFunction(() => cardan.drawn('crank.angle', 1));
  const second = await page.evaluate(() => cardan.drawn('crank.angle', 1));
  assert.equal(second.values.filter((v) => v != null).length, files[1].rows.length);
  await page.getByLabel('Two runs').selectOption('beside');
  await settled(page);
  const [left, right] = await page.evaluate(() => [cardan.projectBody('crank', 0), cardan.projectBody('crank', 1)]);
  assert.ok(left[0] < camera.width / 2 && right[0] > camera.width / 2, 'each in its own half');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('every control has a name, can be reached by keyboard, and the keys work', async () => {
  const page = await open(both);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll('button, input, select, summary, [tabindex]')]
    .filter((element) => element.offsetParent !== null)
    .filter((element) => !(element.getAttribute('aria-label') || element.labels?.[0]?.textContent || element.textContent.trim()))
    .map((element) => element.outerHTML));
  assert.deepEqual(unnamed, []);
  const wanted = await page.evaluate(() => [...document.querySelectorAll('button, input, select, summary')]
    .filter((element) => element.offsetParent !== null && !element.disabled).length);
  await page.evaluate(() => document.body.focus());
  const seen = new Set();
  for (let i = 0; i < wanted + 20; ++i) {
    await page.keyboard.press('Tab');
    seen.add(await page.evaluate(() => {
      const element = document.activeElement;
      element.dataset.seen ??= String(Math.random());
      return element === document.body ? '' : element.dataset.seen;
    }));
  }
  seen.delete('');
  assert.ok(seen.size >= wanted, `${seen.size} of ${wanted} controls reached`);

  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.ok(Math.abs((await page.evaluate(() => cardan.time)) - 0.02) < 1e-9);
  await page.keyboard.press('ArrowLeft');
  assert.ok(Math.abs((await page.evaluate(() => cardan.time)) - 0.01) < 1e-9);
  await page.keyboard.press('+');
  assert.equal(await page.evaluate(() => cardan.app.player.speed), 2);
  await page.keyboard.press(']');
  assert.notEqual(await page.inputValue('select[aria-label=Element]'), '');
  await page.keyboard.press('Space');
  assert.ok(await page.evaluate(() => cardan.app.player.playing));
  await page.keyboard.press('Space');
  await page.keyboard.press('?');
  assert.ok(await page.locator('dialog').isVisible());
  await page.keyboard.press('Escape');
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press('d');
  assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), theme);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('fits from 360 pixels to 4K, light and dark', async () => {
  for (const [width, height, colorScheme] of [[360, 740, 'dark'], [768, 1024, 'light'], [3840, 2160, 'dark']]) {
    const page = await open(address, {width, height, colorScheme});
    const {scroll, canvas, theme} = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      canvas: document.querySelector('.stage canvas').getBoundingClientRect().toJSON(),
      theme: document.documentElement.dataset.theme,
    }));
    assert.ok(scroll <= width, `${width}: scrolls to ${scroll}`);
    assert.ok(canvas.width > 0.6 * width && canvas.height > 0.3 * height, JSON.stringify(canvas));
    assert.equal(theme, colorScheme);
    const texts = await page.evaluate(() => [...document.querySelectorAll('.transport button')].map((b) => b.getBoundingClientRect().toJSON()));
    for (const box of texts) assert.ok(box.right <= width && box.width >= 28);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});

test('a tap picks', async () => {
  const page = await open(address, {width: 400, height: 800});
  const box = await page.locator('.stage canvas').boundingBox();
  const p = await page.evaluate(() => cardan.projectBody('rocker2'));
  for (const type of ['pointerdown', 'pointerup']) {
    await page.locator('.stage canvas').dispatchEvent(type, {clientX: box.x + p[0], clientY: box.y + p[1], button: 0, pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true});
  }
  assert.equal(await page.inputValue('select[aria-label=Element]'), 'body:rocker2');
  await page.close();
});
