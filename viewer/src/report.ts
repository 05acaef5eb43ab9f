// A report: what write_report() put into the page, as a document. The animation, when there is one, is the viewer itself.
import uPlot from 'uplot';
import {h} from './dom';
import {bytes, type Report, type ReportPlot, type ReportTable} from './embedded';
import {summaryTable} from './panel';
import {curveColours, gaps, themeColour} from './plots';

function tableOf(table: ReportTable): HTMLElement {
  const numeric = table.headers.map((_, c) => table.rows.length > 0 && table.rows.every((row) => /^[-+−]?[\d.]|^$|^[–—-]$/.test(row[c] ?? '')));
  return h('section', {},
    h('h2', {}, table.title),
    h('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': table.title},
      h('table', {class: 'data'},
        h('thead', {}, h('tr', {}, ...table.headers.map((text, c) => h('th', {scope: 'col', class: numeric[c] ? 'number' : null}, text)))),
        h('tbody', {}, ...table.rows.map((row) => h('tr', {}, ...row.map((text, c) => h('td', {class: numeric[c] ? 'number' : null}, text))))))),
    table.note ? h('p', {class: 'note'}, table.note) : null);
}

/** Made when it has a size, redrawn when that or the theme changes. */
function plotOf(plot: ReportPlot): HTMLElement {
  const holder = h('div', {class: 'holder'});
  const legend = h('div', {class: 'legend'}, ...plot.series.map((series, k) => h('span', {class: 'entry'},
    h('span', {class: 'swatch', style: `--colour:${curveColours[k % curveColours.length]!}`}), h('span', {class: 'name'}, series.name))));
  const tables = plot.series.map((series) => {
    const x = Array.from(new Float64Array(bytes(series.x)));
    const y = Array.from(new Float64Array(bytes(series.y)));
    const usable = x.map((_, i) => Number.isFinite(x[i]!) && (!plot.x_log || x[i]! > 0));
    const order = x.map((_, i) => i).filter((i) => usable[i]).sort((a, b) => x[a]! - x[b]!);
    // No x twice in one series: the later one goes just beside.
    const xs: number[] = [];
    for (const i of order) xs.push(xs.length > 0 && x[i]! <= xs.at(-1)! ? xs.at(-1)! * (1 + 1e-12) + 1e-300 : x[i]!);
    return [xs, gaps(order.map((i) => (plot.y_log && !(y[i]! > 0) ? NaN : y[i]!)))] as uPlot.AlignedData;
  });
  const few = plot.series.map((series) => series.points === true);
  let drawn: uPlot | null = null;
  const draw = () => {
    drawn?.destroy();
    drawn = null;
    if (tables.length === 0 || holder.clientWidth === 0) return;
    const axis: uPlot.Axis = {
      stroke: themeColour('--muted'), grid: {stroke: themeColour('--line'), width: 1}, ticks: {stroke: themeColour('--line'), width: 1, size: 4},
      font: '11px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif',
    };
    // Powers of ten on logarithmic axes.
    const powers: uPlot.Axis = {...axis, values: (_u, ticks) => ticks.map((v) => (v === null ? null : Math.abs(Math.log10(v) % 1) < 1e-6 ? `1e${Math.round(Math.log10(v))}` : ''))};
    drawn = new uPlot({
      width: holder.clientWidth, height: 280, legend: {show: false}, padding: [8, 14, 0, 0],
      cursor: {drag: {x: true, y: false}},
      scales: {x: {time: false, ...(plot.x_log ? {distr: 3} : {})}, y: plot.y_log ? {distr: 3} : {}},
      axes: [{...(plot.x_log ? powers : axis), label: plot.x_label, labelSize: 20, size: 30}, {...(plot.y_log ? powers : axis), label: plot.y_label, labelSize: 20, size: 56}],
      series: [{}, ...plot.series.map((series, k): uPlot.Series => ({
        label: series.name, stroke: curveColours[k % curveColours.length]!, width: 1.5, spanGaps: true, points: {show: few[k]!, size: 6},
      }))],
    }, tables.length === 1 ? tables[0]! : uPlot.join(tables), holder);
  };
  new ResizeObserver(() => draw()).observe(holder);
  document.addEventListener('cardan-theme', draw);
  return h('section', {class: 'report-plot'}, h('h2', {}, plot.title), legend, holder, plot.note ? h('p', {class: 'note'}, plot.note) : null);
}

/** The document; `viewer` is the place of the animation, left out when there is none. */
export function reportElement(report: Report, viewer: HTMLElement | null): HTMLElement {
  const section = (title: string, ...children: (Node | null)[]) => h('section', {}, h('h2', {}, title), ...children);
  return h('article', {class: 'report'},
    h('h1', {}, report.title),
    report.text ? h('p', {}, report.text) : null,
    viewer ? section('Animation', viewer) : null,
    ...report.tables.map(tableOf),
    report.plots.length > 0 ? h('div', {class: 'report-plots'}, ...report.plots.map(plotOf)) : null,
    report.summary ? section('Summary', summaryTable(report.summary)) : null,
    report.command ? section('To repeat it', h('pre', {}, report.command)) : null,
    report.model ? section('Model', h('pre', {}, report.model)) : null);
}
