// Velocities and accelerations of bodies and markers against motions that are known, and what their arrows stand for.
import assert from 'node:assert/strict';
import test from 'node:test';
import {Group, Matrix4, Vector3, type InstancedMesh} from 'three';
import {difference, motionColour, type Motion} from '../../src/motions';
import {elementsOf} from '../../src/pick';
import {RunView} from '../../src/run_view';
import type {Vec} from '../../src/scene';
import {Table} from '../../src/table';
import {runFromTexts} from '../../src/trajectory';

const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const near = (found: ArrayLike<number>, wanted: number[], tolerance: number, what = '') =>
  wanted.forEach((x, i) => assert.ok(Math.abs(found[i]! - x) <= tolerance, `${what}: ${Array.from(found)} is not ${wanted}`));

test('differences are exact for constant second derivatives, at both ends and with steps of any length', () => {
  const table = new Table(2);
  const at = (t: number) => 3 - 2 * t + 0.7 * t * t;
  for (const t of [0, 0.1, 0.15, 0.4, 1]) table.append([t, at(t)]);
  const rate = difference((own, row, out) => {
    out[0] = own.columns[1]![row]!;
    return out;
  });
  for (let row = 0; row < table.length; ++row) near(rate(table, row, [0, 0, 0]), [-2 + 1.4 * table.t[row]!], 1e-12, `row ${row}`);
  const two = new Table(2);
  two.append([0, 1]);
  two.append([0.5, 2]);
  near(rate(two, 0, [0, 0, 0]), [2], 1e-12);
  const one = new Table(2);
  one.append([0, 1]);
  near(rate(one, 0, [0, 0, 0]), [0], 0);
});

// A planar arm of length 2 about the origin with the angle 0.8 sin(3 t), its centre in the middle, a marker at its tip.
const angle = (t: number) => 0.8 * Math.sin(3 * t);
const speed = (t: number) => 2.4 * Math.cos(3 * t);
const gain = (t: number) => -7.2 * Math.sin(3 * t);
/** Velocity and acceleration at a distance from the pin. */
const known: Record<Motion, (t: number, r: number) => Vec> = {
  velocity: (t, r) => [-r * speed(t) * Math.sin(angle(t)), r * speed(t) * Math.cos(angle(t)), 0],
  acceleration: (t, r) => [
    -r * gain(t) * Math.sin(angle(t)) - r * speed(t) ** 2 * Math.cos(angle(t)), r * gain(t) * Math.cos(angle(t)) - r * speed(t) ** 2 * Math.sin(angle(t)), 0,
  ],
};
const scene = {
  cardan_scene: 1, name: 'arm', planar: true, gravity: [0, -9.81, 0], size: 2, ground: {points: [{name: 'pin', kind: 'joint', at: [0, 0, 0]}]},
  bodies: [{name: 'arm', mass: 1, center: [1, 0, 0], axes, points: [{name: 'pin', kind: 'joint', at: [0, 0, 0]}, {name: 'tip', kind: 'marker', at: [2, 0, 0]}], geometry: []}],
};
type Row = (t: number) => number[];
const pose: Row = (t) => [Math.cos(angle(t)), Math.sin(angle(t)), angle(t)];
const rates: Row = (t) => [...known.velocity(t, 1).slice(0, 2), speed(t)];

function armView(step: number, names: string, ...values: Row[]): RunView {
  const rows = Array.from({length: Math.round(1 / step) + 1}, (_, i) => [i * step, ...values.flatMap((row) => row(i * step))].join(','));
  const view = new RunView(runFromTexts('arm', [`t,arm.x,arm.y,arm.angle${names}`, ...rows].join('\n') + '\n', JSON.stringify(scene), '{}'), false);
  for (const motion of ['velocity', 'acceleration'] as const) view.motions.shown[motion] = true;
  return view;
}
function vectorOf(view: RunView, motion: Motion, name: string): Vec {
  const own = view.motions.arrows[motion].acting.find(({pick}) => pick.name === name)!;
  return own.vector(view.place, [0, 0, 0]);
}
/** The largest error over samples and between them. */
function errorOf(view: RunView, motion: Motion, name: string, r: number, times: number[]): number {
  return Math.max(...times.map((t) => {
    view.update(t);
    const [x, y] = vectorOf(view, motion, name);
    const [wantedX, wantedY] = known[motion](t, r);
    return Math.hypot(x - wantedX, y - wantedY);
  }));
}
const samples = [0, 0.2, 0.4, 0.6, 0.8, 1];

