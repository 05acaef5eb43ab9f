// Results served by `cardan view`. Short ones are fetched whole; of long ones an even selection of rows, and all rows
// around the current time. Curves of long ones come from the server, lowest and highest value per stretch.
import {brokenLines} from './csv';
import {Table, type Column, type Curve, type Place} from './table';
import {modesFromText} from './modes';
import {Run, sceneFromText, stepIn, summaryFromText, type RunState, type Trajectory} from './trajectory';

const numbersAtMost = 6e6; // fetched whole: 48 MB
const overviewNumbers = 2e6;
const detailNumbers = 4e5;

interface Status {
  generation: number;
  exists: boolean;
  state: RunState;
  width: number;
  rows: number;
  summarized: number;
  caught_up: boolean;
  unfinished_line: boolean;
  bad_rows: number;
  first_bad: number;
  first_time: number | null;
  last_time: number | null;
}

async function get(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error((await response.text()).trim() || `${address}: ${response.status}`);
  return response;
}
async function json<T>(address: string): Promise<T> {
  return (await (await get(address)).json()) as T;
}
async function textOrNull(address: string): Promise<string | null> {
  const response = await fetch(address);
  return response.ok ? response.text() : null;
}
/** Counts, then arrays of doubles; see docs/viewer.md. */
async function arrays(address: string): Promise<Float64Array[]> {
  const buffer = await (await get(address)).arrayBuffer();
  const [length, count] = new Uint32Array(buffer, 0, 2) as unknown as [number, number];
  return Array.from({length: count}, (_, i) => new Float64Array(buffer, 8 + 8 * i * length, length));
}

export interface ListedRun {
  name: string;
  folder: string;
}
export async function listRuns(): Promise<ListedRun[]> {
  return (await json<{runs: ListedRun[]}>('api/runs')).runs;
}

class RemoteTrajectory implements Trajectory {
  version = 1;
  rows = 0;
  summarized = 0;
  whole = true;
  private table: Table;
  private detail: Table | null = null;
  private fetching = false;
  private wanted = NaN;

  constructor(readonly base: string, readonly columns: string[]) {
    this.table = new Table(columns.length);
  }

  get start() {
    return this.table.start;
  }
  get end() {
    return this.table.end;
  }

  /** Fetches what is new. */
  async grow(rows: number): Promise<void> {
    const width = this.columns.length;
    if (rows <= this.rows || width === 0) return;
    if (rows * width <= numbersAtMost) {
      const [, ...columns] = await arrays(`${this.base}/samples?from=${this.rows}&to=${rows}&count=${rows - this.rows}`);
      this.table.appendColumns(columns as Column[]);
    } else {
      // An even selection costs as much as it is long, so a growing file gets a new one only when it has grown by a tenth.
      if (!this.whole && rows < 1.1 * this.rows) return;
      const count = Math.max(2, Math.floor(overviewNumbers / width));
      const [numbers, ...columns] = await arrays(`${this.base}/samples?from=0&to=${rows}&count=${count}`);
      this.table = Table.of(columns, numbers);
      this.whole = false;
    }
    this.rows = rows;
    ++this.version;
  }

  locate(time: number): Place {
    if (this.whole) return this.table.locate(time);
    const detail = this.detail;
    if (detail && detail.length > 1 && time >= detail.start && time <= detail.end) {
      const place = detail.locate(time);
      if (place.row > 0.8 * detail.length && detail.end < this.end) this.want(time);
      return place;
    }
    this.want(time);
    return this.table.locate(time);
  }

  /** All rows around a time, one request at a time, for the latest wish only. */
  private want(time: number): void {
    this.wanted = time;
    if (!this.fetching) void this.fetchDetail();
  }
  private async fetchDetail(): Promise<void> {
    this.fetching = true;
    try {
      while (!Number.isNaN(this.wanted)) {
        const place = this.table.locate(this.wanted);
        this.wanted = NaN;
        const numbers = this.table.rows!;
        const near = numbers[place.row]! + place.part * ((numbers[place.row + 1] ?? numbers[place.row]!) - numbers[place.row]!);
        const count = Math.max(50, Math.floor(detailNumbers / this.columns.length));
        const from = Math.max(0, Math.floor(near - count / 4));
        const [rows, ...columns] = await arrays(`${this.base}/samples?from=${from}&to=${from + count}&count=${count}`);
        this.detail = Table.of(columns, rows);
        ++this.version;
      }
    } catch {
      // The overview stays; the status request says what is wrong.
    }
    this.fetching = false;
  }

  overview(): Table {
    return this.table;
  }

  async curve(columns: number[], from: number, to: number, count: number): Promise<Curve> {
    if (this.whole || columns.length === 0) return this.table.curve(columns, from, to, count);
    const query = `columns=${columns.join(',')}&from_time=${from}&to_time=${to}&count=${count}`;
    const [time, ...pairs] = await arrays(`${this.base}/extremes?${query}`);
    const n = time!.length;
    const t = new Float64Array(2 * n);
    const values = columns.map(() => new Float64Array(2 * n));
    for (let i = 0; i < n; ++i) {
      // The two points of a stretch lie a little apart: no time comes twice.
      const apart = 0.25 * ((time![i + 1] ?? time![i]!) - (i + 1 < n ? time![i]! : (time![i - 1] ?? time![i]!)));
      t[2 * i] = time![i]! - apart;
      t[2 * i + 1] = time![i]! + apart;
      columns.forEach((_, k) => {
        const [low, high] = [pairs[2 * k]![i]!, pairs[2 * k + 1]![i]!];
        const rising = i === 0 || low + high >= pairs[2 * k]![i - 1]! + pairs[2 * k + 1]![i - 1]!;
        values[k]![2 * i] = rising ? low : high;
        values[k]![2 * i + 1] = rising ? high : low;
      });
    }
    return {t, values};
  }

