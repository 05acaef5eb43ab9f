// The side panel: what is shown and how, the element picked with its values, the columns to plot.
import {checkbox, digits, h, labelled} from './dom';
import {quantityOf} from './quantity';
import {pickKey, pickOf} from './pick';
import {summaryRows} from './summary';
import {valueAt} from './table';
import type {App} from './app';

const columnsShown = 400;

function section(title: string, open: boolean, ...children: (Node | string)[]): HTMLDetailsElement {
  return h('details', {open}, h('summary', {}, title), h('div', {class: 'content'}, ...children));
}

export class Panel {
  readonly element: HTMLElement;
  private readonly runs = h('div', {class: 'runs'});
  private readonly element_ = h('select', {'aria-label': 'Element', onchange: () => this.app.select(pickOf(this.element_.value))});
  private readonly follow = h('select', {onchange: () => this.app.follow(pickOf(this.follow.value))});
  private readonly facts = h('div', {class: 'facts'});
  private readonly values = h('div', {class: 'values'});
  private readonly filter = h('input', {type: 'search', placeholder: 'Filter, e.g. crank or .fx', 'aria-label': 'Filter columns', oninput: () => this.listColumns()});
  private readonly list = h('div', {class: 'columns', role: 'group', 'aria-label': 'Columns to plot'});
  private readonly summary = h('div', {class: 'summary'});
  private readonly trail;
  private readonly reactions;
  private readonly labels;
  private readonly seeThrough;
  private readonly parallel;
  private readonly scale;
  private readonly arrangement;
  private readonly runsSection: HTMLDetailsElement;
  private shown: {cell: HTMLElement; column: number}[] = [];

  constructor(private readonly app: App) {
    this.trail = checkbox('Trail of this element', false, (on) => this.app.setTrail(on));
    this.reactions = checkbox('Reactions', false, (on) => this.app.setReactions(on));
    this.labels = checkbox('Names', false, (on) => this.app.setLabels(on));
    this.seeThrough = checkbox('See-through bodies', false, (on) => this.app.setSeeThrough(on));
    this.parallel = checkbox('Parallel projection', false, (on) => this.app.setOrthographic(on));
    const output = h('output', {}, '1×');
    const scale = h('input', {type: 'range', min: '-1', max: '1', step: '0.05', value: '0', oninput: () => {
      const factor = 10 ** Number(scale.value);
      output.textContent = `${digits(factor, 2)}×`;
      this.app.setForceScale(factor);
    }});
    this.scale = {row: labelled('Arrow length', scale), input: scale};
    this.scale.row.append(output);
    const arrangement = h('select', {onchange: () => this.app.setArrangement(arrangement.value as 'overlay' | 'beside')},
      h('option', {value: 'overlay'}, 'overlaid'), h('option', {value: 'beside'}, 'side by side'));
    this.arrangement = {row: labelled('Two runs', arrangement), input: arrangement};
    this.runsSection = section('Runs', true, this.runs, this.arrangement.row);
    this.element = h('aside', {class: 'side', 'aria-label': 'Settings and values'},
      section('Element', true, labelled('Picked', this.element_), this.facts, this.values, this.trail.row),
      section('View', true, labelled('Follow', this.follow), this.reactions.row, this.scale.row, this.labels.row, this.seeThrough.row, this.parallel.row),
      this.runsSection,
      section('Plot columns', true, this.filter, this.list),
      section('Summary', false, this.summary),
    );
  }

  /** After a change of runs, of what is picked, plotted or switched on. */
  refresh(): void {
    const {app} = this;
    const main = app.shown[0];
    this.listRuns();
    this.arrangement.row.hidden = app.shown.length < 2;
    this.arrangement.input.value = app.stage.arrangement;
    this.reactions.input.checked = app.showReactions;
    this.reactions.input.disabled = !app.stage.views.some((view) => view.reactions.any);
    this.scale.row.hidden = !app.showReactions;
    this.labels.input.checked = app.showLabels;
    this.seeThrough.input.checked = app.seeThrough;
    this.parallel.input.checked = app.stage.orthographicView;
    this.trail.row.hidden = true;
    for (const select of [this.element_, this.follow]) select.disabled = !main;
    if (!main) return;
    const options = (none: string) => [
      h('option', {value: ''}, none),
      h('optgroup', {label: 'Bodies'}, ...main.scene.bodies.map((b) => h('option', {value: `body:${b.name}`}, b.name))),
      h('optgroup', {label: 'Joints'}, ...main.scene.joints.map((j) => h('option', {value: `joint:${j.name}`}, `${j.name} (${j.type})`))),
    ];
    this.element_.replaceChildren(...options('nothing'));
    this.follow.replaceChildren(...options('nothing'));
    this.element_.value = pickKey(app.picked);
    this.follow.value = pickKey(app.followed);
    this.describePick();
    this.listColumns();
    this.listSummary();
  }