test('velocities are those of the columns, at markers with the rotation', () => {
  const view = armView(0.01, ',arm.vx,arm.vy,arm.w', pose, rates);
  assert.equal(view.motions.origin.velocity, 'columns');
  assert.equal(view.motions.origin.acceleration, 'differences');
  assert.ok(errorOf(view, 'velocity', 'arm', 1, samples) < 1e-12);
  assert.ok(errorOf(view, 'velocity', 'tip', 2, samples) < 1e-12);
  const listed = elementsOf(view.scene).filter(({pick}) => pick.kind === 'marker').map(({pick, detail}) => `${pick.name} ${detail}`);
  assert.deepEqual(listed, ['tip on arm']);
  near(view.locate({kind: 'marker', name: 'tip'}, [0, 0, 0])!, [2 * Math.cos(angle(1)), 2 * Math.sin(angle(1)), 0], 1e-12);
});

test('accelerations by differences of velocities are off by the square of the step', () => {
  for (const [name, r] of [['arm', 1], ['tip', 2]] as const) {
    const [coarse, fine] = [0.02, 0.01].map((step) => errorOf(armView(step, ',arm.vx,arm.vy,arm.w', pose, rates), 'acceleration', name, r, samples));
    assert.ok(fine! < 0.02, `${fine}`);
    assert.ok(coarse! / fine! > 3.5 && coarse! / fine! < 4.5, `${name}: ${coarse} and ${fine}`);
  }
});

test('without columns of velocities everything comes from positions, by the same order', () => {
  for (const motion of ['velocity', 'acceleration'] as const) {
    const [coarse, fine] = [0.02, 0.01].map((step) => {
      const view = armView(step, '', pose);
      assert.equal(view.motions.origin[motion], 'differences');
      return errorOf(view, motion, 'tip', 2, [0.2, 0.4, 0.6, 0.8]);
    });
    assert.ok(coarse! / fine! > 3.5 && coarse! / fine! < 4.5, `${motion}: ${coarse} and ${fine}`);
  }
});

test('columns of accelerations are taken as they are', () => {
  const all: Row = (t) => [...known.acceleration(t, 1).slice(0, 2), ...known.acceleration(t, 2).slice(0, 2)];
  const view = armView(0.1, ',arm.vx,arm.vy,arm.w,arm.ax,arm.ay,tip.ax,tip.ay', pose, rates, all);
  assert.equal(view.motions.origin.acceleration, 'columns');
  assert.ok(errorOf(view, 'acceleration', 'arm', 1, samples) < 1e-12);
  assert.ok(errorOf(view, 'acceleration', 'tip', 2, samples) < 1e-12);
});

