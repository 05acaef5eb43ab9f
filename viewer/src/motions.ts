// How bodies and markers move: arrows of velocity and acceleration at mass centres and at markers. What the result has no columns of
// comes from differences of neighbouring samples: velocities of positions, accelerations of velocities.
import type {Group} from 'three';
import {Arrows, roundLength, type Acting} from './arrows';
import type {Pick} from './pick';
import type {Poses} from './poses';
import type {Scene, Vec} from './scene';
import type {Place, Table} from './table';
import type {Run} from './trajectory';

export type Motion = 'velocity' | 'acceleration';
export const motions: Motion[] = ['velocity', 'acceleration'];
export const motionUnits: Record<Motion, string> = {velocity: 'm/s', acceleration: 'm/s²'};
/** Dark enough on a light ground, and the other way round. */
export const motionColour = (motion: Motion, dark: boolean) => (motion === 'velocity' ? (dark ? 0xe86fd0 : 0xb0309a) : dark ? 0xf0c030 : 0xb07a00);

/** A vector at a sample of the table. */
type AtRow = (table: Table, row: number, out: Vec) => Vec;
type Origin = 'columns' | 'differences';

/**
 * The derivative of `f` over time at a row, by the parabola through three samples, which is exact for constant second derivatives
 * and takes steps of different lengths.
 */
export function difference(f: AtRow): AtRow {
  const [before, here, after]: [Vec, Vec, Vec] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  return (table, row, out) => {
    const {t, length} = table;
    if (length < 2) return out.fill(0) as Vec;
    const middle = Math.min(Math.max(row, 1), Math.max(1, length - 2));
    const h0 = t[middle]! - t[middle - 1]!;
    f(table, middle - 1, before);
    f(table, middle, here);
    const h1 = middle + 1 < length ? t[middle + 1]! - t[middle]! : 0;
    if (h1 > 0) f(table, middle + 1, after);
    for (let i = 0; i < 3; ++i) {
      const left = h0 > 0 ? (here[i]! - before[i]!) / h0 : 0;
      const right = h1 > 0 ? (after[i]! - here[i]!) / h1 : left;
      const bend = h0 > 0 && h1 > 0 ? (right - left) / (h0 + h1) : 0; // half the second derivative
      out[i] = left + bend * h0 + 2 * bend * (t[row]! - t[middle]!);
    }
    return out;
  };
}

/** One point of a body: where it is, its velocity and acceleration at every sample. */
class MovingPoint {
  readonly velocity: AtRow;
  readonly acceleration: AtRow;
  readonly origin: Record<Motion, Origin>;

  constructor(scene: Scene, poses: Poses, where: Map<string, number>, readonly body: number, readonly local: Vec, name: string) {
    const bodyName = scene.bodies[body]!.name;
    const own = (owner: string, letters: string[]) => {
      const found = letters.map((letter) => where.get(`${owner}.${letter}`));
      return found.every((column) => column !== undefined) ? (found as number[]) : null;
    };
    const space = scene.planar ? ['x', 'y'] : ['x', 'y', 'z'];
    const moved = (prefix: string) => space.map((axis) => prefix + axis);
    const read = (columns: number[]): AtRow => (table, row, out) => {
      for (let i = 0; i < 3; ++i) out[i] = i < columns.length ? table.columns[columns[i]!]![row]! : 0;
      return out;
    };
    const position: AtRow = (table, row, out) => poses.pointAtRow(table, row, body, local, out);
    const atCentre = Math.hypot(...local) === 0;
    const linear = own(bodyName, moved('v'));
    const angular = own(bodyName, scene.planar ? ['w'] : ['wx', 'wy', 'wz']);
    const named = own(name, moved('v'));
    if (named) this.velocity = read(named);
    else if (linear && atCentre) this.velocity = read(linear);
    else if (linear && angular) this.velocity = rigid(read(linear), angular, position, centreOf(poses, body), scene.planar);
    else this.velocity = difference(position);
    const direct = own(name, moved('a')) ?? (atCentre ? own(bodyName, moved('a')) : null);
    this.acceleration = direct ? read(direct) : difference(this.velocity);
    this.origin = {
      velocity: named || (linear && (atCentre || angular)) ? 'columns' : 'differences',
      acceleration: direct ? 'columns' : 'differences',
    };
  }
}

const centreOf = (poses: Poses, body: number): AtRow => (table, row, out) => poses.pointAtRow(table, row, body, [0, 0, 0], out);

/** v + w x r, r from the centre to the point. */
function rigid(linear: AtRow, angular: number[], point: AtRow, centre: AtRow, planar: boolean): AtRow {
  const [r, c]: [Vec, Vec] = [[0, 0, 0], [0, 0, 0]];
  return (table, row, out) => {
    linear(table, row, out);
    point(table, row, r);
    centre(table, row, c);
    const [x, y, z] = [r[0] - c[0], r[1] - c[1], r[2] - c[2]];
    const w = angular.map((column) => table.columns[column]![row]!);
    const [wx, wy, wz] = planar ? [0, 0, w[0]!] : [w[0]!, w[1]!, w[2]!];
    out[0] += wy * z - wz * y;
    out[1] += wz * x - wx * z;
    out[2] += wx * y - wy * x;
    return out;
  };
}

