// Velocities and accelerations as arrows: a pendulum whose motion is known, on the stage and in a report, in both themes.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {after, before, test} from 'node:test';
import {folder, inOwnPage, open, program, readCsv, runFile, settled, stop, view} from './fixture.mjs';

const [length, g] = [2, 9.81];
/** A rod that falls from the level position about its end, with a marker at the other; and what of it is written. */
function pendulum(name, more = '') {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, `cardan: 1
name: ${name}
planar: true
points: {O: [0, 0], P: [${length}, 0]}
bodies: {arm: {rod: [O, P], mass: 3}}
markers: {tip: {body: arm, at: P}}
joints: {pin: {revolute: [ground, arm], at: O}}
${more}
simulation: {until: 1, step: 0.001}
`);
  return file;
}
/** Of a uniform rod at an angle a from the level: w^2 = 3 g sin(-a)/L, w' = -3/2 g cos(a)/L; at the distance r from the pin. */
function known(a, r) {
  const turning = -Math.sqrt((3 * g * Math.sin(-a)) / length);
  const gain = (-1.5 * g * Math.cos(a)) / length;
  const along = [Math.cos(a), Math.sin(a)];
  const across = [-Math.sin(a), Math.cos(a)];
  return {
    velocity: across.map((x) => r * turning * x),
    acceleration: across.map((x, i) => r * gain * x - r * turning ** 2 * along[i]),
  };
}

let plain, written;
before(() => {
  plain = runFile(pendulum('falling'), 'falling');
  written = runFile(pendulum('told', 'outputs: [arm, arm.ax, arm.ay, tip.ax, tip.ay]'), 'told');
});
after(stop);

/** What every arrow stands for, from where it starts and to where its head goes. */
function arrows(page, motion) {
  return page.evaluate((name) => {
    const [view] = cardan.app.stage.views;
    const [shaft, head] = view.root.children.filter((child) => child.name === name);
    return view.motions.arrows[name].acting.map((one, i) => {
      const ends = [shaft, head].map((mesh, k) => {
        const m = mesh.instanceMatrix.array.slice(16 * i, 16 * i + 16);
        return [0, 1, 2].map((j) => m[12 + j] + (k === 1 ? m[8 + j] : 0));
      });
      return {name: one.pick.name, vector: [...one.vector(view.place, [0, 0, 0])], at: [...one.point(view.place, [0, 0, 0])], from: ends[0], to: ends[1], visible: shaft.visible && head.visible};
    });
  }, motion);
}
const near = (found, wanted, tolerance, what) => wanted.forEach((x, i) => assert.ok(Math.abs(found[i] - x) <= tolerance, `${what}: ${found}, not ${wanted}`));

async function check(page, csv, row, tolerance) {
  const value = (name) => csv.rows[row][csv.names.indexOf(name)];
  await page.evaluate((t) => cardan.seek(t), csv.rows[row][0]);
  await settled(page);
  const legend = await page.textContent('.arrow-legend');
  for (const [motion, unit] of [['velocity', 'm/s'], ['acceleration', 'm/s²']]) {
    const [, reference] = /Arrows, ([\d.]+) m long/.exec(legend);
    const [, stands] = new RegExp(`${motion}: ([\\d.]+) ${unit}(?!²)`).exec(legend);
    const found = await arrows(page, motion);
    assert.deepEqual(found.map(({name}) => name), ['arm', 'tip']);
    for (const [i, r] of [length / 2, length].entries()) {
      const arrow = found[i];
      const wanted = known(value('arm.angle'), r)[motion];
      assert.ok(arrow.visible);
      near(arrow.vector, [...wanted, 0], tolerance * Math.hypot(...wanted), `${motion} of ${arrow.name}`);
      near(arrow.from, [r * Math.cos(value('arm.angle')), r * Math.sin(value('arm.angle')), 0], 1e-5, 'where it is');
      // As long as the legend says, which has three digits.
      const drawn = arrow.to.map((x, k) => x - arrow.from[k]);
      near(drawn, [...wanted, 0].map((x) => (x * reference) / stands), 0.006 * Math.hypot(...drawn), `length of ${motion}`);
    }
  }
}

