import assert from 'node:assert/strict';
import test from 'node:test';
import {modeColumns, modesFrom, modeTable, periodOf} from '../../src/modes';
import {readScene} from '../../src/scene';

const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const scene = readScene({
  cardan_scene: 1, name: 'm', planar: false, gravity: [0, 0, -9.81], size: 2,
  bodies: [{name: 'a', mass: 1, center: [0, 0, 0], axes, inertia: axes, points: []}],
}, []);
/** Half a turn about z times a third of a turn about x. */
const rotation = [[-1, 0, 0], [0, -Math.cos(2), Math.sin(2)], [0, Math.sin(2), Math.cos(2)]];
const source = {
  modes: [{frequency: 2, natural_frequency: 2.1, damping_ratio: 0.3, rigid: false, unstable: false, shape: {'a.x': [0, 1], 'a.y': [0, 0], 'a.z': [2, 0], 'a.rx': [0, 0], 'a.ry': [0, 0], 'a.rz': [0.5, 0], 'pin.q': [1, 0]}}],
  poses: [{position: [1, 2, 3], rotation}],
};

test('a mode is one period about the position of rest', () => {
  const modes = modesFrom(source, scene, [])!;
  assert.deepEqual(modeColumns(modes, scene), ['t', 'a.x', 'a.y', 'a.z', 'a.qw', 'a.qx', 'a.qy', 'a.qz', 'pin.q']);
  const table = modeTable(modes, 0, 1, scene);
  assert.equal(table.end, periodOf(modes.modes[0]));
  assert.equal(table.end, 0.5);
  const quarter = (table.length - 1) / 4;
  const [, x, y, z, , , , , q] = table.columns;
  assert.ok(Math.abs(x![0]! - 1) > 0.1 && Math.abs(x![quarter]! - 1) < 1e-12, 'a quarter ahead of z');
  assert.ok(y!.slice(0, table.length).every((value) => value === 2));
  assert.ok(Math.abs(z![0]! - 3) < 1e-12 && Math.abs((z![quarter]! - 3) / (x![0]! - 1) - 2) < 1e-12);
  assert.ok(Math.abs(q![quarter]! * 2 - (z![quarter]! - 3)) < 1e-12);
});

test('bodies turn by the small rotation in inertial axes', () => {
  const modes = modesFrom(source, scene, [])!;
  const table = modeTable(modes, 0, 1, scene);
  const quarter = (table.length - 1) / 4;
  const matrix = (row: number) => {
    const [w, x, y, z] = [4, 5, 6, 7].map((c) => table.columns[c]![row]!) as [number, number, number, number];
    return [
      [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ];
  };
  matrix(0).forEach((line, i) => line.forEach((value, k) => assert.ok(Math.abs(value - rotation[i]![k]!) < 1e-12, `at rest ${i} ${k}: ${value}`)));
  const angle = (0.5 * (table.columns[3]![quarter]! - 3)) / 2;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const wanted = [[c, -s, 0], [s, c, 0], [0, 0, 1]].map((row) => [0, 1, 2].map((k) => row.reduce((sum, v, j) => sum + v * rotation[j]![k]!, 0)));
  matrix(quarter).forEach((line, i) => line.forEach((value, k) => assert.ok(Math.abs(value - wanted[i]![k]!) < 1e-12, `turned ${i} ${k}: ${value}`)));
});

test('modes of other bodies are refused', () => {
  const problems: string[] = [];
  assert.equal(modesFrom({...source, poses: []}, scene, problems), null);
  assert.equal(modesFrom('nothing', scene, problems), null);
  assert.equal(problems.length, 2);
});
