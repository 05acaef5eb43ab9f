// Curves over time, one panel per unit, linked to the animation: a line marks the current time, the values beside the names are those
// under the pointer or else of that time, a click goes there, a drag looks closer, a double click shows everything again.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import {evenTicks, flatRange, labelWidth, linearLabels} from './axes';
import {digits, h, icon} from './dom';
import {magnitudesOf} from './magnitudes';
import {quantityOf} from './quantity';
import {valueAt} from './table';
import type {Run} from './trajectory';

export const curveColours = ['#4477aa', '#cc6644', '#448855', '#aa5599', '#aa8822', '#338899', '#bb5566', '#777777'];

interface Curve {
  column: string;
  run: Run;
  index: number;
  colour: string;
  dash: number[] | undefined;
  factor: number; // to the unit shown
  value: HTMLElement;
}
interface Panel {
  unit: string;
  cursor: HTMLElement;
  element: HTMLElement;
  legend: HTMLElement;
  holder: HTMLElement;
  curves: Curve[];
  plot: uPlot | null;
  line: HTMLElement;
}

export function themeColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** null where there is nothing, as uPlot wants it. */
export function gaps(values: ArrayLike<number>): (number | null)[] {
  return Array.from(values, (v) => (Number.isFinite(v) ? v : null));
}

/** Of a linear axis of values: the data and a margin. */
export function valueRange(_u: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [null, null];
  return flatRange(min, max) ?? uPlot.rangeNum(min, max, 0.1, true);
}
/** Of the axis at the side. */
export function valueTicks(u: uPlot, _axis: number, min: number, max: number): number[] {
  return evenTicks(min, max, Math.max(2, Math.floor((u.bbox.height / devicePixelRatio || 240) / 26)));
}
export function axisLabels(_u: uPlot, ticks: number[]): string[] {
  return linearLabels(ticks);
}
/** Of the axis at the side: `least`, or what its labels need. */
export function sizeFor(least: number, fontSize: number): uPlot.Axis.Size {
  return (_u, labels) => Math.max(least, Math.ceil(labelWidth(labels ?? [], fontSize)) + 14);
}

/** In the unit shown, and without what rounding makes of zero. */
function shownValue({run, index, factor}: Curve, value: number): number {
  return Math.abs(value) < magnitudesOf(run).floor(index) ? 0 : value * factor;
}
/** A curve keeps all its digits, unless it is nothing but rounding. */
function shownValues(curve: Curve, values: Float64Array): Float64Array {
  const nothing = values.every((v) => !(Math.abs(v) >= magnitudesOf(curve.run).floor(curve.index)));
  return values.map((v) => (nothing ? shownValue(curve, v) : v * curve.factor));
}
/** Runs with other times have gaps where the first has samples. */
function nearestValue(values: (number | null)[], at: number): number | null {
  for (let away = 0; away < 200; ++away) {
    const value = values[at - away] ?? values[at + away];
    if (value !== null && value !== undefined) return value;
  }
  return null;
}

export class Plots {
  readonly columns: string[] = [];
  degrees = false;
  private pointed = false; // values are those under the pointer
  private panels: Panel[] = [];
  private runs: Run[] = [];
  private from = NaN; // of the window looked at; NaN: everything
  private to = NaN;
  private ticket = 0;
  private time = 0;

  constructor(
    readonly host: HTMLElement,
    private readonly seek: (time: number) => void,
    private readonly changed: () => void,
  ) {
    new ResizeObserver(() => this.fit()).observe(host);
  }

  setRuns(runs: Run[]): void {
    this.runs = runs;
    this.rebuild();
  }

  toggle(column: string): void {
    const at = this.columns.indexOf(column);
    if (at >= 0) this.columns.splice(at, 1);
    else this.columns.push(column);
    this.rebuild();
    this.changed();
  }

  setDegrees(on: boolean): void {
    this.degrees = on;
    this.rebuild();
  }

