// Where the camera is: bodies are found on a long road, followed, and gone near to; and they look as the model says they are.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {documented, open, readCsv, readJson, runFile, settled, stop, view} from './fixture.mjs';

let cart, loader, cartAddress, loaderAddress;
before(async () => {
  cart = runFile(documented('docs/model-file.md', 'cart'), 'cart');
  loader = runFile(documented('docs/viewer.md', 'loader'), 'loader');
  [cartAddress, loaderAddress] = [await view(cart), await view(loader)];
});
after(stop);

/** The box around all bodies on the screen, in parts of the canvas: from 0, 0 above left to 1, 1. */
function framed(page) {
  return page.evaluate(() => {
    const {stage} = cardan.app;
    const [view] = stage.views;
    const box = {left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity};
    view.extents.forEach((corners, i) => {
      for (const corner of corners) {
        const [x, y] = stage.project([...view.poses.point(i, corner, [0, 0, 0])]);
        box.left = Math.min(box.left, x / stage.canvas.clientWidth);
        box.right = Math.max(box.right, x / stage.canvas.clientWidth);
        box.top = Math.min(box.top, y / stage.canvas.clientHeight);
        box.bottom = Math.max(box.bottom, y / stage.canvas.clientHeight);
      }
    });
    return box;
  });
}
function assertWellFramed(box, what) {
  assert.ok(box.left > 0 && box.right < 1 && box.top > 0 && box.bottom < 1, `${what}: all in the picture: ${JSON.stringify(box)}`);
  assert.ok(Math.max(box.right - box.left, box.bottom - box.top) > 0.45, `${what}: not lost in it: ${JSON.stringify(box)}`);
}

test('a vehicle on a road of 300 m is framed at the start and followed to the end', async () => {
  const page = await open(cartAddress);
  const csv = readCsv(join(cart, 'trajectory.csv'));
  assert.ok(csv.column('deck.x').at(-1) > 30, 'it goes far');
  assert.equal(await page.getByLabel('Follow').inputValue(), 'body:', 'all bodies are followed unasked');
  for (const t of [0, 1.5, 3]) {
    await page.evaluate((time) => cardan.seek(time), t);
    await settled(page);
    assertWellFramed(await framed(page), `at ${t} s`);
  }
  // Back to everything means to where the bodies are now.
  await page.evaluate(() => cardan.app.stage.viewpoint.shift(cardan.app.stage.camera.position.clone().set(40, 30, 0)));
  await page.keyboard.press('c');
  await settled(page);
  assertWellFramed(await framed(page), 'after C');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('Follow brings an element into the middle and keeps it there', async () => {
  const page = await open(cartAddress);
  await page.getByLabel('Follow').selectOption('tyre:rl');
  for (const t of [0, 2, 3]) {
    await page.evaluate((time) => cardan.seek(time), t);
    await settled(page);
    const [x, y] = await page.evaluate(() => {
      const {stage} = cardan.app;
      const at = stage.project(stage.views[0].locate({kind: 'tyre', name: 'rl'}, [0, 0, 0]));
      return [at[0] / stage.canvas.clientWidth, at[1] / stage.canvas.clientHeight];
    });
    assert.ok(Math.hypot(x - 0.5, y - 0.5) < 0.01, `at ${t} s: ${x}, ${y}`);
  }
  await page.close();
});

test('Z goes near what is picked', async () => {
  const page = await open(loaderAddress);
  const size = () => page.evaluate(() => {
    const {stage} = cardan.app;
    const ends = [[0.71, 0, 0.429], [1.1, 0, 1.04]].map((p) => stage.project(p));
    return Math.hypot(ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]) / stage.canvas.clientHeight;
  });
  const before = await size();
  await page.selectOption('select[aria-label=Element]', 'body:rod');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('z');
  await settled(page);
  const after = await size();
  assert.ok(after > 1.5 * before && after > 0.5, `${before} of the height before, ${after} after`);
  await page.close();
});

test('roads are as wide as the tracks of their wheels', async () => {
  const page = await open(cartAddress);
  const [low, high] = await page.evaluate(() => {
    let road = null;
    cardan.app.stage.three.traverse((object) => (road = object.name === 'road' ? object : road));
    road.children[0].geometry.computeBoundingBox();
    const {min, max} = road.children[0].geometry.boundingBox;
    return [min.y, max.y];
  });
  // Wheels of radius 0.3 at y = +-0.55; a tyre is drawn half a radius wide.
  assert.ok(low < -0.55 - 0.07 && low > -0.85 && high > 0.55 + 0.07 && high < 0.85, `${low} to ${high}`);
  await page.close();
});

test('bodies are drawn as the boxes and cylinders that they are', async () => {
  const page = await open(loaderAddress);
  const scene = readJson(join(loader, 'scene.json'));
  const extents = await page.evaluate(() => cardan.app.stage.views[0].extents.map((corners) => [0, 1, 2].map((k) => Math.max(...corners.map((c) => c[k])) - Math.min(...corners.map((c) => c[k])))));
  const near = (name, wanted) => {
    const found = extents[scene.bodies.findIndex((body) => body.name === name)];
    for (let k = 0; k < 3; ++k) assert.ok(Math.abs(found[k] - wanted[k]) < 2e-3, `${name}: ${found}`);
  };
  near('boom', [2.3, 0.12, 0.18]);
  near('barrel', [Math.hypot(0.36, 0.564), 0.12, 0.12]);
  near('rod', [Math.hypot(0.39, 0.611), 0.066, 0.066]);
  const colours = await page.evaluate(() => cardan.app.stage.views[0].meshes.filter((mesh) => mesh.userData.pick.kind === 'body').map((mesh) => [mesh.userData.pick.name, mesh.material.opacity]));
  assert.deepEqual(colours, [['boom', 1], ['barrel', 1], ['rod', 1]], 'one solid part each, no box in place of them');
  await page.close();
});
