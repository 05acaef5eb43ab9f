// Columns to plot, by element: groups of elements, elements, their quantities. What is folded is not in the page yet.
import type {App} from './app';
import {checkbox, h} from './dom';
import {kindTitles, pickKey, type Kind} from './pick';
import {columnsByElement, quantityOf, type ElementColumns} from './quantity';

const openAtMost = 30; // elements that a filter unfolds

export class ColumnTree {
  readonly element: HTMLElement;
  private readonly filter = h('input', {type: 'search', placeholder: 'Filter, e.g. crank or .fx', 'aria-label': 'Filter columns', oninput: () => this.refresh()});
  private readonly tree = h('div', {class: 'columns', role: 'group', 'aria-label': 'Columns to plot'});
  private readonly open = new Set<string>(); // groups and elements unfolded by hand
  private readonly shut = new Set<string>();

  constructor(private readonly app: App) {
    this.element = h('div', {class: 'column-tree'}, this.filter, this.tree);
  }

  refresh(): void {
    const main = this.app.shown[0];
    if (!main) return;
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const elements = columnsByElement(main.trajectory.columns, main.scene)
      .map((element) => ({...element, columns: element.columns.filter((column) => words.every((word) => column.toLowerCase().includes(word)))}))
      .filter((element) => element.columns.length > 0);
    const focused = document.activeElement instanceof HTMLInputElement && this.tree.contains(document.activeElement) ? document.activeElement.value : null;
    const filtered = words.length > 0;
    const groups = new Map<Kind | null, ElementColumns[]>();
    for (const element of elements) groups.set(element.kind, [...(groups.get(element.kind) ?? []), element]);
    const few = elements.length <= openAtMost;
    this.tree.replaceChildren(...[...groups].map(([kind, own]) =>
      this.branch(kind === null ? 'Others' : kindTitles[kind], String(own.length), `group ${kind}`, filtered || elements.length <= openAtMost, 'group', () =>
        own.map((element) => this.branch(element.name, '', pickKey({kind: element.kind ?? 'load', name: element.name}), (filtered && few) || this.isPlotted(element), 'element', () => this.leaves(element))))));
    if (elements.length === 0) this.tree.append(h('p', {class: 'detail'}, 'no such column'));
    if (focused !== null) this.tree.querySelector<HTMLInputElement>(`input[value="${CSS.escape(focused)}"]`)?.focus();
  }

  private isPlotted(element: ElementColumns): boolean {
    return element.columns.some((column) => this.app.plots.columns.includes(column));
  }

  /** Folded branches are filled when they are opened. */
  private branch(title: string, detail: string, key: string, openByItself: boolean, kind: string, inner: () => HTMLElement[]): HTMLDetailsElement {
    const open = this.open.has(key) || (openByItself && !this.shut.has(key));
    const content = h('div', {class: 'branch'});
    const details = h('details', {open, class: kind, 'data-key': key}, h('summary', {}, title, detail ? h('span', {class: 'detail'}, detail) : null), content);
    let filled = false;
    const fill = () => {
      if (filled || !details.open) return;
      filled = true;
      content.replaceChildren(...inner());
    };
    fill();
    details.addEventListener('toggle', () => {
      fill();
      (details.open ? this.open : this.shut).add(key);
      (details.open ? this.shut : this.open).delete(key);
    });
    return details;
  }

  private leaves({columns}: ElementColumns): HTMLElement[] {
    const {app} = this;
    const scene = app.shown[0]!.scene;
    return columns.map((column) => {
      const {unit, title} = quantityOf(column, scene, app.degrees);
      const {row, input} = checkbox(column, app.plots.columns.includes(column), () => app.plots.toggle(column));
      input.value = column;
      row.title = title;
      row.append(h('span', {class: 'detail'}, unit));
      return row;
    });
  }
}
