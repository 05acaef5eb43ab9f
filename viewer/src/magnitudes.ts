// How large the values of a run are, so that what only rounding makes of a zero is shown as 0.
import {quantityOf} from './quantity';
import type {Run} from './trajectory';

const rounding = 1e-10; // of the largest value of the same sort

export class Magnitudes {
  private version = -1;
  private floors: number[] = [];

  constructor(private readonly run: Run) {}

  /** What is smaller than this in a column is nothing. */
  floor(column: number): number {
    if (this.version !== this.run.trajectory.version) this.measure();
    return this.floors[column] ?? 0;
  }

  /** Forces and moments, velocities and angular velocities are compared by the size of the mechanism. */
  private measure(): void {
    const {trajectory, scene} = this.run;
    this.version = trajectory.version;
    const table = trajectory.overview();
    const units = trajectory.columns.map((column) => quantityOf(column, scene).unit);
    const largest: Record<string, number> = {};
    const stride = Math.max(1, Math.floor(table.length / 200));
    units.forEach((unit, c) => {
      const values = table.columns[c];
      if (!values) return;
      let most = largest[unit] ?? 0;
      for (let row = 0; row < table.length; row += stride) {
        const size = Math.abs(values[row]!);
        if (size > most && size < Infinity) most = size;
      }
      largest[unit] = most;
    });
    const of = (unit: string) => largest[unit] ?? 0;
    const scale: Record<string, number> = {
      m: Math.max(of('m'), scene.size),
      rad: Math.max(of('rad'), of('m') / scene.size),
      'm/s': Math.max(of('m/s'), of('rad/s') * scene.size),
      'rad/s': Math.max(of('rad/s'), of('m/s') / scene.size),
      N: Math.max(of('N'), of('N m') / scene.size),
      'N m': Math.max(of('N m'), of('N') * scene.size),
    };
    this.floors = units.map((unit) => rounding * (scale[unit] ?? of(unit)));
  }
}

const known = new WeakMap<Run, Magnitudes>();
export function magnitudesOf(run: Run): Magnitudes {
  let found = known.get(run);
  if (!found) known.set(run, (found = new Magnitudes(run)));
  return found;
}