test('in space a marker of a spinning body goes round: w x r, w x (w x r)', () => {
  const [w, h] = [5, 0.002]; // about an axis that is no axis of the body
  const axis = new Vector3(1, 2, 2).divideScalar(3);
  const arm = new Vector3(0.3, -0.2, 0.5);
  const drawn = {
    cardan_scene: 1, name: 'top', planar: false, gravity: [0, 0, 0], size: 1, ground: {points: []},
    bodies: [{name: 'top', mass: 1, center: [1, 0, 0], axes: [[0, 1, 0], [-1, 0, 0], [0, 0, 1]], points: [{name: 'rim', kind: 'marker', at: [1 + arm.x, arm.y, arm.z]}], geometry: []}],
  };
  const columns = 't,top.x,top.y,top.z,top.qw,top.qx,top.qy,top.qz,top.vx,top.vy,top.vz,top.wx,top.wy,top.wz';
  const rows = Array.from({length: 501}, (_, i) => {
    // The body's axes are the drawn ones turned by w t about the axis: q = q(w t) q(pi/2 about z).
    const [c, s] = [Math.cos((w * i * h) / 2), Math.sin((w * i * h) / 2)];
    const k = Math.SQRT1_2;
    const [qw, qx, qy, qz] = [c, s * axis.x, s * axis.y, s * axis.z];
    return [i * h, 1 + 2 * i * h, 0, 0, k * (qw - qz), k * (qx + qy), k * (qy - qx), k * (qz + qw), 2, 0, 0, w * axis.x, w * axis.y, w * axis.z].join(',');
  });
  const view = new RunView(runFromTexts('top', [columns, ...rows].join('\n') + '\n', JSON.stringify(drawn), '{}'), false);
  for (const t of [0, 0.3, 1]) {
    view.update(t);
    const r = arm.clone().applyAxisAngle(axis, w * t);
    const turning = new Vector3().crossVectors(axis, r).multiplyScalar(w);
    near(vectorOf(view, 'velocity', 'rim'), [turning.x + 2, turning.y, turning.z], 1e-9, `velocity at ${t}`);
    const inward = new Vector3().crossVectors(axis, turning).multiplyScalar(w);
    near(vectorOf(view, 'acceleration', 'rim'), inward.toArray(), 2e-3, `acceleration at ${t}`); // (w h)^2/3 of it at the ends
    near(vectorOf(view, 'acceleration', 'top'), [0, 0, 0], 1e-9);
  }
});

/** Length of the arrow of an element as it is drawn: to the tip of its head. */
function drawnLength(root: Group, motion: Motion, index: number): number {
  const [, head] = root.children.filter((child) => child.name === motion) as InstancedMesh[];
  const matrix = new Matrix4();
  head!.getMatrixAt(index, matrix);
  const tip = new Vector3(0, 0, 1).applyMatrix4(matrix);
  const [shaft] = root.children.filter((child) => child.name === motion) as InstancedMesh[];
  shaft!.getMatrixAt(index, matrix);
  return tip.distanceTo(new Vector3(0, 0, 0).applyMatrix4(matrix));
}

test('arrows are as long as the legend says, the fastest a quarter of the mechanism', () => {
  const view = armView(0.005, ',arm.vx,arm.vy,arm.w', pose, rates);
  view.motions.scale = 2;
  view.update(0.5);
  for (const motion of ['velocity', 'acceleration'] as const) {
    const {length, value} = view.motions.legend(motion);
    assert.equal(length, 0.2);
    const size = Math.hypot(...vectorOf(view, motion, 'tip'));
    assert.ok(Math.abs(drawnLength(view.root, motion, 1) - (size * length) / value) < 1e-5, motion);
    assert.ok(Math.abs(view.motions.size(motion, {kind: 'marker', name: 'tip'}, view.place) - size) < 1e-12);
  }
  view.motions.scale = 1;
  view.update(0); // as fast as it gets
  assert.ok(Math.abs(drawnLength(view.root, 'velocity', 1) - 0.25 * 2) < 0.02);
});

test('what only rounding moves has no arrows, and neither have modes', () => {
  const still = armView(0.01, ',arm.vx,arm.vy,arm.w', () => [1, 0, 0], (t) => [1e-17 * Math.sin(50 * t), 0, 0]);
  still.update(0.3);
  for (const motion of ['velocity', 'acceleration'] as const) {
    assert.equal(still.motions.legend(motion).value, 0);
    assert.equal(still.motions.size(motion, {kind: 'body', name: 'arm'}, still.place), 0);
  }
  const rest = {position: [1, 0, 0], rotation: axes};
  const modes = JSON.stringify({modes: [{frequency: 1, shape: {'arm.angle': [1, 0]}}], poses: [rest]});
  const view = new RunView(runFromTexts('arm', null, JSON.stringify(scene), null, modes), false);
  assert.equal(view.motions.any, false);
});

test('each theme has colours of its own', () => {
  const all = (['velocity', 'acceleration'] as const).flatMap((motion) => [motionColour(motion, false), motionColour(motion, true)]);
  assert.equal(new Set(all).size, 4);
});
