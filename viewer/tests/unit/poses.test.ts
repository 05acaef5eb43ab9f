import assert from 'node:assert/strict';
import test from 'node:test';
import {Poses} from '../../src/poses';
import {readScene, type Vec} from '../../src/scene';
import {deriveShape, inertiaBox} from '../../src/shapes';
import {Table} from '../../src/table';

const c = Math.cos(0.3), s = Math.sin(0.3);
const scene = readScene({
  cardan_scene: 1, name: 'm', planar: false, gravity: [0, 0, -9.81], size: 2,
  bodies: [{
    name: 'arm', mass: 1, center: [1, 2, 3], axes: [[c, s, 0], [-s, c, 0], [0, 0, 1]], inertia: [[0.001, 0, 0], [0, 1 / 3, 0], [0, 0, 1 / 3]],
    points: [{name: 'pin', kind: 'joint', at: [1 - c, 2 - s, 3]}],
  }],
}, []);
const columns = ['t', 'arm.x', 'arm.y', 'arm.z', 'arm.qw', 'arm.qx', 'arm.qy', 'arm.qz'];

function near(a: ArrayLike<number>, b: ArrayLike<number>, tolerance = 1e-12): void {
  for (let i = 0; i < b.length; ++i) assert.ok(Math.abs(a[i]! - b[i]!) < tolerance, `${Array.from(a)} is not ${Array.from(b)}`);
}

test('drawn points are where they were drawn', () => {
  const poses = new Poses(scene, ['t']);
  assert.deepEqual(poses.missing, ['arm']);
  const at = poses.attach('arm', [1 - c, 2 - s, 3]);
  near(poses.point(at.body, at.local, [0, 0, 0]), [1 - c, 2 - s, 3]);
  near(at.local, [-1, 0, 0]);
});

test('x + R A^T (p - c), between samples by the shorter way', () => {
  const poses = new Poses(scene, columns);
  const table = new Table(columns.length);
  const half = Math.PI / 4; // a quarter turn about z, then the same rotation with the other sign
  table.append([0, 0, 0, 0, Math.cos(half), 0, 0, Math.sin(half)]);
  table.append([1, 2, 0, 0, -Math.cos(half), 0, 0, -Math.sin(half)]);
  table.append([2, NaN, 0, 0, 1, 0, 0, 0]);
  const tip: Vec = [0, 0, 0];
  poses.update(table.locate(0));
  near(poses.point(0, [-1, 0, 0], tip), [0, -1, 0]);
  poses.update(table.locate(0.5));
  near(poses.point(0, [-1, 0, 0], tip), [1, -1, 0]);
  poses.update(table.locate(2));
  near(poses.point(0, [-1, 0, 0], tip), [1, -1, 0]); // no number: stays where it was
});

test('a slender rod reaches to its free end', () => {
  const shape = deriveShape(scene.bodies[0]!, scene, false);
  assert.equal(shape.rods.length, 1);
  const ends = [shape.rods[0]!.from, shape.rods[0]!.to].sort((a, b) => a[0] - b[0]);
  near(ends[0]!, [-1, 0, 0]);
  near(ends[1]!, [1, 0, 0]);
});

test('the box of the same inertia', () => {
  const [a, b, d] = [0.3, 0.5, 0.9];
  const m = 7;
  const i = (x: number, y: number) => (m * (x * x + y * y)) / 12;
  near(inertiaBox(m, [[i(b, d), 0, 0], [0, i(a, d), 0], [0, 0, i(a, b)]])!, [a, b, d]);
  assert.equal(inertiaBox(0, null), null);
});
