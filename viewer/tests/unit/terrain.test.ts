// Planes, height maps, points of contact: where they are drawn, and where forces of contacts act.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Vector3, type BufferGeometry, type Mesh} from 'three';
import {Grid, levelPlane} from '../../src/grid';
import {bodyParts} from '../../src/parts';
import {readScene, type SceneHeights, type Vec} from '../../src/scene';
import {heightsGroup, linesOver, PlanePatch} from '../../src/terrain';
import {RunView} from '../../src/run_view';
import {runFromTexts} from '../../src/trajectory';

const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
function* pointsOf(geometry: BufferGeometry): Generator<Vector3> {
  const at = geometry.getAttribute('position');
  for (let i = 0; i < at.count; ++i) yield new Vector3().fromBufferAttribute(at, i);
}
const near = (a: number, b: number, tolerance: number, what = '') => assert.ok(Math.abs(a - b) <= tolerance, `${what} ${a} is not ${b}`);

test('a plane lies as it is given, faces out of the solid, and its lines go by whole cells', () => {
  const normal: Vec = [0.2, -0.6, 0.9];
  const n = new Vector3(...normal).normalize();
  const at = new Vector3(1, 2, 3);
  const patch = new PlanePatch({at: [1, 2, 3], normal, body: 'ground'}, 0.5, 4, false, true, false, 0.1);
  const before = patch.group.position.clone();
  for (const target of [new Vector3(1, 2, 3), new Vector3(40.3, -7.1, 12), new Vector3(-3, 100, 0)]) {
    patch.moveTo(target);
    patch.group.updateMatrixWorld(true);
    const foot = target.clone().addScaledVector(n, -target.clone().sub(at).dot(n));
    assert.ok(patch.group.position.distanceTo(foot) < 0.5, 'under the place');
    for (const child of patch.group.children) for (const p of pointsOf((child as Mesh).geometry)) near(child.localToWorld(p).sub(at).dot(n), 0, 1e-5);
    const shift = patch.group.position.clone().sub(before);
    // Along two directions at right angles in the plane, each by a multiple of the cell.
    const along = new Vector3(1, 0, 0).addScaledVector(n, -n.x).normalize();
    for (const axis of [along, new Vector3().crossVectors(n, along)]) near((shift.dot(axis) / 0.5) % 1, Math.round((shift.dot(axis) / 0.5) % 1), 1e-9);
  }
  const [mesh] = patch.group.children as Mesh[];
  for (const p of pointsOf(mesh!.geometry)) assert.ok(p.length() > 5.6, 'four corners, 4 m to either side');
  near(new Vector3().fromBufferAttribute(mesh!.geometry.getAttribute('normal'), 0).transformDirection(mesh!.matrixWorld).dot(n), 1, 1e-6);
});

test('in the plane it is a bank below its line', () => {
  const patch = new PlanePatch({at: [0, 1, 0], normal: [0.6, 0.8, 0], body: 'ground'}, 1, 5, false, false, true, 0.2);
  const heights = [...pointsOf((patch.group.children[0] as Mesh).geometry)].map((p) => 0.6 * p.x + 0.8 * p.y);
  near(Math.max(...heights), 0, 1e-6);
  near(Math.min(...heights), -0.2, 1e-6);
  const {normal} = (patch.group.children[0] as Mesh).geometry.attributes;
  assert.ok([...Array(normal!.count).keys()].some((i) => normal!.getX(i) > 0.59 && normal!.getY(i) > 0.79), 'with a face outwards');
});

const map: SceneHeights = {
  at: [-1, 2], spacing: [0.5, 0.25], columns: 4, rows: 3, heights: [0, 1, 0, 2, 1, 3, -1, 0, 0.5, 0, 1, 1],
};
/** On the triangle under x, y. */
function heightOf(x: number, y: number): number {
  const [u, v] = [(x + 1) / 0.5, (y - 2) / 0.25];
  const [i, j] = [Math.min(2, Math.floor(u + 1e-9)), Math.min(1, Math.floor(v + 1e-9))];
  const [p, q] = [u - i, v - j];
  const h = (di: number, dj: number) => map.heights[(j + dj) * 4 + i + di]!;
  return p >= q ? h(0, 0) + p * (h(1, 0) - h(0, 0)) + q * (h(1, 1) - h(1, 0)) : h(0, 0) + q * (h(0, 1) - h(0, 0)) + p * (h(1, 1) - h(0, 1));
}

