// Parallel coordinates: an upright axis for each column, a line across all of them for each row. A stretch that is drawn on an axis
// chooses the lines that pass through it; a click on the axis lets all pass again.
import {digits, h} from './dom';
import {bytes, type ReportColumn} from './embedded';

const width = 1000;
const height = 360;
const top = 34;
const bottom = 24;
const side = 70;
const space = 'http://www.w3.org/2000/svg';

interface Axis {
  name: string;
  values: number[];
  places: number[]; // 0 at the foot to 1, NaN where there is none
  low: string;
  high: string;
  x: number;
  chosen: [number, number] | null;
}

function element(name: string, attributes: Record<string, string | number>, text = ''): SVGElement {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

function axisOf(column: ReportColumn, x: number): Axis {
  const values = Array.from(new Float64Array(bytes(column.values)));
  const finite = values.filter(Number.isFinite);
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const scale = column.log && low > 0 ? Math.log : (value: number) => value;
  const reach = scale(high) - scale(low);
  const label = (value: number) => column.words?.[value - 1] ?? (finite.length > 0 ? digits(value, 4) : '');
  return {
    name: column.name, values, x, low: label(low), high: label(high), chosen: null,
    places: values.map((value) => (!Number.isFinite(value) ? NaN : reach > 0 ? (scale(value) - scale(low)) / reach : 0.5)),
  };
}

/** From blue over grey to orange, which eyes of all kinds tell apart. */
function colourOf(place: number): string {
  if (!Number.isFinite(place)) return 'var(--muted)';
  return `color-mix(in oklab, #e8590c ${Math.round(100 * place)}%, #1c7ed6)`;
}

const heightOf = (place: number) => top + (1 - place) * (height - top - bottom);

export function parallelOf(columns: ReportColumn[]): HTMLElement {
  const gap = (width - 2 * side) / Math.max(1, columns.length - 1);
  const axes = columns.map((column, k) => axisOf(column, side + k * gap));
  const last = axes.at(-1)!;
  const svg = element('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', class: 'parallel'});
  svg.append(element('title', {}, `Parallel coordinates of ${axes.map((axis) => axis.name).join(', ')}`));
  const lines = last.values.map((_, row) => {
    const points = axes.filter((axis) => Number.isFinite(axis.places[row])).map((axis) => `${axis.x.toFixed(1)},${heightOf(axis.places[row]!).toFixed(1)}`);
    const line = element('polyline', {points: points.join(' '), fill: 'none', 'stroke-width': 1});
    line.style.stroke = colourOf(last.places[row]!);
    svg.append(line);
    return line;
  });
  const choose = () => lines.forEach((line, row) => {
    const passes = axes.every(({chosen, places}) => !chosen || (places[row]! >= chosen[0] && places[row]! <= chosen[1]));
    line.style.opacity = passes ? '0.7' : '0.04';
  });
  for (const axis of axes) {
    const mark = element('rect', {x: axis.x - 6, width: 12, y: 0, height: 0, class: 'chosen'});
    const grip = element('rect', {x: axis.x - 14, width: 28, y: top, height: height - top - bottom, class: 'grip'});
    svg.append(element('line', {x1: axis.x, x2: axis.x, y1: top, y2: height - bottom, class: 'axis'}), mark,
      element('text', {x: axis.x, y: 13, 'text-anchor': 'middle', class: 'name'}, axis.name),
      element('text', {x: axis.x, y: 28, 'text-anchor': 'middle'}, axis.high),
      element('text', {x: axis.x, y: height - 8, 'text-anchor': 'middle'}, axis.low), grip);
    watch(svg, grip as SVGGraphicsElement, (chosen) => {
      axis.chosen = chosen;
      mark.setAttribute('y', String(chosen ? heightOf(chosen[1]) : 0));
      mark.setAttribute('height', String(chosen ? heightOf(chosen[0]) - heightOf(chosen[1]) : 0));
      choose();
    });
  }
  choose();
  return h('section', {}, h('h2', {}, 'Parallel coordinates'),
    h('p', {class: 'lead'}, `A line for each of ${last.values.length} runs, coloured by ${last.name}. Draw along an axis to choose the lines that pass there; click it to let all pass.`),
    h('div', {class: 'scroll'}, svg as unknown as HTMLElement));
}

/** A stretch drawn with the pointer, as places of the axis; null for a click. */
function watch(svg: SVGElement, grip: SVGGraphicsElement, chosen: (stretch: [number, number] | null) => void): void {
  const place = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    const y = ((event.clientY - box.top) / box.height) * height;
    return Math.min(1, Math.max(0, 1 - (y - top) / (height - top - bottom)));
  };
  let from: number | null = null;
  grip.addEventListener('pointerdown', (event) => {
    from = place(event);
    grip.setPointerCapture(event.pointerId);
    chosen(null);
  });
  grip.addEventListener('pointermove', (event) => {
    if (from === null) return;
    const to = place(event);
    if (Math.abs(to - from) > 0.01) chosen([Math.min(from, to), Math.max(from, to)]);
  });
  grip.addEventListener('pointerup', () => (from = null));
}
