// Where bodies and their points are at a sample: x + R A^T (p - c), with the drawn centre c and axes A of scene.json and
// position x and rotation R of trajectory.csv.
import type {Scene, SceneBody, Vec} from './scene';
import {valueAt, type Place, type Table} from './table';

type Quaternion = [number, number, number, number]; // x, y, z, w as three has them

interface Source {
  columns: number[]; // x y z qw qx qy qz, planar: x y angle; empty: not in the result
  drawn: Quaternion;
}

function quaternionOf(axes: [Vec, Vec, Vec]): Quaternion {
  const [[a, d, g], [b, e, h], [c, f, i]] = axes; // columns of the matrix a b c, d e f, g h i
  const trace = a + e + i;
  if (trace > 0) {
    const s = 2 * Math.sqrt(trace + 1);
    return [(h - f) / s, (c - g) / s, (d - b) / s, s / 4];
  }
  if (a > e && a > i) {
    const s = 2 * Math.sqrt(1 + a - e - i);
    return [s / 4, (b + d) / s, (c + g) / s, (h - f) / s];
  }
  if (e > i) {
    const s = 2 * Math.sqrt(1 + e - a - i);
    return [(b + d) / s, s / 4, (f + h) / s, (c - g) / s];
  }
  const s = 2 * Math.sqrt(1 + i - a - e);
  return [(c + g) / s, (f + h) / s, s / 4, (d - b) / s];
}

/** A point given in the drawing, in the body's own axes from its centre. */
export function toBody(body: Pick<SceneBody, 'center' | 'axes'>, p: Vec): Vec {
  const r: Vec = [p[0] - body.center[0], p[1] - body.center[1], p[2] - body.center[2]];
  return directionToBody(body, r);
}
export function directionToBody(body: Pick<SceneBody, 'axes'>, d: Vec): Vec {
  return body.axes.map((axis) => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]) as Vec;
}

/** v + 2 w (u x v) + 2 u x (u x v), u the first three of a unit quaternion. */
function rotate(x: number, y: number, z: number, w: number, d: Vec, out: Vec): Vec {
  const tx = 2 * (y * d[2] - z * d[1]), ty = 2 * (z * d[0] - x * d[2]), tz = 2 * (x * d[1] - y * d[0]);
  const ox = d[0] + w * tx + y * tz - z * ty;
  const oy = d[1] + w * ty + z * tx - x * tz;
  const oz = d[2] + w * tz + x * ty - y * tx;
  out[0] = ox, out[1] = oy, out[2] = oz;
  return out;
}

export class Poses {
  /** Three numbers and four (x, y, z, w) for each body; what is missing or no number in the result is where it was. */
  readonly position: Float64Array;
  readonly rotation: Float64Array;
  readonly index = new Map<string, number>();
  /** Names of bodies without columns. */
  readonly missing: string[] = [];
  private readonly sources: Source[];

  constructor(readonly scene: Scene, columns: string[]) {
    const where = new Map(columns.map((name, i) => [name, i]));
    const suffixes = scene.planar ? ['x', 'y', 'angle'] : ['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz'];
    this.position = new Float64Array(3 * scene.bodies.length);
    this.rotation = new Float64Array(4 * scene.bodies.length);
    this.sources = scene.bodies.map((body, i) => {
      this.index.set(body.name, i);
      const found = suffixes.map((suffix) => where.get(`${body.name}.${suffix}`));
      const complete = found.every((column) => column !== undefined);
      if (!complete) this.missing.push(body.name);
      return {columns: complete ? (found as number[]) : [], drawn: quaternionOf(body.axes)};
    });
    this.draw();
  }

  /** As drawn. */
  draw(): void {
    this.scene.bodies.forEach((body, i) => {
      this.position.set(body.center, 3 * i);
      this.rotation.set(this.sources[i]!.drawn, 4 * i);
    });
  }

  update(place: Place): void {
    for (let i = 0; i < this.sources.length; ++i) {
      const columns = this.sources[i]!.columns;
      if (columns.length === 3) this.updatePlanar(i, columns, place);
      else if (columns.length === 7) this.updateSpatial(i, columns, place);
    }
  }

