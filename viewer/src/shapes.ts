// What a body looks like when nothing but its hardpoints, mass and inertia are known: rods between points, a box of the
// same inertia where points do not tell. All in the body's own axes, from its centre.
import {
  BoxGeometry, BufferGeometry, CatmullRomCurve3, ConeGeometry, CylinderGeometry, Matrix4, Quaternion, SphereGeometry,
  TubeGeometry, Vector3,
} from 'three';
import {mergeGeometries} from 'three/addons/utils/BufferGeometryUtils.js';
import {toBody} from './poses';
import {slides, type Scene, type SceneBody, type Vec} from './scene';

export interface Rod {
  from: Vec;
  to: Vec;
  thin?: boolean;
}
export interface Box {
  center: Vec;
  edges: Vec;
}
export interface BodyShape {
  rods: Rod[];
  boxes: Box[];
  balls: {center: Vec; radius: number}[];
}

const distance = (a: Vec, b: Vec) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const origin: Vec = [0, 0, 0];

/** Radius of rods: thin against the mechanism and against the usual link. */
export function rodRadius(scene: Scene): number {
  const links = scene.bodies.flatMap((body) => body.points.slice(1).map((p, i) => distance(p.at, body.points[i]!.at)))
    .filter((length) => length > 1e-6 * scene.size).sort((a, b) => a - b);
  const usual = links[links.length >> 1] ?? scene.size;
  return Math.min((scene.bodies.length <= 3 ? 0.02 : 0.014) * scene.size, Math.max(0.005 * scene.size, 0.06 * usual));
}

/** How many bodies this one slides in: barrel 0, rod 1, the rod in that rod 2. Each is thinner, or the two would be drawn into one another. */
function slidesIn(body: string, scene: Scene, depth = 0): number {
  const outer = scene.joints.find((joint) => slides(joint) && joint.bodies[1] === body && joint.bodies[0] !== 'ground');
  return outer && depth < 4 ? slidesIn(outer.bodies[0], scene, depth + 1) : depth;
}

function distinct(points: Vec[], tolerance: number): Vec[] {
  const result: Vec[] = [];
  for (const p of points) if (!result.some((q) => distance(p, q) < tolerance)) result.push(p);
  return result;
}

/** The uniform box with this mass and these moments about its own axes: a^2 = 6 (Iy + Iz - Ix) / m. */
export function inertiaBox(mass: number, inertia: [Vec, Vec, Vec] | null): Vec | null {
  if (!inertia || !(mass > 0)) return null;
  const [ix, iy, iz] = [inertia[0][0], inertia[1][1], inertia[2][2]];
  const edge = (own: number, b: number, c: number) => Math.sqrt(Math.max(0, (6 * (b + c - own)) / mass));
  const edges: Vec = [edge(ix, iy, iz), edge(iy, ix, iz), edge(iz, ix, iy)];
  return edges.every(Number.isFinite) && Math.max(...edges) > 0 ? edges : null;
}

/** Both ends of a uniform slender rod along the body's x axis, when mass and inertia are those of one. */
function slenderEnds(body: SceneBody, planar: boolean, points: Vec[]): Vec[] {
  if (!body.inertia || !(body.mass > 0)) return [];
  const [ix, iy, iz] = [body.inertia[0][0], body.inertia[1][1], body.inertia[2][2]];
  const length = Math.sqrt((12 * iz) / body.mass);
  if (!(length > 0) || !points.every((p) => Math.hypot(p[1], p[2]) < 1e-3 * length)) return [];
  if (!planar && !(ix < 0.05 * iz && Math.abs(iy - iz) < 0.02 * iz)) return [];
  const ends: Vec[] = [[-length / 2, 0, 0], [length / 2, 0, 0]];
  // Points beyond the ends, or none at either: this is something else.
  if (points.some((p) => Math.abs(p[0]) > 0.501 * length)) return [];
  return points.some((p) => ends.some((e) => distance(p, e) < 0.02 * length)) ? ends : [];
}

