// A run as the page knows it: the scene, the summary, and samples that may be all here or only in part.
import {parseCsv} from './csv';
import {modeColumns, modeTable, modesFromText, type Modes} from './modes';
import {readScene, sceneFromColumns, type Scene} from './scene';
import {Table, type Curve, type Place} from './table';

export type RunState = 'finished' | 'running' | 'abandoned' | 'missing';

export interface Summary {
  status?: string;
  reason?: string;
  model?: string;
  formulation?: {used?: string};
  integrator?: {used?: string};
  warnings?: string[];
  [key: string]: unknown;
}

export interface Trajectory {
  readonly columns: string[];
  /** Of the whole result. */
  readonly rows: number;
  readonly start: number;
  readonly end: number;
  /** Counts up whenever there are other or more samples. */
  readonly version: number;
  /** The best that is here for a time; may start fetching better. */
  locate(time: number): Place;
  /** Everything or an even selection, for trails and scales. */
  overview(): Table;
  curve(columns: number[], from: number, to: number, count: number): Promise<Curve>;
  /** The time of the sample `count` after (before, if negative) the one at `time`. */
  step(time: number, count: number): number;
}

export function stepIn(table: Table, time: number, count: number): number {
  const step = table.length > 1 ? (table.end - table.start) / (table.length - 1) : 0;
  let row = table.rowAt(time + 1e-6 * step);
  if (count < 0 && table.t[row]! < time - 1e-6 * step) ++row;
  row = Math.min(table.length - 1, Math.max(0, row + count));
  return table.t[row] ?? time;
}

export class MemoryTrajectory implements Trajectory {
  version = 1;
  constructor(readonly columns: string[], readonly table: Table) {}
  get rows() {
    return this.table.length;
  }
  get start() {
    return this.table.start;
  }
  get end() {
    return this.table.end;
  }
  locate(time: number) {
    return this.table.locate(time);
  }
  overview() {
    return this.table;
  }
  async curve(columns: number[], from: number, to: number, count: number) {
    return this.table.curve(columns, from, to, count);
  }
  step(time: number, count: number) {
    return stepIn(this.table, time, count);
  }
}

export class Run {
  name: string;
  scene: Scene;
  summary: Summary | null = null;
  state: RunState = 'finished';
  problems: string[] = [];
  /** True when the bodies are known from their columns alone. */
  bare = false;
  /** Where these are what the result is made of; the trajectory is then one period of the mode shown. */
  modes: Modes | null = null;
  mode = 0;
  private amplitude = 1;

  constructor(name: string, scene: Scene | null, public trajectory: Trajectory) {
    this.name = name;
    this.bare = scene === null;
    this.scene = scene ?? sceneFromColumns(trajectory.columns, extentOf(trajectory));
    if (this.bare) this.problems.push('scene.json is missing or broken: bodies are drawn as markers, without joints.');
  }

  setModes(modes: Modes): void {
    this.modes = modes;
    const swinging = modes.modes.findIndex((mode) => !mode.rigid); // rigid ones come first and show little
    this.showMode(Math.max(0, swinging), 1);
  }
  showMode(mode: number, amplitude = this.amplitude): void {
    if (!this.modes) return;
    this.mode = mode;
    this.amplitude = amplitude;
    const table = modeTable(this.modes, mode, amplitude, this.scene);
    const version = this.trajectory.version + 1;
    this.trajectory = Object.assign(new MemoryTrajectory(modeColumns(this.modes, this.scene), table), {version});
  }

  /** Formulation and integrator, where known. */
  get method(): string {
    return [this.summary?.formulation?.used, this.summary?.integrator?.used].filter(Boolean).join(' · ');
  }
}

/** How far the bodies' positions reach. */
function extentOf(trajectory: Trajectory): number {
  const table = trajectory.overview();
  let extent = 0;
  for (const axis of ['x', 'y', 'z']) {
    let low = Infinity;
    let high = -Infinity;
    trajectory.columns.forEach((name, c) => {
      if (!name.endsWith(`.${axis}`)) return;
      const values = table.columns[c]!;
      for (let r = 0; r < table.length; ++r) {
        if (values[r]! < low) low = values[r]!;
        if (values[r]! > high) high = values[r]!;
      }
    });
    if (high > low) extent = Math.hypot(extent, high - low);
  }
  return extent > 0 && Number.isFinite(extent) ? extent : 1;
}

/** The scene in a text, or null with the reason in `problems`. */
export function sceneFromText(source: string | null, problems: string[]): Scene | null {
  if (source === null) return null;
  try {
    return readScene(JSON.parse(source), problems);
  } catch (error) {
    const reason = error instanceof SyntaxError ? `scene.json is no valid JSON (${error.message}).` : (error as Error).message;
    problems.push(reason);
    return null;
  }
}

export function summaryFromText(source: string | null, problems: string[]): Summary | null {
  if (source === null) return null;
  try {
    const value: unknown = JSON.parse(source);
    if (typeof value === 'object' && value !== null) return value as Summary;
    problems.push('summary.json is no summary.');
  } catch (error) {
    problems.push(`summary.json is no valid JSON (${(error as Error).message}).`);
  }
  return null;
}

/** A result from the texts of its files; throws when there is nothing to show. */
export function runFromTexts(name: string, csv: string | null, scene: string | null, summary: string | null, modes: string | null = null): Run {
  const problems: string[] = [];
  const drawn = sceneFromText(scene, problems);
  const moving = csv === null && modes !== null && drawn ? modesFromText(modes, drawn, problems) : null;
  if (moving) {
    const run = new Run(name, drawn, new MemoryTrajectory(['t'], new Table(1)));
    run.setModes(moving);
    run.problems.push(...problems);
    return run;
  }
  let columns = ['t'];
  let table = new Table(1);
  if (csv === null) problems.push('trajectory.csv is missing: the mechanism is shown as drawn.');
  else {
    const result = parseCsv(csv);
    columns = result.columns;
    table = result.table;
    problems.push(...result.problems);
    if (table.length === 0) problems.push('trajectory.csv has no complete sample: the mechanism is shown as drawn.');
  }
  if (drawn === null && table.length === 0) throw new Error([...problems, 'There is nothing to show.'].join(' '));
  const run = new Run(name, drawn, new MemoryTrajectory(columns, table));
  run.summary = summaryFromText(summary, problems);
  if (summary === null) problems.push('summary.json is missing: the run may not have come to its end.');
  run.problems.push(...problems);
  return run;
}
