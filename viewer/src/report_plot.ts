// One plot of a report. The legend switches curves on and off, the curve nearest to the pointer is brought forward and named with its
// values; the plot can be made large and saved.
import uPlot from 'uplot';
import {drawnUnit, linearLabels, logLabels, logRange, logTicks, rising} from './axes';
import {digits, h, iconButton} from './dom';
import {bytes, type ReportPlot, type ReportSeries} from './embedded';
import {csvOf, download, pngOf} from './exports';
import {Legend, plotsByLegend, type Key} from './legend';
import {axisLabels, gaps, sizeFor, themeColour, valueRange, valueTicks} from './plots';

const reach = 30; // CSS pixels from the pointer to a curve that counts as meant

interface Curve {
  key: Key;
  label: string;
  x: number[];
  y: (number | null)[];
  points: boolean;
  line: boolean;
}

function decode(text: string): number[] {
  return Array.from(new Float64Array(bytes(text)));
}

function curveOf(series: ReportSeries, plot: ReportPlot, legend: Legend): Curve {
  const x = decode(series.x);
  const y = decode(series.y);
  const order = x.map((_, i) => i).filter((i) => Number.isFinite(x[i]!) && (!plot.x_log || x[i]! > 0)).sort((a, b) => x[a]! - x[b]!);
  return {
    key: legend.key(series.name, series.group ?? ''),
    label: [series.group, series.name].filter(Boolean).join(', '),
    x: rising(order.map((i) => x[i]!)),
    y: gaps(order.map((i) => (plot.y_log && !(y[i]! > 0) ? NaN : y[i]!))),
    points: series.points === true,
    line: series.line !== false,
  };
}

/** CSS pixels that a label takes along its axis, with room to the next: x below, y at the side. */
const labelSpace = [44, 18];

function logScaleRange(_u: uPlot, min: number | null, max: number | null): [number | null, number | null] {
  return min === null || max === null || !(min > 0) ? [min, max] : logRange(min, max);
}
function logSplits(u: uPlot, axis: number, min: number, max: number): number[] {
  const length = (axis === 0 ? u.bbox.width : u.bbox.height) / devicePixelRatio;
  return logTicks(min, max, length || 240, labelSpace[axis]!);
}

class Plot {
  readonly element: HTMLElement;
  private readonly holder = h('div', {class: 'holder'});
  private readonly readout = h('output', {class: 'readout'});
  private readonly curves: Curve[];
  private readonly shown: boolean[];
  private drawn: uPlot | null = null;
  private near = -1;
  private readonly unit: number; // of what is drawn

  constructor(private readonly plot: ReportPlot, legend: Legend, alone: boolean) {
    this.curves = plot.series.map((series) => curveOf(series, plot, legend));
    this.shown = this.curves.map(() => true);
    this.unit = plot.y_log ? 1 : drawnUnit(this.curves.flatMap((curve) => curve.y));
    const button = (name: string, label: string, press: () => void) => iconButton(name, `${label}: ${plot.title}`, press);
    const grow = button('grow', 'Large or small', () => {
      this.element.classList.toggle('large');
      this.draw();
    });
    this.element = h('section', {class: 'report-plot'},
      h('div', {class: 'plot-head'}, h('h2', {}, plot.title), grow, button('save', 'Save as PNG', () => void this.savePicture()), button('table', 'Save as CSV', () => this.saveTable())),
      alone ? legend.element() : null, this.holder, this.readout, plot.note ? h('p', {class: 'note'}, plot.note) : null);
    legend.listen({
      show: (key, on) => this.curves.forEach((curve, k) => {
        if (curve.key !== key) return;
        this.shown[k] = on;
        this.drawn?.setSeries(k + 1, {show: on});
      }),
      focus: (key) => this.focus(key ? this.curves.findIndex((curve) => curve.key === key) : -1),
    });
    new ResizeObserver(() => this.draw()).observe(this.holder);
    document.addEventListener('cardan-theme', () => this.draw());
  }

