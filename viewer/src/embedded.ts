// What a report carries in its page instead of asking a server: see docs/viewer.md.
import {Table, type Column} from './table';
import {modesFrom} from './modes';
import {readScene} from './scene';
import {MemoryTrajectory, Run, type Summary} from './trajectory';

export interface ReportTable {
  title: string;
  headers: string[];
  rows: string[][];
  note?: string;
  text?: string;
  links?: string[];
}
export interface ReportSeries {
  name: string;
  x: string;
  y: string;
  points?: boolean;
  line?: boolean;
  group?: string;
}
export interface ReportColumn {
  name: string;
  values: string;
  words?: string[];
  log?: boolean;
}
export interface ReportPlot {
  title: string;
  x_label: string;
  y_label: string;
  x_log?: boolean;
  y_log?: boolean;
  series: ReportSeries[];
  note?: string;
}
export interface ReportRun {
  name: string;
  scene: unknown;
  summary?: Summary;
  columns: string[];
  rows: number;
  rows_of: number;
  t: string;
  data: string;
  modes?: unknown;
}
export interface Report {
  cardan_report: number;
  title: string;
  command: string;
  text?: string;
  models?: {name: string; text: string}[];
  summary?: Summary;
  tables: ReportTable[];
  parallel?: ReportColumn[];
  plots: ReportPlot[];
  runs: ReportRun[];
}

export function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) result[i] = text.charCodeAt(i);
  return result.buffer;
}

export function embeddedReport(): Report | null {
  const element = document.getElementById('cardan-data');
  if (!element?.textContent) return null;
  const report = JSON.parse(element.textContent) as Report;
  if (report.cardan_report !== 1) throw new Error(`This report has the version ${report.cardan_report}; its page knows 1.`);
  return report;
}

export function runOf(source: ReportRun): Run {
  const problems: string[] = [];
  const values = new Float32Array(bytes(source.data));
  const columns: Column[] = [new Float64Array(bytes(source.t))];
  if (source.columns.length === 0) source.columns.push('t');
  for (let c = 1; c < source.columns.length; ++c) columns.push(values.subarray((c - 1) * source.rows, c * source.rows));
  const run = new Run(source.name, readScene(source.scene, problems), new MemoryTrajectory(source.columns, Table.of(columns)));
  const modes = source.modes === undefined ? null : modesFrom(source.modes, run.scene, problems);
  if (modes) run.setModes(modes);
  run.summary = source.summary ?? null;
  run.problems.push(...problems);
  return run;
}