  private listRuns(): void {
    const {app} = this;
    this.runs.replaceChildren(...app.runs.map((entry, i) => {
      const on = entry.run !== null && app.shown.includes(entry.run);
      const {row, input} = checkbox(entry.name, on, (want) => app.showRun(i, want));
      input.disabled = on && app.shown.length === 1;
      const place = entry.run ? app.shown.indexOf(entry.run) : -1;
      row.append(h('span', {class: 'detail'}, entry.run ? entry.run.method || entry.run.state : ''));
      if (app.shown.length > 1 && place >= 0) row.classList.add(place === 0 ? 'solid' : 'overlaid');
      return row;
    }), h('button', {type: 'button', onclick: () => app.chooseFiles()}, 'Add a result…'));
  }

  private describePick(): void {
    const {picked, shown} = this.app;
    const main = shown[0]!;
    this.trail.row.hidden = picked === null;
    this.facts.replaceChildren();
    this.values.replaceChildren();
    this.shown = [];
    if (!picked) {
      this.facts.textContent = 'Click a body or a joint, or choose one here.';
      return;
    }
    this.trail.input.checked = this.app.stage.views[0]!.trails.has(picked);
    if (picked.kind === 'joint') {
      const joint = main.scene.joints.find((j) => j.name === picked.name);
      if (joint) this.facts.textContent = `${joint.type} joint between ${joint.bodies[0]} and ${joint.bodies[1]}`;
    } else {
      const body = main.scene.bodies.find((b) => b.name === picked.name);
      if (body) this.facts.textContent = `body${body.mass > 0 ? ` of ${digits(body.mass, 4)} kg` : ''}, ${body.points.length} hardpoint${body.points.length === 1 ? '' : 's'}`;
    }
    const table = h('table', {});
    main.trajectory.columns.forEach((column, index) => {
      const quantity = quantityOf(column, main.scene);
      if (quantity.element !== picked.name) return;
      const cell = h('td', {class: 'number'});
      const on = this.app.plots.columns.includes(column);
      const button = h('button', {type: 'button', class: 'link', 'aria-pressed': String(on), 'aria-label': `Plot ${column}`, onclick: () => this.app.plots.toggle(column)}, on ? 'plotted' : 'plot');
      table.append(h('tr', {}, h('th', {scope: 'row', title: quantity.title}, quantity.suffix), cell, h('td', {class: 'unit'}, quantity.unit), h('td', {}, button)));
      this.shown.push({cell, column: index});
    });
    this.values.append(table);
    this.showValues();
  }

  /** The numbers of the element picked, now. */
  showValues(): void {
    const view = this.app.stage.views[0];
    if (!view) return;
    for (const {cell, column} of this.shown) {
      const text = digits(valueAt(view.place, column));
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  private listColumns(): void {
    const {app} = this;
    const main = app.shown[0];
    if (!main) return;
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = main.trajectory.columns.filter((column) => column !== 't' && words.every((word) => column.toLowerCase().includes(word)));
    const focused = document.activeElement instanceof HTMLInputElement && this.list.contains(document.activeElement) ? document.activeElement.value : null;
    this.list.replaceChildren(...found.slice(0, columnsShown).map((column) => {
      const {unit} = quantityOf(column, main.scene);
      const {row, input} = checkbox(column, app.plots.columns.includes(column), () => app.plots.toggle(column));
      input.value = column;
      row.append(h('span', {class: 'detail'}, unit));
      return row;
    }));
    if (found.length > columnsShown) this.list.append(h('p', {class: 'detail'}, `and ${found.length - columnsShown} more: narrow the filter`));
    if (found.length === 0) this.list.append(h('p', {class: 'detail'}, 'no such column'));
    if (focused !== null) this.list.querySelector<HTMLInputElement>(`input[value="${CSS.escape(focused)}"]`)?.focus();
  }

  private listSummary(): void {
    this.summary.replaceChildren(...this.app.shown.map((run) => {
      if (!run.summary) return h('p', {class: 'detail'}, `${run.name}: no summary yet.`);
      return h('div', {}, this.app.shown.length > 1 ? h('h4', {}, run.name) : null, summaryTable(run.summary));
    }));
  }
}

export function summaryTable(summary: object, leftOut: string[] = []): HTMLTableElement {
  return h('table', {class: 'keys'}, ...summaryRows(summary, leftOut).map(({label, lines}) =>
    h('tr', {}, h('th', {scope: 'row'}, label), h('td', {}, ...lines.map((line) => h('div', {}, line))))));
}
