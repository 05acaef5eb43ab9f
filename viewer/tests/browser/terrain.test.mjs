// Planes, height maps and points of contact, from models to pixels.
import assert from 'node:assert/strict';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {folder, open, readCsv, runFile, settled, stop, view} from './fixture.mjs';

let slope, hills;
before(() => {
  mkdirSync(join(folder, 'terrain'));
  // Two hills and a hollow, 20 m by 12 m; and a ball on them.
  const height = (i, j) => Math.sin(0.3 * i) * Math.cos(0.25 * j);
  const rows = Array.from({length: 60}, (_, j) => Array.from({length: 100}, (_, i) => height(i, 59 - j).toFixed(5)).join(','));
  writeFileSync(join(folder, 'terrain', 'hills.csv'), rows.join('\n') + '\n');
  writeFileSync(join(folder, 'terrain', 'hills.yaml'), `cardan: 1
name: hills
roads: {hills: {grid: hills.csv, at: [-10, -6], spacing: 0.2}}
bodies: {ball: {sphere: 0.3, at: [0, 0, 1.5], mass: 5}}
joints: {a: {free: [ground, ball]}}
loads: {touch: {contact: [ball, hills], stiffness: 1e5, restitution: 0.3, friction: 0.5}}
simulation: {until: 1.5, step: 5e-4}
`);
  writeFileSync(join(folder, 'terrain', 'slope.yaml'), `cardan: 1
name: slope
roads: {slope: {plane: [0, 0, 0], normal: [-0.5, 0, 1]}}
bodies: {crate: {box: [0.4, 0.3, 0.2], at: [0, 0, 0.2], mass: 5, axes: {z: [-0.5, 0, 1], y: y}}}
joints: {a: {free: [ground, crate]}}
loads: {touch: {contact: [crate, slope], stiffness: 1e5, restitution: 0.1, friction: 0.9}}
simulation: {until: 1, step: 5e-4}
`);
  [slope, hills] = ['slope', 'hills'].map((name) => runFile(join(folder, 'terrain', `${name}.yaml`), name));
});
after(stop);

const shapesOf = (page, name) => page.evaluate((wanted) => {
  const found = [];
  let top = cardan.app.stage.views[0].root;
  while (top.parent) top = top.parent;
  top.traverse((object) => {
    if (object.name !== wanted) return;
    const mesh = object.children[0];
    const at = mesh.geometry.getAttribute('position');
    const points = [];
    object.updateWorldMatrix(true, true);
    for (let i = 0; i < at.count; ++i) {
      const p = [at.getX(i), at.getY(i), at.getZ(i), 1];
      const m = mesh.matrixWorld.elements;
      points.push([0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]));
    }
    found.push(points);
  });
  return found;
}, name);

test('a slope is a patch in its own orientation around what stands on it, and pushes where that stands', async () => {
  const page = await open(await view(slope));
  const csv = readCsv(join(slope, 'trajectory.csv'));
  const last = csv.rows.length - 1;
  const value = (name) => csv.rows[last][csv.names.indexOf(name)];
  await page.evaluate((t) => cardan.seek(t), csv.rows[last][0]);
  await page.getByLabel('Loads', {exact: true}).check();
  await settled(page);
  const planes = await shapesOf(page, 'plane');
  assert.equal(planes.length, 1);
  for (const [x, , z] of planes[0]) assert.ok(Math.abs(z - 0.5 * x) < 1e-4, 'in the plane');
  const reach = (k) => Math.max(...planes[0].map((p) => p[k])) - Math.min(...planes[0].map((p) => p[k]));
  assert.ok(reach(0) > 3 && reach(1) > 3, 'beyond the crate on all sides');
  const [touch] = await page.evaluate(() => {
    const [view] = cardan.app.stage.views;
    return view.forces.loads.forces.acting.map((one) => ({at: [...one.point(view.place, [0, 0, 0])], vector: [...one.vector(view.place, [0, 0, 0])]}));
  });
  assert.ok(Math.abs(touch.vector[2] - 5 * 9.81) < 0.5, `it carries the weight: ${touch.vector}`);
  assert.ok(Math.abs(touch.at[2] - 0.5 * touch.at[0]) < 0.005, `on the slope: ${touch.at}`);
  // Where the crate rests the force is below its mass centre.
  assert.ok(Math.abs(touch.at[0] - value('crate.x')) < 0.02 && Math.abs(touch.at[1] - value('crate.y')) < 0.01, `${touch.at} below ${value('crate.x')}`);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('hills are a surface with the heights of their file, shaded so that they show', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(await view(hills), {colorScheme});
    const [points] = await shapesOf(page, 'heights');
    assert.equal(points.length, 6000);
    for (const [x, y, z] of points) {
      const wanted = Math.sin(0.3 * (x + 10) / 0.2) * Math.cos(0.25 * (y + 6) / 0.2);
      assert.ok(Math.abs(z - wanted) < 1e-4, `${z} at ${x}, ${y}, not ${wanted}`);
    }
    // From above, hill and hollow differ by more than what any lamp does.
    const colour = async (x, y) => {
      await page.evaluate(([px, py]) => {
        const {stage} = cardan.app;
        cardan.app.follow(null);
        stage.controls.target.set(px, py, 0);
        stage.camera.position.set(px, py - 0.01, 6);
        stage.controls.update();
        stage.moved = true;
      }, [x, y]);
      await settled(page);
      const box = await page.locator('.stage canvas').boundingBox();
      const png = (await page.screenshot({clip: {x: box.x + box.width / 2 + 12, y: box.y + box.height / 2 + 12, width: 1, height: 1}})).toString('base64');
      return page.evaluate(async (source) => {
        const image = new Image();
        image.src = `data:image/png;base64,${source}`;
        await image.decode();
        const context = document.createElement('canvas').getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, 1, 1).data[0];
      }, png);
    };
    const hill = await colour(-10 + (0.2 * Math.PI) / 2 / 0.3 + 0.2 * (2 * Math.PI) / 0.3, -6 + (0.2 * 2 * Math.PI) / 0.25);
    const hollow = await colour(-10 + (0.2 * 1.5 * Math.PI) / 0.3, -6 + (0.2 * 2 * Math.PI) / 0.25);
    assert.ok(hill > hollow + 25, `${colorScheme}: ${hill} and ${hollow}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});
