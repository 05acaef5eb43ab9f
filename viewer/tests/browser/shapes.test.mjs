// Shapes that the model gives, joints that come and go, and reactions as arrows.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {folder, open, readCsv, readJson, run, settled, stop, turned, view} from './fixture.mjs';

const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const times = [0, 1, 2, 3, 4];

/** A block that moves along x by a metre a second, with a blue box above its centre, and a green column on the ground. */
function shapedResult() {
  const out = join(folder, 'shaped');
  mkdirSync(out);
  const point = {name: 'grip', kind: 'joint', at: [0, 0, 0]};
  writeFileSync(join(out, 'scene.json'), JSON.stringify({
    cardan_scene: 1, name: 'shaped', planar: false, gravity: [0, 0, -9.81], size: 4,
    ground: {
      points: [{name: 'rail', kind: 'joint', at: [0, 0, 0]}],
      geometry: [{shape: 'cylinder', points: [[-2, 0, 0], [-2, 0, 2]], radius: 0.4, color: '#20c040'}],
    },
    bodies: [{
      name: 'block', mass: 1, center: [0, 0, 0], axes, inertia: axes, points: [point, {...point, name: 'far', at: [0, 0, -3]}],
      geometry: [
        {shape: 'box', at: [0, 0, 1], axes, edges: [1, 1, 1], color: '#2040e0'},
        {shape: 'polygon', at: [0, 0, 2.5], axes: [[1, 0, 0], [0, 0, 1], [0, -1, 0]], outline: [[-0.5, -0.5], [0.5, -0.5], [0, 0.5]], thickness: 0.5, color: '#2040e0'},
        {shape: 'pyramid', at: [0, 0, 1]},
      ],
    }],
    joints: [
      {name: 'rail', type: 'prismatic', bodies: ['ground', 'block'], points: [[0, 0, 0], [0, 0, 0]], axes: [[1, 0, 0], [1, 0, 0]], frame: axes},
      {name: 'grip', type: 'spherical', bodies: ['ground', 'block'], points: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 0, 1]], frame: axes, present: false, switches: [1.5, 2.5]},
    ],
  }));
  const rows = times.map((t) => [t, t / 2, 0, 0, 1, 0, 0, 0].join(','));
  writeFileSync(join(out, 'trajectory.csv'), ['t,block.x,block.y,block.z,block.qw,block.qx,block.qy,block.qz', ...rows].join('\n') + '\n');
  writeFileSync(join(out, 'summary.json'), '{"status": "ok"}');
  return out;
}

let shaped, bricard, guide;
before(async () => {
  shaped = await view(shapedResult());
  bricard = run('bricard');
  guide = run('slider_crank');
});
after(stop);

/** The colour of the canvas at a place, CSS pixels. */
async function colourAt(page, [x, y]) {
  const box = await page.locator('.stage canvas').boundingBox();
  const png = (await page.screenshot({clip: {x: box.x + Math.round(x) - 1, y: box.y + Math.round(y) - 1, width: 3, height: 3}})).toString('base64');
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(1, 1, 1, 1).data];
  }, png);
}

