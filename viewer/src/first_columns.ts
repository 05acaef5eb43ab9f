// Which columns are plotted before anybody chose some.
import type {Run} from './trajectory';

/** What the model or the command asks for, as far as it is there; else angle or position of the first body that moves; where bodies only
 *  turn in their places, the first coordinate of a joint that changes. */
export function firstColumns(run: Run): string[] {
  const known = new Set(run.trajectory.columns);
  const asked = run.scene.plots.flatMap((plot) => plot.columns).filter((column, i, all) => known.has(column) && all.indexOf(column) === i);
  if (asked.length > 0) return asked;
  const where = new Map(run.trajectory.columns.map((name, i) => [name, i]));
  const table = run.trajectory.overview();
  const moves = (column: string, least: number) => {
    const values = table.columns[where.get(column) ?? -1];
    if (!values) return false;
    let low = Infinity;
    let high = -Infinity;
    const stride = Math.max(1, Math.floor(table.length / 500));
    for (let row = 0; row < table.length; row += stride) {
      low = Math.min(low, values[row]!);
      high = Math.max(high, values[row]!);
    }
    return high - low > least;
  };
  const columns = run.scene.bodies.map(({name}) => (run.scene.planar ? [`${name}.angle`] : [`${name}.x`, `${name}.y`, `${name}.z`]).filter((column) => where.has(column)));
  for (const own of columns) {
    const moving = own.filter((column) => moves(column, 1e-6 * run.scene.size));
    if (moving.length > 0) return moving;
  }
  for (const {name} of run.scene.joints) {
    const moving = [`${name}.q`, `${name}.q1`, `${name}.q2`, `${name}.q3`].filter((column) => moves(column, 1e-6));
    if (moving.length > 0) return moving;
  }
  return columns[0] ?? [];
}
