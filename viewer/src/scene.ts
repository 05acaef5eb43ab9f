// scene.json: what the mechanism looks like as drawn. docs/output.md describes the format.

export type Vec = [number, number, number];

export interface Hardpoint {
  name: string;
  kind: string;
  at: Vec;
  radius: number; // of the ball with which a point of contact touches; else 0
}
/** A shape that the model gives; planar ones may have a third edge or a thickness of 0. */
export type SceneGeometry = {colour: number | null; opacity: number} & (
  | {shape: 'box'; at: Vec; axes: [Vec, Vec, Vec]; edges: Vec}
  | {shape: 'sphere'; at: Vec; radius: number}
  | {shape: 'cylinder' | 'capsule'; points: [Vec, Vec]; radius: number}
  | {shape: 'polygon'; at: Vec; axes: [Vec, Vec, Vec]; outline: [number, number][]; thickness: number}
  | {shape: 'mesh'; at: Vec; axes: [Vec, Vec, Vec]; vertices: Float32Array; triangles: Uint32Array}
);
export interface SceneBody {
  name: string;
  mass: number;
  center: Vec;
  axes: [Vec, Vec, Vec];
  inertia: [Vec, Vec, Vec] | null;
  points: Hardpoint[];
  geometry: SceneGeometry[];
  shape: SceneGeometry | null; // what the model says the body is, where it says so
}
/** Of older results, which do not say. */
const markOfType: Record<string, string> = {
  revolute: 'pin', universal: 'cross', cylindrical: 'long', screw: 'long', spherical: 'ball', prismatic: 'slider', fixed: 'block', planar: 'plate',
};
/** Whether the point of a joint is anywhere on its axis. */
export function slides(joint: SceneJoint): boolean {
  return joint.mark === 'slider' || joint.mark === 'long';
}
export interface SceneJoint {
  name: string;
  type: string;
  mark: string; // how it is drawn; empty: not at all
  bodies: [string, string];
  points: [Vec, Vec];
  axes: [Vec, Vec];
  frame: [Vec, Vec, Vec];
  present: boolean; // at the start
  switches: number[]; // times at which it takes hold or lets go
}
export interface SceneLine {
  name: string;
  bodies: [string, string];
  points: [Vec, Vec];
  axis: Vec | null; // springs whose force keeps a direction of the first body
}
/** A pull along a line; of a cylinder diameters, and the distance of its ends when it is all in. */
export interface ScenePull extends SceneLine {
  cylinder: {bore: number; rod: number; retracted: number} | null;
}
/** A force or torque on a coordinate of a joint: of a driver or an actuator. */
export interface SceneEffort {
  name: string;
  joint: string;
  angular: boolean;
  body: string;
  point: Vec;
  axis: Vec;
  axisBody: string;
}
export interface ScenePlane {
  at: Vec;
  normal: Vec; // out of the solid
  body: string;
}
/** Heights at `at` + i, j times `spacing`, row by row, each along x. */
export interface SceneHeights {
  at: [number, number];
  spacing: [number, number];
  columns: number;
  rows: number;
  heights: number[];
}
/** One of the three; the others are empty. */
export interface SceneRoad {
  name: string;
  polyline: [number, number][];
  plane: ScenePlane | null;
  grid: SceneHeights | null;
  drops: {time: number; by: number}[];
}
export interface SceneWheel {
  body: string;
  center: Vec;
  axis: Vec;
  radius: number;
  width: number; // 0: not known
  tyre: string;
  road: string;
}
/** A contact, with the points of the body that its columns tell of: corners, ends, centres, with a radius around. */
export interface SceneContact {
  name: string;
  body: string;
  points: {at: Vec; radius: number}[];
  roads: string[];
}
export interface Scene {
  name: string;
  planar: boolean;
  gravity: Vec;
  size: number;
  ground: Hardpoint[];
  groundGeometry: SceneGeometry[];
  bodies: SceneBody[];
  joints: SceneJoint[];
  springs: SceneLine[];
  pulls: ScenePull[];
  drivers: SceneLine[];
  roads: SceneRoad[];
  wheels: SceneWheel[];
  efforts: SceneEffort[];
  forces: {name: string; body: string; point: Vec}[];
  contacts: SceneContact[];
  torques: {name: string; bodies: [string, string]}[];
  plots: {title: string; columns: string[]}[];
  units: Record<string, string>; // by column; empty in older results
}