  private updatePlanar(i: number, columns: number[], place: Place): void {
    const x = valueAt(place, columns[0]!);
    const y = valueAt(place, columns[1]!);
    const angle = valueAt(place, columns[2]!);
    if (!Number.isFinite(x + y + angle)) return;
    this.position[3 * i] = x;
    this.position[3 * i + 1] = y;
    this.rotation[4 * i] = 0;
    this.rotation[4 * i + 1] = 0;
    this.rotation[4 * i + 2] = Math.sin(angle / 2);
    this.rotation[4 * i + 3] = Math.cos(angle / 2);
  }

  private updateSpatial(i: number, columns: number[], place: Place): void {
    const x = valueAt(place, columns[0]!);
    const y = valueAt(place, columns[1]!);
    const z = valueAt(place, columns[2]!);
    const {table, row, part} = place;
    let w = 0, qx = 0, qy = 0, qz = 0;
    if (table.length > 0) {
      const [cw, cx, cy, cz] = [table.columns[columns[3]!]!, table.columns[columns[4]!]!, table.columns[columns[5]!]!, table.columns[columns[6]!]!];
      w = cw[row]!, qx = cx[row]!, qy = cy[row]!, qz = cz[row]!;
      if (part > 0) {
        // Between two rotations by the shorter way; the steps are small, so the straight line will do.
        const dot = w * cw[row + 1]! + qx * cx[row + 1]! + qy * cy[row + 1]! + qz * cz[row + 1]!;
        const b = dot < 0 ? -part : part;
        const a = 1 - part;
        w = a * w + b * cw[row + 1]!;
        qx = a * qx + b * cx[row + 1]!;
        qy = a * qy + b * cy[row + 1]!;
        qz = a * qz + b * cz[row + 1]!;
      }
    }
    const norm = Math.hypot(w, qx, qy, qz);
    if (!Number.isFinite(x + y + z + norm) || norm === 0) return;
    this.position[3 * i] = x;
    this.position[3 * i + 1] = y;
    this.position[3 * i + 2] = z;
    this.rotation[4 * i] = qx / norm;
    this.rotation[4 * i + 1] = qy / norm;
    this.rotation[4 * i + 2] = qz / norm;
    this.rotation[4 * i + 3] = w / norm;
  }

  /** A direction in body axes, in inertial ones; `body` -1 is the ground. */
  direction(body: number, d: Vec, out: Vec): Vec {
    if (body < 0) {
      out[0] = d[0], out[1] = d[1], out[2] = d[2];
      return out;
    }
    const q = this.rotation;
    return rotate(q[4 * body]!, q[4 * body + 1]!, q[4 * body + 2]!, q[4 * body + 3]!, d, out);
  }

  /** A point in body axes from the centre, in inertial ones; `body` -1 is the ground. */
  point(body: number, p: Vec, out: Vec): Vec {
    this.direction(body, p, out);
    if (body >= 0) {
      out[0] += this.position[3 * body]!;
      out[1] += this.position[3 * body + 1]!;
      out[2] += this.position[3 * body + 2]!;
    }
    return out;
  }

  /** The same at a sample of a table, whatever is shown now. */
  pointAtRow(table: Table, row: number, body: number, p: Vec, out: Vec): Vec {
    const {columns} = this.sources[body]!;
    const value = (k: number) => table.columns[columns[k]!]![row]!;
    if (columns.length === 3) {
      const angle = value(2);
      rotate(0, 0, Math.sin(angle / 2), Math.cos(angle / 2), p, out);
    } else {
      const [w, x, y, z] = [value(3), value(4), value(5), value(6)];
      const norm = Math.hypot(w, x, y, z);
      rotate(x / norm, y / norm, z / norm, w / norm, p, out);
    }
    for (let i = 0; i < (columns.length === 3 ? 2 : 3); ++i) out[i]! += value(i);
    return out;
  }

  /** A body's number, -1 for the ground, and a drawn point in its axes. */
  attach(name: string, p: Vec): {body: number; local: Vec} {
    const body = this.index.get(name) ?? -1;
    return {body, local: body < 0 ? p : toBody(this.scene.bodies[body]!, p)};
  }
  /** A direction given in the drawing, in a body's axes. */
  attachDirection(name: string, d: Vec): Vec {
    const body = this.index.get(name) ?? -1;
    return body < 0 ? d : directionToBody(this.scene.bodies[body]!, d);
  }
}