test('given shapes are drawn where and as the model says, in place of derived ones', async () => {
  const page = await open(shaped);
  assert.match(await page.textContent('.messages'), /geometry of block\[2\] has the unknown shape 'pyramid'; it is not drawn/);
  for (const t of [0, 4]) {
    await page.evaluate((time) => cardan.seek(time), t);
    await settled(page);
    for (const z of [1, 2.4]) {
      const [r, g, b] = await colourAt(page, await page.evaluate((p) => cardan.project(p), [t / 2, -0.25, z]));
      assert.ok(b > r + 40 && b > g + 40, `blue at ${t} s, height ${z}: ${r} ${g} ${b}`);
    }
    const [r, g, b] = await colourAt(page, await page.evaluate(() => cardan.project([-2, -0.4, 1])));
    assert.ok(g > r + 40 && g > b + 40, `green: ${r} ${g} ${b}`);
  }
  const low = await page.evaluate(() => Math.min(...cardan.app.stage.views[0].extents[0].map((corner) => corner[2])));
  assert.ok(Math.abs(low - 0.5) < 1e-6, `nothing is derived from the hardpoint at z = -3: the shapes begin at ${low}`);
  const box = await page.locator('.stage canvas').boundingBox();
  const at = await page.evaluate(() => cardan.project([2, -0.5, 1]));
  await page.mouse.click(box.x + at[0], box.y + at[1]);
  assert.equal(await page.inputValue('select[aria-label=Element]'), 'body:block');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('bodies can be made see-through', async () => {
  const page = await open(shaped);
  const opacity = () => page.evaluate(() => cardan.app.stage.views[0].meshes.map((mesh) => mesh.material.opacity));
  assert.deepEqual(await opacity(), [1]);
  await page.getByLabel('See-through bodies').check();
  assert.ok((await opacity())[0] < 0.5);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('x');
  assert.deepEqual(await opacity(), [1]);
  await page.close();
});

test('a joint that events attach is there while it holds', async () => {
  const page = await open(shaped);
  for (const [t, there] of [[0, false], [2, true], [3, false]]) {
    await page.evaluate((time) => cardan.seek(time), t);
    await settled(page);
    const names = await page.evaluate(() => Array.from(cardan.app.stage.views[0].jointPoints(), (p) => [p.name, ...p.at]));
    assert.deepEqual(names.find(([name]) => name === 'grip'), there ? ['grip', t / 2, 0, 0] : undefined, `at ${t} s`);
  }
  await page.close();
});

test('arrows point along the reactions of the file, and say how large they are', async () => {
  const page = await open(await view(bricard));
  const scene = readJson(join(bricard, 'scene.json'));
  const csv = readCsv(join(bricard, 'trajectory.csv'));
  const row = 300;
  await page.getByLabel('Reactions').check();
  await page.evaluate((t) => cardan.seek(t), csv.rows[row][0]);
  await settled(page);
  const value = (name) => csv.rows[row][csv.names.indexOf(name)];
  const drawn = await page.evaluate(() => {
    const found = {forces: [], moments: []};
    // The first mesh of each sort holds the shafts: their z axes, by as many as there are joints.
    for (const object of cardan.app.stage.views[0].root.children) {
      if (!(object.name in found) || found[object.name].length > 0 || !object.visible) continue;
      for (let i = 0; i < object.count; ++i) found[object.name].push([...object.instanceMatrix.array.slice(16 * i + 8, 16 * i + 11)]);
    }
    return found;
  });
  for (const [sort, letter] of [['forces', 'f'], ['moments', 'm']]) {
    scene.joints.forEach((joint, i) => {
      const components = ['x', 'y', 'z'].map((axis) => value(`${joint.name}.${letter}${axis}`));
      const inertial = [0, 1, 2].map((k) => components.reduce((sum, c, axis) => sum + c * joint.frame[axis][k], 0));
      const wanted = turned(scene, csv, row, joint.bodies[0], inertial);
      const size = Math.hypot(...wanted);
      if (size < 1e-6) return;
      const shaft = drawn[sort][i];
      const cosine = shaft.reduce((sum, x, k) => sum + x * wanted[k], 0) / size / Math.hypot(...shaft);
      assert.ok(cosine > 1 - 1e-5, `${sort} of ${joint.name}: cosine ${cosine}`);
    });
  }
  const {name} = scene.joints[2];
  await page.selectOption('select[aria-label=Element]', `joint:${name}`);
  const size = (letter) => Math.hypot(...['x', 'y', 'z'].map((axis) => value(`${name}.${letter}${axis}`)));
  await page.waitForFunction(() => / N m$/.test(document.querySelector('.labels .reaction')?.textContent ?? ''));
  const [force, moment] = (await page.textContent('.labels .reaction')).match(/[\d.e−]+(?= N)/g).map((text) => Number(text.replaceAll('−', '-')));
  assert.ok(Math.abs(force - size('f')) < 1e-3 * size('f') && Math.abs(moment - size('m')) < 1e-3 * size('m') + 1e-9, `${force} N, ${moment} N m`);
  assert.match(await page.textContent('.arrow-legend'), /m long:.*force: [\d.]+ N.*moment: [\d.e−]+ N m/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('moments in the plane are arcs around the joint', async () => {
  const page = await open(await view(guide));
  await page.getByLabel('Reactions').check();
  await page.evaluate(() => cardan.seek(0.1));
  await settled(page);
  const meshes = await page.evaluate(() => cardan.app.stage.views[0].root.children.filter((o) => o.name === 'moments').map((o) => o.geometry.type));
  assert.equal(meshes.length, 1, 'one mesh of arcs');
  assert.match(await page.textContent('.arrow-legend'), /force/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});