const unit: [Vec, Vec, Vec] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

class Reader {
  constructor(readonly problems: string[]) {}

  /** Elements that can be read; the others are named. */
  list<T>(value: unknown, what: string, read: (item: Record<string, unknown>) => T): T[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.problems.push(`scene.json: '${what}' is no list.`);
      return [];
    }
    const result: T[] = [];
    value.forEach((item, i) => {
      try {
        if (typeof item !== 'object' || item === null) throw new Error('is no object');
        result.push(read(item as Record<string, unknown>));
      } catch (error) {
        this.problems.push(`scene.json: ${what}[${i}] ${(error as Error).message}; it is not drawn.`);
      }
    });
    return result;
  }
}

function text(value: unknown, key: string): string {
  if (typeof value !== 'string') throw new Error(`has no '${key}'`);
  return value;
}
function numbers(value: unknown, count: number, key: string): number[] {
  const good = Array.isArray(value) && value.length === count && value.every((x) => Number.isFinite(x));
  if (!good) throw new Error(`has no '${key}' of ${count} numbers`);
  return value as number[];
}
const vec = (value: unknown, key: string) => numbers(value, 3, key) as Vec;
function several<T>(value: unknown, count: number, key: string, read: (item: unknown, key: string) => T): T[] {
  if (!Array.isArray(value) || value.length !== count) throw new Error(`has no '${key}' of ${count} parts`);
  return value.map((item) => read(item, key));
}
const axes = (value: unknown, key: string) => several(value, 3, key, vec) as [Vec, Vec, Vec];
const finite = (value: unknown, fallback: number) => (typeof value === 'number' && Number.isFinite(value) ? value : fallback);

function line(item: Record<string, unknown>): SceneLine {
  return {
    name: text(item.name, 'name'),
    bodies: several(item.bodies, 2, 'bodies', text) as [string, string],
    points: several(item.points, 2, 'points', vec) as [Vec, Vec],
    axis: item.axis === undefined ? null : vec(item.axis, 'axis'),
  };
}
function hardpoint(item: Record<string, unknown>): Hardpoint {
  return {name: text(item.name, 'name'), kind: String(item.kind ?? ''), at: vec(item.at, 'at'), radius: finite(item.radius, 0)};
}

function plane(item: Record<string, unknown>): ScenePlane {
  const normal = vec(item.normal, 'normal');
  if (Math.hypot(...normal) === 0) throw new Error("has a 'normal' of length 0");
  return {at: vec(item.at, 'at'), normal, body: String(item.body ?? 'ground')};
}
function heights(item: Record<string, unknown>): SceneHeights {
  const count = (value: unknown, key: string) => {
    if (!Number.isInteger(value) || (value as number) < 2) throw new Error(`has no '${key}' of 2 or more`);
    return value as number;
  };
  const [columns, rows] = [count(item.columns, 'columns'), count(item.rows, 'rows')];
  const spacing = numbers(item.spacing, 2, 'spacing') as [number, number];
  if (!(spacing[0] > 0 && spacing[1] > 0)) throw new Error("has no 'spacing' above 0");
  return {at: numbers(item.at, 2, 'at') as [number, number], spacing, columns, rows, heights: numbers(item.heights, columns * rows, 'heights')};
}

/** Coordinates and corners one after the other. */
function mesh(vertices: unknown, triangles: unknown): {vertices: Float32Array; triangles: Uint32Array} {
  const found = Array.isArray(vertices) && vertices.length % 3 === 0 ? Float32Array.from(vertices) : new Float32Array();
  const corners = Array.isArray(triangles) && triangles.length % 3 === 0 ? Uint32Array.from(triangles) : new Uint32Array();
  if (corners.length === 0 || !found.every(Number.isFinite)) throw new Error("has no 'vertices' and 'triangles' in threes");
  if (corners.some((corner) => corner >= found.length / 3)) throw new Error("has 'triangles' of vertices that are not there");
  return {vertices: found, triangles: corners};
}