test('arrows of velocity and acceleration are those of a rod that falls', async () => {
  const page = await open(await view(plain));
  const csv = readCsv(join(plain, 'trajectory.csv'));
  for (const name of ['Velocities', 'Accelerations']) await page.getByLabel(name, {exact: true}).check();
  for (const row of [150, 400, 700, 1000]) await check(page, csv, row, 1e-4);
  // The result has no columns of accelerations, and the panel says what is shown instead.
  assert.match(await page.textContent('.remark'), /Accelerations are differences of velocities/);
  await page.selectOption('select[aria-label=Element]', 'marker:tip');
  await settled(page);
  const row = 1000;
  const {velocity, acceleration} = known(csv.rows[row][csv.names.indexOf('arm.angle')], length);
  const label = await page.textContent('.labels .label.marker');
  const [, speed, gain] = /tip · ([\d.]+) m\/s · ([\d.]+) m\/s²/.exec(label);
  near([Number(speed), Number(gain)], [Math.hypot(...velocity), Math.hypot(...acceleration)], 0.01, label);
  await page.keyboard.press('v');
  await page.keyboard.press('a');
  await settled(page);
  for (const motion of ['velocity', 'acceleration']) assert.ok((await arrows(page, motion)).every(({visible}) => !visible));
  assert.ok(!(await page.isVisible('.arrow-legend')) && !(await page.isVisible('.remark')));
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('columns of accelerations are taken where there are any', async () => {
  const page = await open(await view(written));
  await page.keyboard.press('v');
  await page.keyboard.press('a');
  await settled(page);
  assert.ok(!(await page.isVisible('.remark')));
  const csv = readCsv(join(written, 'trajectory.csv'));
  for (const row of [0, 333, 1000]) {
    await page.evaluate((t) => cardan.seek(t), csv.rows[row][0]);
    await settled(page);
    const [arm, tip] = await arrows(page, 'acceleration');
    near(arm.vector, ['arm.ax', 'arm.ay'].map((name) => csv.rows[row][csv.names.indexOf(name)]), 1e-12, 'centre');
    near(tip.vector, ['tip.ax', 'tip.ay'].map((name) => csv.rows[row][csv.names.indexOf(name)]), 1e-12, 'tip');
  }
  await page.close();
});

/** The colour of the canvas at a place, CSS pixels. */
async function colourAt(page, [x, y]) {
  const box = await page.locator('.stage canvas').boundingBox();
  const png = (await page.screenshot({clip: {x: box.x + Math.round(x), y: box.y + Math.round(y), width: 1, height: 1}})).toString('base64');
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(0, 0, 1, 1).data];
  }, png);
}

test('in a report too, in colours that each theme has for itself', async () => {
  const file = join(folder, 'report.html');
  execFileSync(program, ['run', pendulum('reported'), '--out', join(folder, 'reported'), '--report', file], {stdio: 'ignore'});
  inOwnPage(file);
  const page = await open(pathToFileURL(file).href);
  const csv = readCsv(join(folder, 'reported', 'trajectory.csv'));
  await page.evaluate(() => {
    cardan.app.setMotion('velocity', true);
    cardan.app.setMotion('acceleration', true);
  });
  await page.locator('.stage canvas').scrollIntoViewIfNeeded();
  await check(page, csv, 700, 2e-3); // single precision
  const colours = {};
  for (const theme of ['light', 'dark']) {
    await settled(page);
    const marks = await page.$$eval('.arrow-legend .mark', (all) => all.map((mark) => getComputedStyle(mark).color));
    for (const [i, motion] of ['velocity', 'acceleration'].entries()) {
      const tip = (await arrows(page, motion))[1];
      const at = await page.evaluate((p) => cardan.app.stage.project(p), tip.from.map((x, k) => x + 0.75 * (tip.to[k] - x)));
      const [r, gr, b] = await colourAt(page, at);
      // Lit from one side, but of the hue of its mark: magenta has little green, amber little blue.
      assert.ok(motion === 'velocity' ? Math.min(r, b) > gr + 30 : Math.min(r, gr) > b + 40, `${motion}, ${theme}: ${[r, gr, b]} of ${marks[i]}`);
      colours[`${theme} ${motion}`] = marks[i];
    }
    await page.evaluate(() => cardan.app.theme.toggle());
  }
  assert.equal(new Set(Object.values(colours)).size, 4, JSON.stringify(colours));
  assert.deepEqual(page.complaints, []);
  await page.close();
});