  step(time: number, count: number): number {
    const detail = this.detail;
    if (this.whole) return stepIn(this.table, time, count);
    if (detail && time >= detail.start && time <= detail.end) return stepIn(detail, time, count);
    // Not fetched yet: as if the samples between two known ones were evenly spaced.
    const {t, rows} = this.table;
    const place = this.table.locate(time);
    const next = Math.min(place.row + 1, this.table.length - 1);
    const row = Math.round(rows![place.row]! + place.part * (rows![next]! - rows![place.row]!)) + count;
    const target = Math.min(this.rows - 1, Math.max(0, row));
    let low = 0;
    let high = this.table.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (rows![middle]! <= target) low = middle;
      else high = middle;
    }
    const part = (target - rows![low]!) / (rows![high]! - rows![low]! || 1);
    return t[low]! + part * (t[high]! - t[low]!);
  }
}

/** A run on the server, kept up to date by poll(). */
export class RemoteRun {
  private generation = -1;
  private trajectory: RemoteTrajectory | null = null;
  private texts = '';
  run: Run | null = null;
  /** Why there is no run yet. */
  waiting = '';
  /** Set when the run was replaced by another, with its own scene and columns. */
  replaced = false;
  private readonly base: string;

  constructor(index: number, readonly name: string) {
    this.base = `api/runs/${index}`;
  }

  /** True when anything changed. */
  async poll(): Promise<boolean> {
    const status = await json<Status>(`${this.base}/status`);
    const fresh = status.generation !== this.generation;
    const settled = !['running', 'missing'].includes(status.state);
    if (!this.run || fresh) return this.load(status, settled);
    const before = this.trajectory!.version;
    const state = this.run.state;
    await this.trajectory!.grow(status.rows);
    const summarized = this.trajectory!.summarized;
    this.trajectory!.summarized = status.summarized;
    if (!this.trajectory!.whole && summarized < status.summarized && status.summarized === status.rows) ++this.trajectory!.version;
    if (state !== status.state) await this.finish(status);
    this.describe(status);
    return before !== this.trajectory!.version || state !== status.state;
  }

  private async load(status: Status, settled: boolean): Promise<boolean> {
    const problems: string[] = [];
    const scene = sceneFromText(await textOrNull(`${this.base}/files/scene.json`), problems);
    if (status.width === 0 && (!settled && status.state === 'running' || (status.exists && !status.caught_up))) {
      this.waiting = 'The result is being read.';
      return false;
    }
    const columns = status.width > 0 ? (await json<{columns: string[]}>(`${this.base}/columns`)).columns : ['t'];
    const trajectory = new RemoteTrajectory(this.base, columns);
    await trajectory.grow(status.rows);
    if (!scene && trajectory.rows === 0) {
      this.waiting = status.state === 'missing'
        ? `There is no trajectory.csv in this folder yet. \`cardan run MODEL --out DIR\` writes one; this page shows it as soon as it is there.`
        : [...problems, 'trajectory.csv has no complete sample and scene.json cannot be used: there is nothing to show.'].join(' ');
      return false;
    }
    this.generation = status.generation;
    this.trajectory = trajectory;
    trajectory.summarized = status.summarized;
    this.replaced = this.run !== null;
    this.run = new Run(this.name, scene, trajectory);
    const modes = status.state === 'missing' && scene ? await textOrNull(`${this.base}/files/modes.json`) : null;
    const found = modes === null ? null : modesFromText(modes, this.run.scene, problems);
    if (found) this.run.setModes(found);
    this.texts = [...this.run.problems, ...problems].join('\n');
    await this.finish(status);
    this.describe(status);
    return true;
  }

  private summaryProblems: string[] = [];
  private async finish(status: Status): Promise<void> {
    this.run!.state = status.state;
    this.summaryProblems = [];
    this.run!.summary = status.state === 'finished' ? summaryFromText(await textOrNull(`${this.base}/files/summary.json`), this.summaryProblems) : null;
  }

  /** What is wrong with the result, in sentences. */
  private describe(status: Status): void {
    const problems = [...this.texts.split('\n').filter(Boolean), ...this.summaryProblems];
    const columns = this.trajectory!.columns;
    if (status.width > 0 && columns[0] !== 't') problems.push(`The first column of trajectory.csv is '${columns[0]}', not 't'.`);
    if (status.bad_rows > 0) problems.push(brokenLines(status.bad_rows, status.first_bad));
    if (status.state === 'abandoned') {
      if (status.unfinished_line) problems.push('The last line of trajectory.csv is cut off and left out.');
      problems.push('summary.json is missing: the run was interrupted or has not come to its end.');
    } else if (status.state === 'finished' && status.unfinished_line) {
      problems.push('The last line of trajectory.csv is cut off and left out: the run may have been interrupted.');
    }
    if (this.run!.modes) {
      // What moves is no trajectory.
    } else if (status.state === 'missing') problems.push('trajectory.csv is missing: the mechanism is shown as drawn.');
    else if (status.rows === 0 && status.state !== 'running') problems.push('trajectory.csv has no complete sample: the mechanism is shown as drawn.');
    this.run!.problems = problems;
  }
}
