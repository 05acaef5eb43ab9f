// A report: what write_report() put into the page, as a document. The animation, when there is one, is the viewer itself.
import {h} from './dom';
import type {Report, ReportTable} from './embedded';
import {summaryTable} from './panel';
import {parallelOf} from './parallel';
import {plotsOf} from './report_plot';
import {sentence} from './summary';

/** Numbers and what stands for one: marks of failures, "own h", dashes. */
const numberLike = /^(\*?[-+−]?[\d.].*|[–—-]|\[\d+\]|own h?|none|variable)$/;
const longCell = 60; // characters from which a cell may be broken
const tallTable = 45; // rows from which a table scrolls in a box of its own

function tableOf(table: ReportTable): HTMLElement {
  // Words among numbers ("no convergence") leave a column of numbers one.
  const numeric = table.headers.map((_, c) => {
    const cells = table.rows.map((row) => row[c] ?? '').filter(Boolean);
    return cells.length > 0 && 2 * cells.filter((text) => numberLike.test(text)).length > cells.length;
  });
  const linked = (text: string, r: number, c: number) => {
    const address = c === table.headers.length - 1 ? table.links?.[r] : undefined;
    return address ? h('a', {href: address}, text) : text;
  };
  const kind = (c: number, text = '') => (numeric[c] && text.length <= longCell ? 'number' : text.length > longCell ? 'long' : null);
  return h('section', {},
    h('h2', {}, table.title),
    table.text ? h('p', {class: 'lead'}, table.text) : null,
    h('div', {class: table.rows.length > tallTable ? 'scroll tall' : 'scroll', tabindex: 0, role: 'region', 'aria-label': table.title},
      h('table', {class: 'data'},
        h('thead', {}, h('tr', {}, ...table.headers.map((text, c) => h('th', {scope: 'col', class: kind(c)}, text)))),
        h('tbody', {}, ...table.rows.map((row, r) => h('tr', {}, ...row.map((text, c) => h('td', {class: kind(c, text)}, linked(text, r, c)))))))),
    table.note ? h('p', {class: 'note'}, table.note.trimEnd()) : null);
}

/** The document; `viewer` is the place of the animation, left out when there is none. */
export function reportElement(report: Report, viewer: HTMLElement | null): HTMLElement {
  const section = (title: string, ...children: (Node | null)[]) => h('section', {}, h('h2', {}, title), ...children);
  const animation = viewer ? section('Animation', viewer) : null;
  const models = report.models ?? [];
  // The reason of a failure is a paragraph of its own, wherever else the data has it.
  const reason = report.summary?.status === 'failed' ? (report.summary.reason ?? '') : '';
  const text = (report.text ?? '').trimEnd();
  const lead = reason && text.endsWith(reason) ? text.slice(0, -reason.length) : text;
  return h('article', {class: 'report'},
    h('h1', {}, report.title),
    ...lead.split('\n\n').filter((paragraph) => paragraph.trim()).map((paragraph) => h('p', {class: 'lead'}, paragraph.trim())),
    reason ? h('p', {class: 'lead failure'}, sentence(reason)) : null,
    // Where numbers are the point they come first.
    report.tables.length === 0 ? animation : null,
    ...report.tables.map(tableOf),
    report.parallel ? parallelOf(report.parallel) : null,
    report.plots.length > 0 ? plotsOf(report.plots) : null,
    report.tables.length > 0 ? animation : null,
    report.summary ? section('Summary', summaryTable(report.summary, ['reason'])) : null,
    report.command ? section('To repeat it', h('pre', {}, report.command)) : null,
    models.length > 0
      ? section('Model', ...models.map((model, k) => h('details', {open: k === 0}, h('summary', {}, model.name), h('pre', {class: 'model'}, model.text))))
      : null);
}