/** Between two rows on the straight line. */
function acting(pick: Pick, point: MovingPoint, motion: Motion, poses: Poses): Acting {
  const [a, b]: [Vec, Vec] = [[0, 0, 0], [0, 0, 0]];
  const at = point[motion];
  return {
    pick,
    size: (table, row) => Math.hypot(...at(table, row, a)),
    point: (_place, out) => poses.point(point.body, point.local, out),
    vector: ({table, row, part}: Place, out) => {
      if (table.length === 0) return out.fill(0) as Vec;
      at(table, row, out);
      if (part === 0) return out;
      at(table, row + 1, b);
      for (let i = 0; i < 3; ++i) out[i]! += part * (b[i]! - out[i]!);
      return out;
    },
  };
}

export class Motions {
  readonly arrows: Record<Motion, Arrows>;
  readonly shown: Record<Motion, boolean> = {velocity: false, acceleration: false};
  /** Where the numbers are from: by differences as soon as one of them is. */
  readonly origin: Record<Motion, Origin> = {velocity: 'columns', acceleration: 'columns'};
  scale = 1;

  constructor(private readonly run: Run, poses: Poses, private readonly scene: Scene, private readonly radius: number, overlay: boolean, root: Group) {
    const where = new Map(run.trajectory.columns.map((name, i) => [name, i]));
    const points: {pick: Pick; point: MovingPoint}[] = [];
    scene.bodies.forEach((body, i) => {
      // A mode has a shape but no size, so its speeds mean nothing.
      if (run.modes || poses.missing.includes(body.name)) return;
      points.push({pick: {kind: 'body', name: body.name}, point: new MovingPoint(scene, poses, where, i, [0, 0, 0], body.name)});
      for (const {name, kind, at} of body.points) {
        if (kind === 'marker') points.push({pick: {kind: 'marker', name}, point: new MovingPoint(scene, poses, where, i, poses.attach(body.name, at).local, name)});
      }
    });
    const make = (motion: Motion) => {
      if (points.some(({point}) => point.origin[motion] === 'differences')) this.origin[motion] = 'differences';
      return new Arrows(run, points.map(({pick, point}) => acting(pick, point, motion, poses)), 'motion', motionColour(motion, false), motion, overlay, root);
    };
    this.arrows = {velocity: make('velocity'), acceleration: make('acceleration')};
  }

  get any(): boolean {
    return this.arrows.velocity.acting.length > 0;
  }

  setDark(dark: boolean): void {
    for (const motion of motions) this.arrows[motion].setColour(motionColour(motion, dark));
  }

  /** Metres of arrow for a m/s or m/s²; 0 where nothing moves, or only rounding does. */
  private perUnit(motion: Motion): number {
    const largest = this.arrows[motion].unit;
    return largest > this.nothing(motion) ? (0.25 * this.scene.size * this.scale) / largest : 0;
  }
  /** What rounding leaves of zero: of the numbers themselves, and of differences of numbers that were rounded. */
  private nothing(motion: Motion): number {
    const {size, gravity} = this.scene;
    const table = this.run.trajectory.overview();
    const step = table.length > 1 ? (table.end - table.start) / (table.length - 1) : 1;
    const single = table.columns.some((column) => column instanceof Float32Array);
    const rounded = (value: number) => (30 * (single ? 6e-8 : 1e-16) * value) / step;
    const speed = this.arrows.velocity.unit;
    if (motion === 'velocity') return Math.max(1e-10 * size, this.origin.velocity === 'columns' ? 0 : rounded(size));
    const floor = 1e-10 * Math.max(Math.hypot(...gravity), speed ** 2 / size);
    return Math.max(floor, this.origin.acceleration === 'columns' ? 0 : rounded(this.origin.velocity === 'columns' ? speed : size / step));
  }

  update(place: Place): void {
    for (const motion of motions) {
      if (this.shown[motion]) this.arrows[motion].update(place, this.perUnit(motion), this.radius);
      else this.arrows[motion].hide();
    }
  }

  /** What an arrow of a tenth of the mechanism's size stands for; 0 where none are drawn. */
  legend(motion: Motion): {length: number; value: number} {
    const length = roundLength(0.1 * this.scene.size);
    const perUnit = this.perUnit(motion);
    return {length, value: perUnit > 0 ? length / perUnit : 0};
  }

  /** Speed or acceleration of a body or marker now; NaN where it is not shown. */
  size(motion: Motion, pick: Pick, place: Place): number {
    const found = this.shown[motion] ? this.arrows[motion].size(pick, place) : NaN;
    return found < this.nothing(motion) ? 0 : found;
  }
}