/** The line through all points, or null when they do not lie on one. */
function spine(points: Vec[], tolerance: number): [Vec, Vec] | null {
  let best: [Vec, Vec] = [points[0]!, points[0]!];
  for (const a of points) for (const b of points) if (distance(a, b) > distance(...best)) best = [a, b];
  const [a, b] = best;
  const length = distance(a, b);
  if (length === 0) return null;
  const u: Vec = [(b[0] - a[0]) / length, (b[1] - a[1]) / length, (b[2] - a[2]) / length];
  const straight = points.every((p) => {
    const r: Vec = [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    const s = r[0] * u[0] + r[1] * u[1] + r[2] * u[2];
    return Math.hypot(r[0] - s * u[0], r[1] - s * u[1], r[2] - s * u[2]) < tolerance;
  });
  return straight ? best : null;
}

function boundingBox(points: Vec[], least: number): Box {
  const low = [0, 1, 2].map((i) => Math.min(...points.map((p) => p[i]!)));
  const high = [0, 1, 2].map((i) => Math.max(...points.map((p) => p[i]!)));
  return {
    center: low.map((x, i) => (x + high[i]!) / 2) as Vec,
    edges: low.map((x, i) => Math.max(least, high[i]! - x)) as Vec,
  };
}

/** A wheel needs no mark for its mass. */
export function deriveShape(body: SceneBody, scene: Scene, isWheel: boolean): BodyShape {
  const r = rodRadius(scene);
  const shape: BodyShape = {rods: [], boxes: [], balls: []};
  const own = distinct(body.points.map((p) => toBody(body, p.at)), 1e-4 * scene.size);
  const points = distinct([...own, ...slenderEnds(body, scene.planar, own)], 0.02 * scene.size);
  const equivalent = scene.planar ? null : inertiaBox(body.mass, body.inertia);
  const mark = () => {
    if (isWheel) return;
    if (equivalent && Math.max(...equivalent) < 2 * scene.size) {
      shape.boxes.push({center: origin, edges: equivalent.map((e) => Math.max(e, 2 * r)) as Vec});
    } else shape.balls.push({center: origin, radius: 2.2 * r});
  };
  if (points.length === 0) {
    mark();
    return shape;
  }
  const line = points.length > 1 ? spine(points, 0.01 * scene.size) : null;
  if (points.length === 1) {
    if (distance(points[0]!, origin) > r) shape.rods.push({from: points[0]!, to: origin});
    mark();
  } else if (line) {
    shape.rods.push({from: line[0], to: line[1]});
    // A mass centre beside the line is shown where it is.
    const mass = spine([...points, origin], 0.03 * scene.size);
    if (!mass) {
      for (const end of line) shape.rods.push({from: end, to: origin, thin: true});
      shape.balls.push({center: origin, radius: 1.6 * r});
    }
  } else if (points.length === 3) {
    for (let i = 0; i < 3; ++i) shape.rods.push({from: points[i]!, to: points[(i + 1) % 3]!});
  } else if (points.length <= 6) {
    for (const p of points) shape.rods.push({from: p, to: origin});
    shape.balls.push({center: origin, radius: 1.6 * r});
  } else {
    shape.boxes.push(boundingBox(points, 2 * r));
    for (const p of points) shape.balls.push({center: p, radius: r});
  }
  return shape;
}

const zAxis = new Vector3(0, 0, 1);

/** Turns +z into `direction`, scales z by `length`, moves the origin to `at`. */
export function along(at: Vector3, direction: Vector3, width: number, length: number, out: Matrix4): Matrix4 {
  const turn = new Quaternion().setFromUnitVectors(zAxis, direction);
  return out.compose(at, turn, new Vector3(width, width, length));
}

/** From the origin to z = 1. */
export function unitRod(sides = 12): BufferGeometry {
  return new CylinderGeometry(1, 1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}
export function unitCone(sides = 16): BufferGeometry {
  return new ConeGeometry(1, 1, sides).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

/** A coil from the origin to z = 1 with straight ends, in proportion when it is `slenderness` times as long as its radius. */
export function unitCoil(turns = 9, slenderness = 14): BufferGeometry {
  const points: Vector3[] = [new Vector3(0, 0, 0), new Vector3(0, 0, 0.06 * slenderness)];
  const steps = turns * 10;
  for (let i = 0; i <= steps; ++i) {
    const angle = (2 * Math.PI * turns * i) / steps;
    points.push(new Vector3(Math.cos(angle), Math.sin(angle), (0.12 + (0.76 * i) / steps) * slenderness));
  }
  points.push(new Vector3(0, 0, 0.94 * slenderness), new Vector3(0, 0, slenderness));
  return new TubeGeometry(new CatmullRomCurve3(points), steps * 2, 0.2, 6).scale(1, 1, 1 / slenderness);
}

function rodGeometry(rod: Rod, radius: number): BufferGeometry {
  const from = new Vector3(...rod.from);
  const to = new Vector3(...rod.to);
  const length = from.distanceTo(to);
  const geometry = unitRod();
  return geometry.applyMatrix4(along(from, to.clone().sub(from).divideScalar(length || 1), radius, length, new Matrix4()));
}

/** All solid parts in one geometry, so that a body is one draw call; boxes that stand for unknown shapes come apart. */
export function solidGeometry(shape: BodyShape, scene: Scene, body: string): BufferGeometry | null {
  const r = rodRadius(scene) * 0.66 ** slidesIn(body, scene);
  const parts: BufferGeometry[] = [];
  for (const rod of shape.rods) {
    if (distance(rod.from, rod.to) < 1e-9) continue;
    parts.push(rodGeometry(rod, rod.thin ? 0.45 * r : r));
    if (!rod.thin) for (const end of [rod.from, rod.to]) parts.push(new SphereGeometry(r, 12, 8).translate(...end));
  }
  for (const ball of shape.balls) parts.push(new SphereGeometry(ball.radius, 20, 14).translate(...ball.center));
  return parts.length > 0 ? mergeGeometries(parts) : null;
}

export function boxGeometry(shape: BodyShape): BufferGeometry | null {
  const parts = shape.boxes.map((box) => new BoxGeometry(...box.edges).translate(...box.center));
  return parts.length > 0 ? mergeGeometries(parts) : null;
}