function geometry(item: Record<string, unknown>): SceneGeometry {
  const colour = typeof item.color === 'string' && /^#[0-9a-f]{6}$/i.test(item.color) ? parseInt(item.color.slice(1), 16) : null;
  const look = {colour, opacity: Math.min(1, Math.max(0.02, finite(item.opacity, 1)))};
  const positive = (value: unknown, key: string) => {
    if (!(finite(value, 0) > 0)) throw new Error(`has no '${key}' above 0`);
    return value as number;
  };
  switch (item.shape) {
    case 'box':
      return {...look, shape: 'box', at: vec(item.at, 'at'), axes: axes(item.axes, 'axes'), edges: vec(item.edges, 'edges')};
    case 'sphere':
      return {...look, shape: 'sphere', at: vec(item.at, 'at'), radius: positive(item.radius, 'radius')};
    case 'cylinder':
    case 'capsule':
      return {...look, shape: item.shape, points: several(item.points, 2, 'points', vec) as [Vec, Vec], radius: positive(item.radius, 'radius')};
    case 'polygon': {
      const outline = Array.isArray(item.outline) ? item.outline.map((p) => numbers(p, 2, 'outline') as [number, number]) : [];
      if (outline.length < 3) throw new Error("has no 'outline' of three corners");
      return {...look, shape: 'polygon', at: vec(item.at, 'at'), axes: axes(item.axes, 'axes'), outline, thickness: finite(item.thickness, 0)};
    }
    case 'mesh':
      return {...look, shape: 'mesh', at: vec(item.at, 'at'), axes: axes(item.axes, 'axes'), ...mesh(item.vertices, item.triangles)};
    default:
      throw new Error(`has the unknown shape '${String(item.shape)}'`);
  }
}

/** Throws when the text is no scene at all; what is wrong with single elements goes to `problems`. */
export function readScene(source: unknown, problems: string[]): Scene {
  if (typeof source !== 'object' || source === null || !('cardan_scene' in source)) {
    throw new Error('scene.json is no scene of Cardan.');
  }
  const root = source as Record<string, unknown>;
  if (root.cardan_scene !== 1) problems.push(`scene.json has the version ${String(root.cardan_scene)}; this page knows 1.`);
  const reader = new Reader(problems);
  const ground = (root.ground ?? {}) as Record<string, unknown>;
  let gravity: Vec = [0, 0, 0];
  try {
    gravity = vec(root.gravity, 'gravity');
  } catch {
    problems.push('scene.json has no gravity.');
  }
  const scene: Scene = {
    name: typeof root.name === 'string' ? root.name : '',
    planar: root.planar === true,
    gravity,
    size: Math.max(1e-9, finite(root.size, 1)),
    ground: reader.list(ground.points, 'ground.points', hardpoint),
    groundGeometry: reader.list(ground.geometry, 'ground.geometry', geometry),
    bodies: reader.list(root.bodies, 'bodies', (item) => ({
      name: text(item.name, 'name'),
      mass: finite(item.mass, 0),
      center: vec(item.center, 'center'),
      axes: axes(item.axes, 'axes'),
      inertia: item.inertia ? axes(item.inertia, 'inertia') : null,
      points: reader.list(item.points, `points of ${String(item.name)}`, hardpoint),
      geometry: reader.list(item.geometry, `geometry of ${String(item.name)}`, geometry),
      shape: item.shape === undefined ? null : (reader.list([item.shape], `shape of ${String(item.name)}`, geometry)[0] ?? null),
    })),
    joints: reader.list(root.joints, 'joints', (item) => ({
      ...line(item),
      type: text(item.type, 'type'),
      mark: typeof item.mark === 'string' ? item.mark : (markOfType[String(item.type)] ?? ''),
      axes: several(item.axes, 2, 'axes', vec) as [Vec, Vec],
      frame: axes(item.frame ?? unit, 'frame'),
      present: item.present !== false,
      switches: Array.isArray(item.switches) ? item.switches.filter((t): t is number => Number.isFinite(t)) : [],
    })),
    springs: reader.list(root.springs, 'springs', line),
    pulls: reader.list(root.pulls, 'pulls', (item) => {
      const {bore, rod, retracted} = (item.cylinder ?? {}) as Record<string, unknown>;
      const cylinder = {bore: finite(bore, 0), rod: finite(rod, 0), retracted: finite(retracted, 0)};
      return {...line(item), cylinder: cylinder.bore > 0 ? cylinder : null};
    }),
    drivers: reader.list(root.drivers, 'drivers', line),
    roads: reader.list(root.roads, 'roads', (item) => ({
      name: String(item.name ?? ''),
      polyline: Array.isArray(item.polyline) ? item.polyline.map((p) => numbers(p, 2, 'polyline') as [number, number]) : [],
      plane: item.plane === undefined ? null : plane(item.plane as Record<string, unknown>),
      grid: item.grid === undefined ? null : heights(item.grid as Record<string, unknown>),
      drops: reader.list(item.drops, 'drops', (drop) => ({time: finite(drop.time, 0), by: finite(drop.by, 0)})),
    })),
    wheels: reader.list(root.wheels, 'wheels', (item) => ({
      body: text(item.body, 'body'),
      center: vec(item.center, 'center'),
      axis: vec(item.axis, 'axis'),
      radius: finite(item.radius, 0),
      width: finite(item.width, 0),
      tyre: String(item.tyre ?? ''),
      road: String(item.road ?? ''),
    })),
    efforts: reader.list(root.efforts, 'efforts', (item) => ({
      name: text(item.name, 'name'), joint: text(item.joint, 'joint'), angular: item.angular === true,
      body: text(item.body, 'body'), point: vec(item.point, 'point'), axis: vec(item.axis, 'axis'), axisBody: text(item.axis_body, 'axis_body'),
    })),
    forces: reader.list(root.forces, 'forces', (item) => ({name: text(item.name, 'name'), body: text(item.body, 'body'), point: vec(item.point, 'point')})),
    contacts: reader.list(root.contacts, 'contacts', (item) => ({
      name: text(item.name, 'name'), body: text(item.body, 'body'),
      points: reader.list(item.points, 'points of contacts', (point) => ({at: vec(point.at, 'at'), radius: finite(point.radius, 0)})),
      roads: Array.isArray(item.roads) ? item.roads.map(String) : [],
    })),
    torques: reader.list(root.torques, 'torques', (item) => ({name: text(item.name, 'name'), bodies: several(item.bodies, 2, 'bodies', text) as [string, string]})),
    plots: reader.list(root.plots, 'plots', (item) => ({
      title: String(item.title ?? ''), columns: Array.isArray(item.columns) ? item.columns.map(String) : [],
    })),
    units: (typeof root.units === 'object' && root.units !== null ? root.units : {}) as Record<string, string>,
  };
  scene.size = ownSize(scene) || scene.size;
  return scene;
}

