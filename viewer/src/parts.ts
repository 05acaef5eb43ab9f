// What a body is drawn with: the shapes that the model gives or, where it gives none, what it says the body is, or else what follows
// from its hardpoints; and wheels. One part is one mesh, so that a frame stays cheap.
import {Vector3, type BufferGeometry} from 'three';
import {mergeGeometries} from 'three/addons/utils/BufferGeometryUtils.js';
import {givenGeometry, nearestIn} from './geometry';
import {toBody} from './poses';
import {slides, type Scene, type SceneBody, type SceneGeometry, type ScenePlane, type Vec} from './scene';
import {boxGeometry, deriveShape, rodRadius, solidGeometry, type Rod} from './shapes';
import {axesOf} from './terrain';
import {rimGeometry, tyreColour, tyreGeometry} from './wheels';

export interface Part {
  geometry: BufferGeometry;
  colour: number | null; // null: the body's
  opacity: number;
  edges: boolean;
  bothSides?: boolean; // faces of files may look either way
}

const merged = (parts: BufferGeometry[]) => mergeGeometries(parts.map((part) => (part.index ? part.toNonIndexed() : part)));

/** Given shapes of the same colour and opacity become one part. */
export function givenParts(shapes: SceneGeometry[], body: Pick<SceneBody, 'center' | 'axes'>, scene: Scene): Part[] {
  const groups = new Map<string, SceneGeometry[]>();
  for (const shape of shapes) {
    const key = `${shape.colour} ${shape.opacity}`;
    groups.set(key, [...(groups.get(key) ?? []), shape]);
  }
  return [...groups.values()].map((group) => ({
    geometry: merged(group.map((shape) => givenGeometry(shape, body, 2 * rodRadius(scene)))),
    colour: group[0]!.colour, opacity: group[0]!.opacity, edges: true, bothSides: group.some(({shape}) => shape === 'mesh'),
  }));
}

/** The shape that mass and inertia come from, with rods to hardpoints outside of it. */
function declaredParts(body: SceneBody, shape: SceneGeometry, scene: Scene): Part[] {
  const r = rodRadius(scene);
  const rods: Rod[] = [];
  for (const {name, at} of body.points) {
    // The point of a joint that slides is anywhere on its axis: nothing is fixed there.
    if (scene.joints.some((joint) => joint.name === name && slides(joint))) continue;
    const near = nearestIn(shape, at);
    if (Math.hypot(at[0] - near[0], at[1] - near[1], at[2] - near[2]) > 0.5 * r) rods.push({from: toBody(body, near), to: toBody(body, at)});
  }
  const arms = solidGeometry({rods, boxes: [], balls: []}, scene, body.name);
  return [...givenParts([shape], body, scene), ...(arms ? [{geometry: arms, colour: null, opacity: 1, edges: false}] : [])];
}

/** A plane that belongs to a body: a plate under the plane's point, as far as the body reaches. */
function platePart(plane: ScenePlane, body: SceneBody, parts: Part[], scene: Scene): Part {
  const reach = parts.reduce((most, {geometry}) => {
    geometry.computeBoundingSphere();
    return Math.max(most, 2 * geometry.boundingSphere!.radius);
  }, 0.2 * scene.size);
  const [u, v, n] = axesOf(plane);
  const thickness = 0.01 * reach;
  const at = new Vector3(...plane.at).addScaledVector(n, -thickness / 2).toArray();
  const edges: Vec = [reach, scene.planar ? 4 * rodRadius(scene) : reach, thickness];
  const shape: SceneGeometry = {shape: 'box', at, axes: [u.toArray(), v.toArray(), n.toArray()], edges, colour: null, opacity: 0.3};
  return givenParts([shape], body, scene)[0]!;
}
export function bodyParts(body: SceneBody, scene: Scene): Part[] {
  const wheels = scene.wheels.filter((wheel) => wheel.body === body.name);
  const parts: Part[] = [];
  if (body.geometry.length > 0) parts.push(...givenParts(body.geometry, body, scene));
  else if (body.shape && wheels.length === 0) parts.push(...declaredParts(body, body.shape, scene));
  else {
    const shape = deriveShape(body, scene, wheels.length > 0);
    const solid = solidGeometry(shape, scene, body.name);
    if (solid) parts.push({geometry: solid, colour: null, opacity: 1, edges: false});
    // The estimate of an unknown shape is see-through, with its edges drawn.
    const box = boxGeometry(shape);
    if (box) parts.push({geometry: box, colour: null, opacity: 0.22, edges: true});
  }
  const balls = body.geometry.length > 0 ? [] : body.points.filter(({radius}) => radius > 0);
  if (balls.length > 0) parts.push(...givenParts(balls.map(({at, radius}) => ({shape: 'sphere', at, radius, colour: null, opacity: 1})), body, scene));
  for (const {plane} of scene.roads) if (plane?.body === body.name) parts.push(platePart(plane, body, parts, scene));
  if (wheels.length > 0) {
    parts.push({geometry: merged(wheels.map((wheel) => tyreGeometry(wheel, body))), colour: tyreColour, opacity: 1, edges: false});
    parts.push({geometry: merged(wheels.flatMap((wheel) => rimGeometry(wheel, body))), colour: null, opacity: 1, edges: false});
  }
  return parts;
}
