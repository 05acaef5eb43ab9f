import assert from 'node:assert/strict';
import {test} from 'node:test';
import {givenGeometry} from '../../src/geometry';
import {holds} from '../../src/joint_marks';
import {readScene, type SceneGeometry, type SceneJoint, type Vec} from '../../src/scene';

const axes: [Vec, Vec, Vec] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const look = {colour: null, opacity: 1};

function boundsOf(shape: SceneGeometry, body: {center: Vec; axes: [Vec, Vec, Vec]}, thickness = 0): number[] {
  const geometry = givenGeometry(shape, body, thickness);
  geometry.computeBoundingBox();
  const {min, max} = geometry.boundingBox!;
  return [...min.toArray(), ...max.toArray()].map((x) => Math.round(1e6 * x) / 1e6 + 0);
}

test('given shapes come into the axes of their body', () => {
  // The body's x is inertial y; its centre is at (1, 0, 0).
  const body = {center: [1, 0, 0] as Vec, axes: [[0, 1, 0], [-1, 0, 0], [0, 0, 1]] as [Vec, Vec, Vec]};
  assert.deepEqual(boundsOf({...look, shape: 'box', at: [1, 2, 0], axes, edges: [2, 4, 6]}, body), [0, -1, -3, 4, 1, 3]);
  assert.deepEqual(boundsOf({...look, shape: 'cylinder', points: [[1, 0, 0], [1, 3, 0]], radius: 0.5}, body), [0, -0.5, -0.5, 3, 0.5, 0.5]);
  assert.deepEqual(boundsOf({...look, shape: 'capsule', points: [[1, 0, 0], [1, 3, 0]], radius: 0.5}, body), [-0.5, -0.5, -0.5, 3.5, 0.5, 0.5]);
  const polygon: SceneGeometry = {...look, shape: 'polygon', at: [1, 0, 0], axes, outline: [[0, 0], [0, 2], [1, 0]], thickness: 0.4};
  assert.deepEqual(boundsOf(polygon, body), [0, -1, -0.2, 2, 0, 0.2]);
  assert.deepEqual(boundsOf({...polygon, thickness: 0}, body, 0.1), [0, -1, -0.05, 2, 0, 0.05]);
});

test('meshes come into the axes of their body, each triangle for itself', () => {
  const body = {center: [1, 0, 0] as Vec, axes: [[0, 1, 0], [-1, 0, 0], [0, 0, 1]] as [Vec, Vec, Vec]};
  const tetrahedron: SceneGeometry = {
    ...look, shape: 'mesh', at: [1, 2, 0], axes, vertices: new Float32Array([0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]),
    triangles: new Uint32Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]),
  };
  // Inertial y is the body's x, inertial x its -y.
  assert.deepEqual(boundsOf(tetrahedron, body), [2, -1, 0, 4, 0, 3]);
  const geometry = givenGeometry(tetrahedron, body, 0);
  assert.equal(geometry.getAttribute('position').count, 12);
  const normals = geometry.getAttribute('normal');
  assert.deepEqual([0, 1, 2].map((i) => Math.round(normals.getComponent(0, i))), [0, 0, -1]);
});

test('shapes that cannot be read are named, the others stay', () => {
  const problems: string[] = [];
  const body = {name: 'b', mass: 1, center: [0, 0, 0], axes, points: [], geometry: [
    {shape: 'sphere', at: [0, 0, 0], radius: 1, color: '#ff0080', opacity: 0.5}, {shape: 'sphere', at: [0, 0, 0], radius: -1},
    {shape: 'polygon', at: [0, 0, 0], axes, outline: [[0, 0]], thickness: 1}, {shape: 'mesh'}, null,
    {shape: 'mesh', at: [0, 0, 0], axes, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 3]},
    {shape: 'mesh', at: [0, 0, 0], axes, vertices: [0, 0, null, 1, 0, 0, 0, 1], triangles: [0, 1, 2]},
  ]};
  const scene = readScene({cardan_scene: 1, gravity: [0, 0, 0], bodies: [body]}, problems);
  assert.equal(scene.bodies[0]!.geometry.length, 1);
  assert.equal(scene.bodies[0]!.geometry[0]!.colour, 0xff0080);
  assert.equal(scene.bodies[0]!.geometry[0]!.opacity, 0.5);
  assert.equal(problems.length, 6);
  assert.match(problems[4]!, /'triangles' of vertices that are not there/);
});

test('joints hold between the events that switch them', () => {
  const joint = {present: false, switches: [2, 6]} as unknown as SceneJoint;
  assert.deepEqual([0, 1.9, 2, 5, 6, 7].map((t) => holds(joint, t)), [false, false, true, true, false, false]);
});