  private rebuild(): void {
    for (const panel of this.panels) panel.plot?.destroy();
    this.panels = [];
    this.host.replaceChildren();
    this.columns.forEach((column, k) => {
      this.runs.forEach((run, r) => {
        const index = run.trajectory.columns.indexOf(column);
        if (index < 0) return;
        const {unit, factor} = quantityOf(column, run.scene, this.degrees);
        let panel = this.panels.find((p) => p.unit === unit);
        if (!panel) this.panels.push((panel = this.makePanel(unit)));
        const colour = curveColours[k % curveColours.length]!;
        const value = h('output', {class: 'value'});
        panel.curves.push({column, run, index, colour, dash: r > 0 ? [5, 4] : undefined, factor, value});
        panel.legend.append(h('span', {class: 'entry'},
          h('span', {class: r > 0 ? 'swatch dashed' : 'swatch', style: `--colour:${colour}`}),
          h('span', {class: 'name'}, this.runs.length > 1 ? `${column} (${run.name})` : column),
          value,
          h('button', {type: 'button', class: 'icon small', 'aria-label': `Remove ${column} from the plots`, onclick: () => this.toggle(column)}, icon('close')),
        ));
      });
    });
    for (const panel of this.panels) this.host.append(panel.element);
    this.host.classList.toggle('empty', this.panels.length === 0);
    this.host.style.setProperty('--panels', String(this.panels.length));
    void this.refresh();
  }

  private makePanel(unit: string): Panel {
    const cursor = h('output', {class: 'cursor-time', 'aria-label': 'Time under the pointer'});
    const legend = h('div', {class: 'legend'}, cursor);
    const holder = h('div', {class: 'holder'});
    const element = h('figure', {class: 'plot', 'aria-label': `Plot${unit ? ` in ${unit}` : ''}`}, legend, holder);
    return {unit, element, legend, cursor, holder, curves: [], plot: null, line: h('div', {class: 'now'})};
  }

  /** Asks for the curves anew: other columns, other window, more samples. */
  async refresh(): Promise<void> {
    const ticket = ++this.ticket;
    const starts = this.runs.map((run) => run.trajectory.start).filter(Number.isFinite);
    const ends = this.runs.map((run) => run.trajectory.end).filter(Number.isFinite);
    const from = Number.isNaN(this.from) ? Math.min(...starts) : this.from;
    const to = Number.isNaN(this.to) ? Math.max(...ends) : this.to;
    if (!Number.isFinite(from + to)) return;
    for (const panel of this.panels) {
      const count = Math.max(200, Math.round((panel.holder.clientWidth || 600) * 0.8));
      const tables = await Promise.all(this.runs.map(async (run) => {
        const own = panel.curves.filter((curve) => curve.run === run);
        if (own.length === 0) return null;
        const found = await run.trajectory.curve(own.map((curve) => curve.index), from, to, count);
        return {t: found.t, values: found.values.map((values, k) => shownValues(own[k]!, values))};
      })).catch(() => null);
      if (ticket !== this.ticket) return;
      if (!tables) continue;
      const parts = tables.filter((table) => table !== null).map((table) => [Array.from(table.t), ...table.values.map(gaps)] as uPlot.AlignedData);
      const data = parts.length === 1 ? parts[0]! : uPlot.join(parts);
      // Joined tables list the runs' curves one run after the other.
      const order = this.runs.flatMap((run) => panel.curves.filter((curve) => curve.run === run));
      if (!panel.plot) panel.plot = this.makePlot(panel, order, data);
      else panel.plot.setData(data, false);
      panel.plot.batch(() => {
        panel.plot!.setScale('x', {min: from, max: to > from ? to : from + 1});
      });
    }
    this.showTime(this.time, true);
  }