/** How far the bodies and what holds them reach as drawn; markers of the ground may be far away. 0 for a single point. */
function ownSize(scene: Scene): number {
  const points = [
    ...scene.bodies.flatMap((body) => [body.center, ...body.points.filter(({kind}) => kind !== 'contact').map((point) => point.at)]),
    ...[...scene.springs, ...scene.pulls, ...scene.drivers, ...scene.joints.filter((joint) => joint.type === 'distance')].flatMap((line) => line.points),
  ];
  const edges = [0, 1, 2].map((i) => {
    const [low, high] = points.reduce(([a, b], p) => [Math.min(a, p[i]!), Math.max(b, p[i]!)] as const, [Infinity, -Infinity] as const);
    return high - low;
  });
  const size = Math.hypot(...edges);
  return Number.isFinite(size) && size < scene.size ? size : 0;
}

/** Bodies by their columns alone, for results without scene.json. `extent` is the size of their motion. */
export function sceneFromColumns(columns: string[], extent: number): Scene {
  const known = new Set(columns);
  const bodies: SceneBody[] = [];
  let planar = false;
  for (const column of columns) {
    const name = column.replace(/\.(angle|qw)$/, '');
    if (name === column || !known.has(`${name}.x`)) continue;
    planar ||= column.endsWith('.angle');
    bodies.push({name, mass: 0, center: [0, 0, 0], axes: unit, inertia: null, points: [], geometry: [], shape: null});
  }
  return {
    name: '', planar, gravity: planar ? [0, -9.81, 0] : [0, 0, -9.81], size: extent, ground: [], groundGeometry: [], bodies,
    joints: [], springs: [], pulls: [], drivers: [], roads: [], wheels: [], efforts: [], forces: [], contacts: [], torques: [], plots: [], units: {},
  };
}
