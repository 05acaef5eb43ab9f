// What a column of trajectory.csv is: its element, its unit, its place in lists.
import type {Scene} from './scene';

export interface Quantity {
  element: string; // body, joint or driver; empty for others
  suffix: string;
  unit: string;
  title: string;
}

const bySuffix: [RegExp, string, string][] = [
  [/^[xyz]$/, 'm', 'position'],
  [/^v[xyz]$/, 'm/s', 'velocity'],
  [/^angle$/, 'rad', 'angle'],
  [/^(w|w[xyz])$/, 'rad/s', 'angular velocity'],
  [/^q[wxyz]$/, '', 'quaternion'],
  [/^f[xyz]$/, 'N', 'reaction force'],
  [/^m[xyz]$/, 'N m', 'reaction moment'],
  [/^effort$/, 'N m or N', 'effort'],
];

/** Elements' names may hold dots themselves, so the last one counts. */
export function quantityOf(column: string, scene: Scene): Quantity {
  const dot = column.lastIndexOf('.');
  if (dot < 0) return {element: '', suffix: column, unit: column === 't' ? 's' : '', title: column === 't' ? 'time' : column};
  const element = column.slice(0, dot);
  const suffix = column.slice(dot + 1);
  for (const [pattern, unit, title] of bySuffix) if (pattern.test(suffix)) return {element, suffix, unit, title};
  const joint = scene.joints.find((j) => j.name === element);
  const coordinate = /^([qv])(\d*)$/.exec(suffix);
  if (joint && coordinate) {
    const length = lengthCoordinate(joint.type, Number(coordinate[2] || 1));
    const rate = coordinate[1] === 'v';
    return {element, suffix, unit: (length ? 'm' : 'rad') + (rate ? '/s' : ''), title: rate ? 'joint rate' : 'joint coordinate'};
  }
  return {element, suffix, unit: '', title: suffix};
}

function lengthCoordinate(type: string, index: number): boolean {
  if (type === 'prismatic') return true;
  if (type === 'cylindrical') return index === 1;
  if (type === 'planar') return index <= 2;
  if (type === 'free') return index <= 3;
  return false;
}
