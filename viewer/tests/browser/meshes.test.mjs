// Meshes of a robot, STL of bytes and of text and OBJ: shown where the links are, in reports without any file beside them.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {folder, open, program, settled, stop, view} from './fixture.mjs';

after(stop);

const corners = [...Array(8).keys()].map((i) => [i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, i & 4 ? 0.2 : -0.2]);
const squares = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
const triangles = squares.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]);

function stlBytes() {
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.write('solid, but of bytes');
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((triangle, i) => triangle.flatMap((v) => corners[v]).forEach((x, k) => bytes.writeFloatLE(x, 84 + 50 * i + 12 + 4 * k)));
  return bytes;
}
const stlText = () => `solid cube\n${triangles.map((t) => ` facet normal 0 0 0\n  outer loop\n${t.map((v) => `   vertex ${corners[v].join(' ')}\n`).join('')}  endloop\n endfacet\n`).join('')}endsolid cube\n`;
// In millimetres, squares as they are, counted backwards.
const obj = () => `# cube\n${corners.map((p) => `v ${p.map((x) => 1000 * x).join(' ')}\n`).join('')}${squares.map((s) => `f ${s.map((v) => v - 8).join(' ')}\n`).join('')}`;

/** Three cubes side by side on slides that do not move, and one mesh that is not there. */
function robot() {
  const place = join(folder, 'robot');
  mkdirSync(join(place, 'meshes'), {recursive: true});
  writeFileSync(join(place, 'meshes/bytes.STL'), stlBytes());
  writeFileSync(join(place, 'meshes/text.stl'), stlText());
  writeFileSync(join(place, 'meshes/cube.obj'), obj());
  const link = (name, mesh, rgba) => `<link name="${name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><origin xyz="0 0 0.3"/><geometry><mesh filename="package://robot/meshes/${mesh}"/></geometry><material name="${name}"><color rgba="${rgba}"/></material></visual></link>`;
  const joint = (name, x) => `<joint name="j_${name}" type="prismatic"><parent link="base"/><child link="${name}"/><origin xyz="${x} 0 0"/><axis xyz="1 0 0"/></joint>`;
  const file = join(place, 'robot.urdf');
  writeFileSync(file, `<robot name="cubes"><link name="base"/>
    ${link('red', 'bytes.STL', '0.9 0.1 0.1 1')}${link('green', 'text.stl', '0.1 0.8 0.2 1')}${link('blue', 'cube.obj" scale="0.001 0.001 0.001', '0.1 0.2 0.9 1')}
    ${link('lost', 'lost.stl', '1 1 1 1')}
    ${joint('red', -1)}${joint('green', 0)}${joint('blue', 1)}${joint('lost', 3)}</robot>`);
  return file;
}

async function colourAt(page, point) {
  const [x, y] = await page.evaluate((p) => cardan.project(p), point);
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

async function showsTheCubes(page) {
  for (const [x, wanted] of [[-1, 0], [0, 1], [1, 2]]) {
    const colour = await colourAt(page, [x, -0.2, 0.3]);
    const others = [0, 1, 2].filter((i) => i !== wanted);
    assert.ok(others.every((i) => colour[wanted] > colour[i] + 40), `at x = ${x}: ${colour}`);
  }
}

test('meshes of links are shown, and reports hold them', async () => {
  const file = robot();
  const report = join(folder, 'cubes.html');
  const out = join(folder, 'cubes');
  const ran = spawnSync(program, ['run', file, '--until', '0.1', '--out', out, '--report', report], {encoding: 'utf8'});
  assert.equal(ran.status, 0, ran.stderr);
  assert.match(ran.stdout + ran.stderr, /the mesh 'package:\/\/robot\/meshes\/lost.stl' is not shown: the file is not there/);
  const scene = JSON.parse(readFileSync(join(out, 'scene.json'), 'utf8'));
  assert.deepEqual(scene.bodies.map(({geometry}) => geometry.map(({triangles: t}) => t.length / 3)), [[12], [12], [12], []]);
  assert.equal(scene.bodies[0].geometry[0].vertices.length, 24, 'corners that triangles share are there once');

  const page = await open(await view(out));
  await settled(page);
  await showsTheCubes(page);
  assert.deepEqual(page.complaints, []);
  await page.close();

  renameSync(join(folder, 'robot'), join(folder, 'elsewhere'));
  const alone = await open(`file://${report}`);
  await settled(alone);
  await showsTheCubes(alone);
  await alone.close();
  // The model file of the robot names the meshes from where it stands.
  mkdirSync(join(folder, 'models'));
  const model = join(folder, 'models/cubes.yaml');
  execFileSync(program, ['import', join(folder, 'elsewhere/robot.urdf'), '--package', `robot=${join(folder, 'elsewhere')}`, '-o', model], {stdio: 'ignore'});
  assert.match(readFileSync(model, 'utf8'), /mesh: \.\.\/elsewhere\/meshes\/text\.stl/);
  const again = join(folder, 'again');
  execFileSync(program, ['run', model, '--until', '0.1', '--out', again], {stdio: 'ignore'});
  assert.deepEqual(JSON.parse(readFileSync(join(again, 'scene.json'), 'utf8')).bodies, scene.bodies);
});
