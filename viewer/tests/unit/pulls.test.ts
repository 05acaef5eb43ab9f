// Ropes and hydraulic cylinders: a rope reaches from point to point, a rod comes out of a barrel that keeps its length.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Vector3, type Mesh} from 'three';
import {elementsOf} from '../../src/pick';
import {RunView} from '../../src/run_view';
import {runFromTexts} from '../../src/trajectory';

const scene = {
  cardan_scene: 1, name: 'press', planar: false, gravity: [0, 0, -9.81], size: 2,
  ground: {points: [{name: 'jack', kind: 'pull', at: [0, 0, 0]}], geometry: []},
  bodies: [{name: 'ram', mass: 1, center: [0, 0, 1], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], points: [], geometry: []}],
  pulls: [
    {name: 'jack', bodies: ['ground', 'ram'], points: [[0, 0, 0], [0, 0, 1]], cylinder: {bore: 0.08, rod: 0.05, retracted: 0.7}},
    {name: 'rope', bodies: ['ground', 'ram'], points: [[1, 0, 0], [0, 0, 1]]},
  ],
};
const csv = 't,ram.x,ram.y,ram.z,ram.qw,ram.qx,ram.qy,ram.qz,jack.force,rope.force\n0,0,0,1,1,0,0,0,5,1\n1,0,0,1.3,1,0,0,0,5,1\n2,0,0,0.5,1,0,0,0,5,1\n';

/** Radius and reach along its own axis of every mesh of an element. */
function drawn(view: RunView, name: string): {radius: number; from: Vector3; to: Vector3}[] {
  return view.meshes.filter((mesh: Mesh) => mesh.userData.pick.name === name).map((mesh) => ({
    radius: new Vector3().setFromMatrixColumn(mesh.matrix, 0).length(),
    from: new Vector3(0, 0, 0).applyMatrix4(mesh.matrix),
    to: new Vector3(0, 0, 1).applyMatrix4(mesh.matrix),
  }));
}

const near = (a: Vector3, b: number[]) => assert.ok(a.distanceTo(new Vector3(...b)) < 1e-9, `${a.toArray()} is not ${b}`);

test('the rod of a cylinder goes to its end, the barrel keeps its length', () => {
  const view = new RunView(runFromTexts('press', csv, JSON.stringify(scene), null), false);
  for (const [time, length] of [[0, 1], [1, 1.3], [0.5, 1.15]] as const) {
    view.update(time);
    const [rod, barrel] = drawn(view, 'jack');
    near(rod!.to, [0, 0, length]);
    near(barrel!.from, [0, 0, 0]);
    near(barrel!.to, [0, 0, 0.63]);
    assert.ok(Math.abs(rod!.radius - 0.025) < 1e-12 && barrel!.radius > 0.04 && barrel!.radius < 0.06);
  }
  view.update(2); // beyond its stop: it is never longer than the distance of its ends
  near(drawn(view, 'jack')[1]!.to, [0, 0, 0.5]);
});

test('a pull is a rope between its points, listed, picked and with arrows at both ends', () => {
  const view = new RunView(runFromTexts('press', csv, JSON.stringify(scene), null), false);
  view.update(1);
  const ropes = drawn(view, 'rope');
  assert.equal(ropes.length, 1);
  near(ropes[0]!.from, [1, 0, 0]);
  near(ropes[0]!.to, [0, 0, 1.3]);
  const listed = elementsOf(view.scene).filter(({pick}) => pick.kind === 'load').map(({pick, detail}) => `${pick.name} ${detail}`);
  assert.deepEqual(listed, ['jack cylinder', 'rope pull']);
  assert.equal(view.endsOf({kind: 'load', name: 'rope'}).length, 2);
});