test('a height map is its triangles, light where it is high', () => {
  const group = heightsGroup(map, 0.2, false);
  const {geometry} = group.children[0] as Mesh;
  assert.equal(geometry.getAttribute('position').count, 12);
  assert.equal(geometry.index!.count, 3 * 2 * 3 * 2);
  for (const p of pointsOf(geometry)) near(p.z, heightOf(p.x, p.y), 1e-6);
  const brightness = (i: number) => geometry.getAttribute('color').getX(i);
  assert.ok(brightness(5) > brightness(3) && brightness(3) > brightness(6), 'heights 3, 2, -1');
  for (let i = 0; i < 12; ++i) assert.ok(geometry.getAttribute('normal').getZ(i) > 0, 'seen from above');
});

test('lines over it lie in the triangles, at round coordinates', () => {
  const lines = linesOver(map, 0.2);
  assert.equal(lines.length % 6, 0);
  const kept = {x: new Set<string>(), y: new Set<string>()};
  for (let i = 0; i < lines.length; i += 6) {
    const [a, b] = [lines.slice(i, i + 3), lines.slice(i + 3, i + 6)] as [Vec, Vec];
    for (const part of [0, 0.3, 0.7, 1]) {
      const [x, y, z] = a.map((v, k) => v + part * (b[k]! - v)) as Vec;
      near(z, heightOf(x, y), 1e-9, `at ${x}, ${y}`);
    }
    if (Math.abs(a[0] - b[0]) < 1e-12) kept.x.add(a[0].toFixed(6));
    else kept.y.add(a[1].toFixed(6));
  }
  assert.deepEqual([...kept.x].map(Number), [-1, -0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4]);
  assert.deepEqual([...kept.y].map(Number), [2, 2.2, 2.4]);
  const long: SceneHeights = {at: [0, 0], spacing: [1, 1], columns: 2001, rows: 2, heights: Array(4002).fill(0)};
  assert.ok(linesOver(long, 0.1).length / 6 < 2001 * 20 + 200 * 3, 'no more than can be told apart');
});

test('the grid lies on the lowest level plane of the ground', () => {
  const plane = (at: Vec, normal: Vec, body = 'ground') => ({name: 'p', plane: {at, normal, body}});
  const source = (roads: unknown[]) => readScene({cardan_scene: 1, gravity: [0, 0, -9.81], size: 2, bodies: [], roads}, []);
  const scene = source([plane([0, 0, 3], [0, 0, 2]), plane([5, 5, 1], [0, 0, 1]), plane([0, 0, -4], [0, 1, 1]), plane([0, 0, -9], [0, 0, 1], 'cart')]);
  const up = new Vector3(0, 0, 1);
  assert.deepEqual(levelPlane(scene, up)?.at, [5, 5, 1]);
  const bounds = {center: new Vector3(0, 0, 2), radius: 1, half: new Vector3(1, 1, 1)};
  assert.equal(new Grid(scene, bounds, up, false).lines.position.z, 1);
  assert.equal(new Grid(source([]), bounds, up, false).lines.position.z, 1, 'else under what is lowest');
  const hills = source([{name: 'hills', grid: map}]);
  assert.equal(new Grid(hills, bounds, up, false).lines.visible, false);
});

test('roads that cannot be read are named', () => {
  const problems: string[] = [];
  const scene = readScene({cardan_scene: 1, gravity: [0, 0, 0], bodies: [], roads: [
    {name: 'a', plane: {at: [0, 0, 0], normal: [0, 0, 0]}}, {name: 'b', grid: {...map, heights: [1, 2]}}, {name: 'c', grid: {...map, rows: 1}}, {name: 'd', grid: map},
    {name: 'e', polyline: [[0, 0], [1, 0]]},
  ]}, problems);
  assert.deepEqual(scene.roads.map(({name}) => name), ['d', 'e']);
  assert.equal(problems.length, 3);
  assert.match(problems.join(' '), /roads\[0\].*normal.*roads\[1\].*heights.*roads\[2\].*rows/);
});

