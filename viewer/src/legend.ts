// The legend of report plots: a name has one colour, a group one dash; pressing one switches its curves, pressing a group all of it. Plots
// with the same curves share one.
import {h} from './dom';
import type {ReportPlot} from './embedded';

const colours = ['#4477aa', '#cc6644', '#448855', '#aa5599', '#aa8822', '#338899', '#bb5566', '#777777', '#8866cc', '#88a030', '#d77fa1', '#5599dd'];
const dashes: (number[] | undefined)[] = [undefined, [7, 4], [2, 3], [10, 3, 2, 3], [14, 5], [4, 2, 1, 2]];

export interface Key {
  name: string;
  group: string;
  colour: string;
  dash: number[] | undefined;
  points: boolean;
}
/** What a legend tells its plots. */
export interface Listener {
  show(key: Key, on: boolean): void;
  focus(key: Key | null): void;
}

const labelOf = (group: string, name: string) => [group, name].filter(Boolean).join(', ');

export class Legend {
  readonly keys: Key[] = [];
  private readonly listeners: Listener[] = [];

  constructor(plots: ReportPlot[]) {
    const all = plots.flatMap((plot) => plot.series);
    const names = [...new Set(all.map((series) => series.name))];
    const groups = [...new Set(all.map((series) => series.group ?? ''))];
    for (const group of groups) {
      for (const name of names) {
        const own = all.filter((series) => series.name === name && (series.group ?? '') === group);
        if (own.length === 0) continue;
        this.keys.push({
          name, group, colour: colours[names.indexOf(name) % colours.length]!, dash: dashes[groups.indexOf(group) % dashes.length],
          points: own.some((series) => series.points === true),
        });
      }
    }
  }

  key(name: string, group: string): Key {
    return this.keys.find((key) => key.name === name && key.group === group)!;
  }
  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** One line for each group; nothing when there is only a curve without a name. */
  element(): HTMLElement | null {
    const {keys} = this;
    if (keys.every((key) => labelOf(key.group, key.name) === '')) return null;
    const shown = keys.map(() => true);
    const toggle = (which: number[]) => {
      const on = which.some((k) => !shown[k]!);
      for (const k of which) {
        shown[k] = on;
        buttons[k]!.setAttribute('aria-pressed', String(on));
        for (const listener of this.listeners) listener.show(keys[k]!, on);
      }
    };
    const focus = (key: Key | null) => this.listeners.forEach((listener) => listener.focus(key));
    const buttons = keys.map((key, k) => h('button', {
      type: 'button', class: 'entry link', 'aria-pressed': 'true', onclick: () => toggle([k]), onpointerenter: () => focus(key), onpointerleave: () => focus(null),
    }, swatch(key), h('span', {class: 'name'}, key.name || key.group || 'all')));
    return h('div', {class: 'report-legend'}, ...[...new Set(keys.map((key) => key.group))].map((group) => {
      const own = keys.map((_, k) => k).filter((k) => keys[k]!.group === group);
      const named = group !== '' && own.some((k) => keys[k]!.name !== '');
      return h('div', {class: 'legend-group', role: 'group', 'aria-label': group || null},
        named ? h('button', {type: 'button', class: 'group link', title: 'All of them on or off', onclick: () => toggle(own)}, group) : null,
        h('div', {class: 'entries'}, ...own.map((k) => buttons[k]!)));
    }));
  }
}

function swatch(key: Key): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'line');
  svg.setAttribute('viewBox', '0 0 26 8');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', 'M0 4H26');
  line.setAttribute('stroke', key.colour);
  line.setAttribute('stroke-width', '2');
  if (key.dash) line.setAttribute('stroke-dasharray', key.dash.join(' '));
  svg.append(line);
  if (key.points) {
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    for (const [name, value] of Object.entries({cx: '13', cy: '4', r: '3', fill: key.colour})) mark.setAttribute(name, value);
    svg.append(mark);
  }
  return svg;
}

/** Plots one after the other whose curves bear the same names, some of them missing here or there, under one legend. */
export function plotsByLegend(plots: ReportPlot[]): ReportPlot[][] {
  const keysOf = (plot: ReportPlot) => new Set(plot.series.map((series) => labelOf(series.group ?? '', series.name)));
  const groups: {keys: Set<string>; plots: ReportPlot[]}[] = [];
  for (const plot of plots) {
    const keys = keysOf(plot);
    const last = groups.at(-1);
    const [few, many] = last && keys.size < last.keys.size ? [keys, last.keys] : [last?.keys ?? keys, keys];
    const same = last && keys.size > 1 && few.size > many.size / 2 && [...few].every((key) => many.has(key));
    if (last && same) {
      last.plots.push(plot);
      last.keys = many;
    } else groups.push({keys, plots: [plot]});
  }
  return groups.map((group) => group.plots);
}