  private get fileName(): string {
    return this.plot.title.replace(/[^\w.-]+/g, '_');
  }
  private async savePicture(): Promise<void> {
    if (!this.drawn) return;
    const source = this.drawn.ctx.canvas;
    const canvas = document.createElement('canvas');
    canvas.width = source.width;
    canvas.height = source.height;
    const context = canvas.getContext('2d')!;
    context.fillStyle = themeColour('--back');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0);
    download(await pngOf(canvas), `${this.fileName}.png`);
  }
  /** One pair of columns for each curve: their x need not agree. */
  private saveTable(): void {
    const shown = this.curves.filter((_, k) => this.shown[k]!);
    const rows = Math.max(0, ...shown.map((curve) => curve.x.length));
    const filled = (values: (number | null)[]) => Array.from({length: rows}, (_, i) => values[i] ?? null);
    const {x_label, y_label} = this.plot;
    download(csvOf(shown.flatMap((curve) => [x_label, [curve.label, y_label].filter(Boolean).join(': ')]), shown.flatMap((curve) => [filled(curve.x), filled(curve.y)])), `${this.fileName}.csv`);
  }

  /** Brings a curve forward, or with -1 lets all be equal again. */
  private focus(k: number): void {
    if (k === this.near || this.curves.length < 2) return;
    this.near = k;
    this.drawn?.setSeries(k < 0 ? null : k + 1, {focus: k >= 0});
  }

  private follow(u: uPlot): void {
    const {left = -1, top = -1} = u.cursor;
    let best = reach * reach;
    let at: {k: number; i: number} | null = null;
    if (left >= 0) {
      this.curves.forEach((curve, k) => {
        if (!this.shown[k]!) return;
        curve.x.forEach((x, i) => {
          const y = curve.y[i];
          if (y === null || y === undefined) return;
          const distance = (u.valToPos(x, 'x') - left) ** 2 + (u.valToPos(y / this.unit, 'y') - top) ** 2;
          if (distance < best) [best, at] = [distance, {k, i}];
        });
      });
    }
    const found = at as {k: number; i: number} | null;
    this.focus(found ? found.k : -1);
    const curve = found ? this.curves[found.k]! : null;
    const text = found && curve ? `${curve.label ? `${curve.label}: ` : ''}${digits(curve.x[found.i]!, 4)}; ${digits(curve.y[found.i]!, 4)}` : '';
    if (this.readout.textContent !== text) this.readout.textContent = text;
  }

  private draw(): void {
    this.drawn?.destroy();
    this.drawn = null;
    const {plot, curves, holder, unit} = this;
    if (curves.length === 0 || holder.clientWidth === 0) return;
    const axis = (log: boolean): uPlot.Axis => ({
      stroke: themeColour('--muted'), grid: {stroke: themeColour('--line'), width: 1}, ticks: {stroke: themeColour('--line'), width: 1, size: 4},
      font: '11px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif',
      ...(log ? {splits: logSplits, filter: (_u: uPlot, ticks: number[]) => ticks, values: (_u: uPlot, ticks: number[]) => logLabels(ticks)} : {values: axisLabels}),
    });
    const logScale: uPlot.Scale = {distr: 3, range: logScaleRange as uPlot.Scale['range']};
    const values = {splits: valueTicks, values: (_u: uPlot, ticks: number[]) => linearLabels(ticks.map((v) => v * unit))};
    const tables = curves.map((curve) => [curve.x, curve.y.map((y) => (y === null ? null : y / unit))] as uPlot.AlignedData);
    this.drawn = new uPlot({
      width: holder.clientWidth, height: holder.clientHeight || 300, legend: {show: false}, padding: [8, 14, 0, 0],
      cursor: {drag: {x: true, y: true, uni: 20}, points: {show: false}},
      focus: {alpha: 0.15},
      scales: {x: {time: false, ...(plot.x_log ? logScale : {})}, y: plot.y_log ? logScale : {range: valueRange}},
      axes: [{...axis(plot.x_log === true), label: plot.x_label, labelSize: 20, size: 30}, {...axis(plot.y_log === true), ...(plot.y_log ? {} : values), label: plot.y_label, labelSize: 20, size: sizeFor(60, 11)}],
      series: [{}, ...curves.map((curve, k): uPlot.Series => ({
        label: curve.label, stroke: curve.key.colour, width: curve.line ? 1.5 : 0, spanGaps: true, show: this.shown[k]!,
        points: {show: curve.points, size: curve.line ? 6 : 4, stroke: curve.key.colour, fill: curve.key.colour}, ...(curve.key.dash ? {dash: curve.key.dash} : {}),
      }))],
      hooks: {setCursor: [(u) => this.follow(u)]},
    }, tables.length === 1 ? tables[0]! : uPlot.join(tables), holder);
  }
}

/** Drawn when they have a size, again when that or the theme changes. Plots with the same curves stand under one legend. */
export function plotsOf(plots: ReportPlot[]): HTMLElement {
  return h('div', {class: 'report-plots'}, ...plotsByLegend(plots).flatMap((group) => {
    const legend = new Legend(group);
    const shared = group.length > 1 ? legend.element() : null;
    shared?.classList.add('shared');
    return [...(shared ? [shared] : []), ...group.map((plot) => new Plot(plot, legend, group.length === 1).element)];
  }));
}
