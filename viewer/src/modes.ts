// modes.json: small motions about a position of rest, each made into samples of one period so that it can be shown like any motion.
import type {Scene, Vec} from './scene';
import {Table} from './table';

export interface Mode {
  frequency: number; // Hz, of the oscillation; 0 where there is none
  natural: number;
  damping: number; // ratio
  rigid: boolean;
  unstable: boolean;
  shape: Record<string, [number, number]>; // real and imaginary part by column
}
interface Pose {
  position: Vec;
  rotation: [Vec, Vec, Vec]; // rows
}
export interface Modes {
  modes: Mode[];
  poses: Pose[];
}

const samples = 96; // of a period
const largest = 0.12; // rad or sizes of the mechanism: the motion that is shown of the largest entry

const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' && Number.isFinite(value) ? value : fallback);

/** Null with the reason in `problems` when the text is no such file or belongs to another scene. */
export function modesFrom(source: unknown, scene: Scene, problems: string[]): Modes | null {
  const root = (typeof source === 'object' && source !== null ? source : {}) as {modes?: unknown; poses?: unknown};
  if (!Array.isArray(root.modes) || !Array.isArray(root.poses) || root.poses.length !== scene.bodies.length) {
    problems.push('modes.json has no modes of these bodies.');
    return null;
  }
  const modes = root.modes.map((mode: Record<string, unknown>): Mode => ({
    frequency: numberOr(mode.frequency, 0), natural: numberOr(mode.natural_frequency, 0), damping: numberOr(mode.damping_ratio, 0),
    rigid: mode.rigid === true, unstable: mode.unstable === true, shape: (mode.shape ?? {}) as Mode['shape'],
  }));
  if (modes.length === 0) problems.push('There are no modes: nothing can move.');
  return {modes, poses: root.poses as Pose[]};
}
export function modesFromText(source: string, scene: Scene, problems: string[]): Modes | null {
  try {
    return modesFrom(JSON.parse(source), scene, problems);
  } catch (error) {
    problems.push(`modes.json is no valid JSON (${(error as Error).message}).`);
    return null;
  }
}

/** Seconds of one cycle; of motions that do not swing, the time in which they change by a factor e^(2 pi), or a second. */
export function periodOf(mode: Mode | undefined): number {
  const rate = mode ? mode.frequency || mode.natural : 0;
  return rate > 0 ? 1 / rate : 1;
}

type Quaternion = [number, number, number, number]; // w x y z

function quaternionOf([[a, b, c], [d, e, f], [g, h, i]]: [Vec, Vec, Vec]): Quaternion {
  const q: Quaternion = [1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i].map((x) => Math.sqrt(Math.max(0, x)) / 2) as Quaternion;
  const most = q.indexOf(Math.max(...q));
  const four = 4 * q[most]!;
  // The other three from the largest, which no rounding spoils.
  if (most === 0) return [q[0], (h - f) / four, (c - g) / four, (d - b) / four];
  if (most === 1) return [(h - f) / four, q[1], (b + d) / four, (c + g) / four];
  if (most === 2) return [(c - g) / four, (b + d) / four, q[2], (f + h) / four];
  return [(d - b) / four, (c + g) / four, (f + h) / four, q[3]];
}
/** By a rotation vector in inertial axes. */
function turned(q: Quaternion, [x, y, z]: Vec): Quaternion {
  const angle = Math.hypot(x, y, z);
  const s = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
  const [w, a, b, c] = [Math.cos(angle / 2), s * x, s * y, s * z];
  return [
    w * q[0] - a * q[1] - b * q[2] - c * q[3], w * q[1] + a * q[0] + b * q[3] - c * q[2],
    w * q[2] - a * q[3] + b * q[0] + c * q[1], w * q[3] + a * q[2] - b * q[1] + c * q[0],
  ];
}

/** Columns as in trajectory.csv, for all modes the same: poses of the bodies, and how joint coordinates change. */
export function modeColumns({modes}: Modes, scene: Scene): string[] {
  const suffixes = scene.planar ? ['x', 'y', 'angle'] : ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'];
  const joints = Object.keys(modes[0]?.shape ?? {}).filter((column) => /\.q\d*$/.test(column));
  return ['t', ...scene.bodies.flatMap(({name}) => suffixes.map((suffix) => `${name}.${suffix}`)), ...joints];
}

/** One period: position + a Re(shape e^(i phase)), turned likewise. `amplitude` 1 is a motion that can be seen well. */
export function modeTable({modes, poses}: Modes, index: number, amplitude: number, scene: Scene): Table {
  const columns = modeColumns({modes, poses}, scene);
  const mode = modes[index];
  const table = new Table(columns.length);
  const rest = poses.map(({rotation}) => quaternionOf(rotation));
  const joints = columns.filter((column) => column in (mode?.shape ?? {}) && /\.q\d*$/.test(column));
  for (let k = 0; k <= samples; ++k) {
    const phase = (2 * Math.PI * k) / samples;
    // Rest at the start: the imaginary part leads.
    const [c, s] = [Math.sin(phase), Math.cos(phase)];
    const entry = (column: string) => {
      const [re, im] = mode?.shape[column] ?? [0, 0];
      return amplitude * largest * (re * c + im * s);
    };
    const row = [(k / samples) * periodOf(mode)];
    scene.bodies.forEach(({name}, b) => {
      const {position, rotation} = poses[b]!;
      row.push(position[0] + entry(`${name}.x`), position[1] + entry(`${name}.y`));
      if (scene.planar) row.push(Math.atan2(rotation[1][0], rotation[0][0]) + entry(`${name}.angle`));
      else row.push(position[2] + entry(`${name}.z`), ...turned(rest[b]!, [entry(`${name}.rx`), entry(`${name}.ry`), entry(`${name}.rz`)]));
    });
    for (const column of joints) row.push(entry(column));
    table.append(row);
  }
  return table;
}
