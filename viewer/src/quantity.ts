// What a column of trajectory.csv is: its element, its unit, the factor by which it is shown.
import {kinds, elementsOf, type Kind} from './pick';
import type {Scene} from './scene';

export interface Quantity {
  element: string; // body, joint, spring ...; empty for others
  suffix: string;
  unit: string; // as it is shown
  factor: number; // from the file's unit to that
  title: string;
}

const bySuffix: [RegExp, string, string][] = [
  [/^[xyz]$/, 'm', 'position'],
  [/^v[xyz]$/, 'm/s', 'velocity'],
  [/^angle$/, 'rad', 'angle'],
  [/^(w|w[xyz])$/, 'rad/s', 'angular velocity'],
  [/^q[wxyz]$/, '', 'quaternion'],
  [/^f[xyz]$/, 'N', 'force'],
  [/^m[xyz]$/, 'N m', 'moment'],
  [/^effort$/, 'N m or N', 'effort'],
  [/^length$/, 'm', 'length'],
  [/^force$/, 'N', 'tension'],
  [/^load$/, 'N', 'radial force'],
];
const inDegrees: Record<string, string> = {rad: '°', 'rad/s': '°/s'};

/** The file's unit: what scene.json says, or in older results what the name does. */
function fileUnit(column: string, element: string, suffix: string, scene: Scene): string {
  const said = scene.units[column];
  if (said !== undefined) return said;
  const effort = suffix === 'effort' && scene.efforts.find(({name}) => name === element);
  if (effort) return effort.angular ? 'N m' : 'N';
  const known = bySuffix.find(([pattern]) => pattern.test(suffix));
  if (known) return known[1];
  const joint = scene.joints.find((j) => j.name === element);
  const coordinate = /^([qv])(\d*)$/.exec(suffix);
  if (!joint || !coordinate) return '';
  return (lengthCoordinate(joint.type, Number(coordinate[2] || 1)) ? 'm' : 'rad') + (coordinate[1] === 'v' ? '/s' : '');
}

/** Elements' names may hold dots themselves, so the last one counts. */
export function quantityOf(column: string, scene: Scene, degrees = false): Quantity {
  const dot = column.lastIndexOf('.');
  if (dot < 0) return {element: '', suffix: column, unit: column === 't' ? 's' : (scene.units[column] ?? ''), factor: 1, title: column === 't' ? 'time' : column};
  const element = column.slice(0, dot);
  const suffix = column.slice(dot + 1);
  const unit = fileUnit(column, element, suffix, scene);
  const title = bySuffix.find(([pattern]) => pattern.test(suffix))?.[2] ?? (/^q\d*$/.test(suffix) ? 'joint coordinate' : /^v\d*$/.test(suffix) ? 'joint rate' : suffix);
  return degrees && unit in inDegrees
    ? {element, suffix, unit: inDegrees[unit]!, factor: 180 / Math.PI, title}
    : {element, suffix, unit, factor: 1, title};
}

function lengthCoordinate(type: string, index: number): boolean {
  if (type === 'prismatic') return true;
  if (type === 'cylindrical') return index === 1;
  if (type === 'planar') return index <= 2;
  if (type === 'free') return index <= 3;
  return false;
}

export interface ElementColumns {
  name: string;
  kind: Kind | null; // null: what the scene does not know
  columns: string[];
}

/** Columns by element, in the order of the scene; then what belongs to no element of it. */
export function columnsByElement(columns: string[], scene: Scene): ElementColumns[] {
  const kindOf = new Map<string, Kind>();
  for (const {pick} of elementsOf(scene)) if (!kindOf.has(pick.name)) kindOf.set(pick.name, pick.kind);
  const found = new Map<string, ElementColumns>();
  for (const column of columns) {
    if (column === 't') continue;
    const dot = column.lastIndexOf('.');
    const name = dot < 0 ? column : column.slice(0, dot);
    const own = found.get(name) ?? {name, kind: kindOf.get(name) ?? null, columns: []};
    own.columns.push(column);
    found.set(name, own);
  }
  const place = (kind: Kind | null) => (kind === null ? kinds.length : kinds.indexOf(kind));
  return [...found.values()].sort((a, b) => place(a.kind) - place(b.kind));
}