const table = {
  name: 'table', mass: 10, center: [0, 0, 0.5], axes, inertia: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  points: [{name: 'feet', kind: 'contact', at: [1, 0, 0]}, {name: 'feet', kind: 'contact', at: [-1, 0, 0]}, {name: 'knob', kind: 'contact', at: [0, 0, 1], radius: 0.25}],
};
test('points of contact are feet, balls where they have a radius; a plane of a body is a plate on it', () => {
  const source = (body: object) => readScene({
    cardan_scene: 1, gravity: [0, 0, -9.81], size: 2, bodies: [body], roads: [{name: 'top', plane: {at: [0, 0, 0.8], normal: [0, 0, 1], body: 'table'}}],
  }, []);
  const highest = (body: object) => {
    const scene = source(body);
    const parts = bodyParts(scene.bodies[0]!, scene);
    const all = parts.flatMap((part) => [...pointsOf(part.geometry)]);
    return {count: parts.length, top: Math.max(...all.map((p) => p.z)), reach: Math.max(...all.map((p) => p.x)), plate: parts.find((part) => part.opacity === 0.3)};
  };
  const derived = highest(table);
  near(derived.top, 0.75, 1e-6, 'the ball, from the centre');
  assert.ok(derived.reach >= 1, 'out to its feet');
  const [low, high] = [...pointsOf(derived.plate!.geometry)].reduce(([a, b], p) => [Math.min(a, p.z), Math.max(b, p.z)] as [number, number], [9, -9] as [number, number]);
  near(high, 0.3, 1e-6, 'its upper face is the plane');
  assert.ok(low > 0.2);
  const given = highest({...table, geometry: [{shape: 'box', at: [0, 0, 0.5], axes, edges: [0.4, 0.4, 0.4]}]});
  assert.ok(given.reach < 0.5, 'of a body with shapes of its own they are not drawn');
});

test('forces of contacts act where depths are in balance, or furthest against them', () => {
  const scene = {
    cardan_scene: 1, name: 'c', planar: false, gravity: [0, 0, -9.81], size: 2, bodies: [table, {...table, name: 'ball', center: [5, 0, 1], points: []}],
    roads: [{name: 'floor', plane: {at: [0, 0, 0], normal: [0, 0, 1], body: 'ground'}}],
    contacts: [
      {name: 'feet', body: 'table', points: [{at: [1, 0, 0], radius: 0}, {at: [-1, 0, 0], radius: 0}], roads: ['floor']},
      {name: 'hit', body: 'ball', points: [{at: [5, 0, 1], radius: 0.3}], roads: ['hills']},
    ],
  };
  // Turned by a small angle about y, the table's right foot is three times as deep as the left.
  const turn = 0.01;
  const z = 0.5 * Math.cos(turn) - 2 * Math.sin(turn);
  const csv = `${['t', ...['table', 'ball'].flatMap((name) => ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'].map((k) => `${name}.${k}`)), 'feet.fx', 'feet.fy', 'feet.fz', 'hit.fx', 'hit.fy', 'hit.fz'].join(',')}
0,0,0,${z},${Math.cos(turn / 2)},0,${Math.sin(turn / 2)},0,5,0,1,1,0,0,0,0,0,98,30,0,40\n`;
  const view = new RunView(runFromTexts('c', csv, JSON.stringify(scene), '{}'), false);
  view.update(0);
  const acting = view.forces.loads.forces.acting;
  assert.deepEqual(acting.map(({pick}) => pick.name), ['feet', 'hit']);
  const [feet, hit] = acting.map((one) => one.point(view.place, [0, 0, 0]));
  near(feet![0], 0.5 * Math.cos(turn) - 0.5 * Math.sin(turn), 1e-9, 'three to one');
  near(hit![0], 5 - 0.3 * 0.6, 1e-9);
  near(hit![2], 1 - 0.3 * 0.8, 1e-9);
});