  private makePlot(panel: Panel, curves: Curve[], data: uPlot.AlignedData): uPlot {
    const scale = window.innerWidth >= 2200 ? 1.4 : 1; // as the style sheet enlarges texts there
    const font = `${Math.round(11 * scale)}px system-ui, sans-serif`;
    const axis: uPlot.Axis = {
      stroke: () => themeColour('--muted'), grid: {stroke: () => themeColour('--line'), width: 1},
      ticks: {stroke: () => themeColour('--line'), width: 1, size: 4}, font, gap: 3, values: axisLabels,
    };
    const plot = new uPlot({
      width: panel.holder.clientWidth || 300,
      height: panel.holder.clientHeight || 140,
      legend: {show: false},
      padding: [6, 10, 0, 0],
      cursor: {drag: {x: true, y: false, setScale: false}, points: {size: 5}, sync: {key: 'cardan', scales: ['x', null]}},
      scales: {x: {time: false}, y: {range: valueRange}},
      axes: [
        {...axis, size: 22 * scale},
        {...axis, splits: valueTicks, size: sizeFor(58 * scale, 11 * scale), label: panel.unit || undefined, labelSize: 14 * scale, labelGap: 0, labelFont: font},
      ],
      series: [{label: 't'}, ...curves.map((curve): uPlot.Series => ({
        label: curve.column, stroke: curve.colour, width: 1.4, pxAlign: 0, spanGaps: this.runs.length > 1, points: {show: false},
        ...(curve.dash ? {dash: curve.dash} : {}),
      }))],
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 6) return;
          this.window(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
          u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        }],
        setScale: [() => this.showTime(this.time, true)],
        setCursor: [(u) => this.point(panel, curves, u)],
      },
    }, data, panel.holder);
    plot.over.append(panel.line);
    let pressed = 0;
    plot.over.addEventListener('pointerdown', (event) => (pressed = event.clientX));
    plot.over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - pressed) < 5) this.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
    plot.over.addEventListener('dblclick', () => this.window(NaN, NaN));
    return plot;
  }

  /** The values under the pointer; without one those of the current time again. */
  private point(panel: Panel, curves: Curve[], u: uPlot): void {
    const {idx, left = -1} = u.cursor;
    const on = left >= 0 && idx !== null && idx !== undefined;
    panel.legend.classList.toggle('pointed', on);
    panel.cursor.textContent = on ? `t = ${digits((u.data[0] as number[])[idx]!)} s` : '';
    if (!on) {
      const before = this.pointed;
      this.pointed = false;
      if (before) this.showTime(this.time, true);
      return;
    }
    this.pointed = true;
    curves.forEach((curve, k) => {
      const value = nearestValue(u.data[k + 1] as (number | null)[], idx);
      curve.value.textContent = value === null ? '' : digits(value);
    });
  }

  private window(from: number, to: number): void {
    this.from = from;
    this.to = to;
    void this.refresh();
  }

  /** Moves the marks to the current time; the values beside the names only when `values`. */
  showTime(time: number, values: boolean): void {
    this.time = time;
    for (const panel of this.panels) {
      if (panel.plot) {
        const {min, max} = panel.plot.scales.x!;
        const inside = min !== undefined && max !== undefined && time >= min && time <= max;
        panel.line.style.visibility = inside ? 'visible' : 'hidden';
        panel.line.style.transform = `translateX(${Math.round(panel.plot.valToPos(time, 'x'))}px)`;
      }
      if (!values || this.pointed) continue;
      for (const curve of panel.curves) {
        const text = digits(shownValue(curve, valueAt(curve.run.trajectory.locate(time), curve.index)));
        if (curve.value.textContent !== text) curve.value.textContent = text;
      }
    }
  }

  /** Colours follow the theme. */
  redraw(): void {
    for (const panel of this.panels) panel.plot?.redraw(false, true);
  }
  private fit(): void {
    for (const panel of this.panels) {
      panel.plot?.setSize({width: panel.holder.clientWidth, height: panel.holder.clientHeight});
    }
    this.showTime(this.time, false);
  }

  /** The curves that are shown, for files: with all samples that are here, at most `count` stretches of them. */
  async samples(count: number): Promise<{run: Run; columns: string[]; t: Float64Array; values: Float64Array[]}[]> {
    const curves = this.panels.flatMap((panel) => panel.curves);
    const own = this.runs.map((run) => curves.filter((curve) => curve.run === run));
    return Promise.all(this.runs.map(async (run, r) => {
      const {t, values} = await run.trajectory.curve(own[r]!.map((curve) => curve.index), run.trajectory.start, run.trajectory.end, count);
      const units = own[r]!.map((curve) => quantityOf(curve.column, run.scene, this.degrees).unit);
      const columns = own[r]!.map((curve, k) => `${curve.column}${units[k] ? ` [${units[k]}]` : ''}`);
      return {run, columns, t, values: values.map((column, k) => column.map((v) => v * own[r]![k]!.factor))};
    }));
  }
  /** Legend and drawing of each panel, for pictures. */
  drawings(): {legend: {text: string; colour: string}[]; canvas: HTMLCanvasElement}[] {
    return this.panels.flatMap((panel) => (panel.plot
      ? [{canvas: panel.plot.ctx.canvas, legend: panel.curves.map((curve) => ({text: this.runs.length > 1 ? `${curve.column} (${curve.run.name})` : curve.column, colour: curve.colour}))}]
      : []));
  }

  /** What is drawn, for tests: the points of a column. */
  drawn(column: string, run = 0): {t: number[]; values: (number | null)[]} | null {
    for (const panel of this.panels) {
      const order = this.runs.flatMap((r) => panel.curves.filter((curve) => curve.run === r));
      const k = order.findIndex((curve) => curve.column === column && curve.run === this.runs[run]);
      if (k >= 0 && panel.plot) {
        return {t: Array.from(panel.plot.data[0] as number[]), values: Array.from(panel.plot.data[k + 1] as (number | null)[])};
      }
    }
    return null;
  }
}
