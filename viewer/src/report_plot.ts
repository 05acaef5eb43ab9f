// One plot of a report. With many curves a name has one colour and a group one dash; the legend switches curves on and off,
// and the curve nearest to the pointer is brought forward and named with its values.
import uPlot from 'uplot';
import {drawnUnit, linearLabels, logLabels, logRange, logTicks} from './axes';
import {digits, h} from './dom';
import {bytes, type ReportPlot, type ReportSeries} from './embedded';
import {axisLabels, gaps, sizeFor, themeColour, valueRange, valueTicks} from './plots';

const colours = ['#4477aa', '#cc6644', '#448855', '#aa5599', '#aa8822', '#338899', '#bb5566', '#777777', '#8866cc', '#88a030', '#d77fa1', '#5599dd'];
const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [10, 3, 2, 3], [14, 5], [4, 2, 1, 2]];
const reach = 30; // CSS pixels from the pointer to a curve that counts as meant

interface Curve {
  label: string;
  colour: string;
  dash: number[] | undefined;
  x: number[];
  y: (number | null)[];
  points: boolean;
}

function decode(text: string): number[] {
  return Array.from(new Float64Array(bytes(text)));
}

function curveOf(series: ReportSeries, plot: ReportPlot, names: string[], groups: string[]): Curve {
  const x = decode(series.x);
  const y = decode(series.y);
  const order = x.map((_, i) => i).filter((i) => Number.isFinite(x[i]!) && (!plot.x_log || x[i]! > 0)).sort((a, b) => x[a]! - x[b]!);
  // No x twice in one series: the later one goes just beside.
  const xs: number[] = [];
  for (const i of order) xs.push(xs.length > 0 && x[i]! <= xs.at(-1)! ? xs.at(-1)! * (1 + 1e-12) + 1e-300 : x[i]!);
  return {
    label: [series.group, series.name].filter(Boolean).join(', '),
    colour: colours[names.indexOf(series.name) % colours.length]!,
    dash: dashes[groups.indexOf(series.group ?? '') % dashes.length],
    x: xs,
    y: gaps(order.map((i) => (plot.y_log && !(y[i]! > 0) ? NaN : y[i]!))),
    points: series.points === true,
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

  constructor(private readonly plot: ReportPlot) {
    const names = [...new Set(plot.series.map((series) => series.name))];
    const groups = [...new Set(plot.series.map((series) => series.group ?? ''))];
    this.curves = plot.series.map((series) => curveOf(series, plot, names, groups));
    this.shown = this.curves.map(() => true);
    this.unit = plot.y_log ? 1 : drawnUnit(this.curves.flatMap((curve) => curve.y));
    this.element = h('section', {class: 'report-plot'}, h('h2', {}, plot.title), this.legend(groups), this.holder, this.readout,
      plot.note ? h('p', {class: 'note'}, plot.note) : null);
    new ResizeObserver(() => this.draw()).observe(this.holder);
    document.addEventListener('cardan-theme', () => this.draw());
  }

  /** One line for each group; pressing a name switches its curve, pressing a group all of it. */
  private legend(groups: string[]): HTMLElement | null {
    if (this.curves.every((curve) => curve.label === '')) return null;
    const buttons = this.curves.map((curve, k) => h('button', {
      type: 'button', class: 'entry link', 'aria-pressed': 'true', onclick: () => toggle([k]), onpointerenter: () => this.focus(k), onpointerleave: () => this.focus(-1),
    }, this.swatch(curve), h('span', {class: 'name'}, this.plot.series[k]!.name || curve.label || 'all')));
    const toggle = (which: number[]) => {
      const on = which.some((k) => !this.shown[k]!);
      for (const k of which) {
        this.shown[k] = on;
        buttons[k]!.setAttribute('aria-pressed', String(on));
        this.drawn?.setSeries(k + 1, {show: on});
      }
    };
    return h('div', {class: 'report-legend'}, ...groups.map((group) => {
      const own = this.plot.series.map((_, k) => k).filter((k) => (this.plot.series[k]!.group ?? '') === group);
      const named = group !== '' && own.some((k) => this.plot.series[k]!.name !== '');
      return h('div', {class: 'legend-group', role: 'group', 'aria-label': group || null},
        named ? h('button', {type: 'button', class: 'group link', title: 'All of them on or off', onclick: () => toggle(own)}, group) : null,
        h('div', {class: 'entries'}, ...own.map((k) => buttons[k]!)));
    }));
  }

  private swatch(curve: Curve): SVGSVGElement {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('class', 'line');
    svg.setAttribute('viewBox', '0 0 26 8');
    svg.setAttribute('aria-hidden', 'true');
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    line.setAttribute('d', 'M0 4H26');
    line.setAttribute('stroke', curve.colour);
    line.setAttribute('stroke-width', '2');
    if (curve.dash) line.setAttribute('stroke-dasharray', curve.dash.join(' '));
    svg.append(line);
    if (curve.points) {
      const mark = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
      for (const [key, value] of Object.entries({cx: '13', cy: '4', r: '3', fill: curve.colour})) mark.setAttribute(key, value);
      svg.append(mark);
    }
    return svg;
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
      width: holder.clientWidth, height: 300, legend: {show: false}, padding: [8, 14, 0, 0],
      cursor: {drag: {x: true, y: true, uni: 20}, points: {show: false}},
      focus: {alpha: 0.15},
      scales: {x: {time: false, ...(plot.x_log ? logScale : {})}, y: plot.y_log ? logScale : {range: valueRange}},
      axes: [{...axis(plot.x_log === true), label: plot.x_label, labelSize: 20, size: 30}, {...axis(plot.y_log === true), ...(plot.y_log ? {} : values), label: plot.y_label, labelSize: 20, size: sizeFor(60, 11)}],
      series: [{}, ...curves.map((curve, k): uPlot.Series => ({
        label: curve.label, stroke: curve.colour, width: 1.5, spanGaps: true, show: this.shown[k]!,
        points: {show: curve.points, size: 6, fill: curve.colour}, ...(curve.dash ? {dash: curve.dash} : {}),
      }))],
      hooks: {setCursor: [(u) => this.follow(u)]},
    }, tables.length === 1 ? tables[0]! : uPlot.join(tables), holder);
  }
}

/** Drawn when it has a size, again when that or the theme changes. */
export function plotOf(plot: ReportPlot): HTMLElement {
  return new Plot(plot).element;
}
