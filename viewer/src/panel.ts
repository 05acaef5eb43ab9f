// The side panel: what is shown and how, the element picked with its values, the columns to plot.
import {checkbox, digits, h, labelled} from './dom';
import {ColumnTree} from './column_tree';
import {download, fileName, pictureOf, plotsPicture, plottedColumns} from './exports';
import {magnitudesOf} from './magnitudes';
import {ModeList} from './mode_list';
import {quantityOf} from './quantity';
import {motions, type Motion} from './motions';
import {elementsOf, kinds, kindTitles, markersOf, pickKey, pickOf, trailing, type Pick} from './pick';
import {summaryRows} from './summary';
import {valueAt} from './table';
import type {App} from './app';

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
  private readonly columns: ColumnTree;
  private readonly modes: ModeList;
  private readonly modesSection: HTMLDetailsElement;
  private readonly video = h('button', {type: 'button', onclick: () => this.record()});
  private readonly summary = h('div', {class: 'summary'});
  private readonly trail;
  private readonly reactions;
  private readonly loads;
  private readonly motions: Record<Motion, ReturnType<typeof checkbox>>;
  private readonly origin = h('p', {class: 'remark', role: 'note'});
  private readonly degrees;
  private readonly labels;
  private readonly seeThrough;
  private readonly parallel;
  private readonly scale;
  private readonly arrangement;
  private readonly runsSection: HTMLDetailsElement;
  private shown: {cell: HTMLElement; column: number; factor: number}[] = [];

  constructor(private readonly app: App) {
    this.trail = checkbox('Trail of this element', false, (on) => this.app.setTrail(on));
    this.reactions = checkbox('Reactions', false, (on) => this.app.setReactions(on));
    this.loads = checkbox('Loads', false, (on) => this.app.setLoads(on));
    this.motions = {
      velocity: checkbox('Velocities', false, (on) => this.app.setMotion('velocity', on)),
      acceleration: checkbox('Accelerations', false, (on) => this.app.setMotion('acceleration', on)),
    };
    this.degrees = checkbox('Angles in degrees', false, (on) => this.app.setDegrees(on));
    this.columns = new ColumnTree(app);
    this.modes = new ModeList(app);
    this.modesSection = section('Modes', true, this.modes.element);
    this.labels = checkbox('Names', false, (on) => this.app.setLabels(on));
    this.seeThrough = checkbox('See-through bodies', false, (on) => this.app.setSeeThrough(on));
    this.parallel = checkbox('Parallel projection', false, (on) => this.app.setOrthographic(on));
    const output = h('output', {}, '1×');
    const scale = h('input', {type: 'range', min: '-1', max: '1', step: '0.05', value: '0', oninput: () => {
      const factor = 10 ** Number(scale.value);
      output.textContent = `${digits(factor, 2)}×`;
      this.app.setArrowScale(factor);
    }});
    this.scale = {row: labelled('Arrow length', scale), input: scale};
    this.scale.row.append(output);
    const arrangement = h('select', {onchange: () => this.app.setArrangement(arrangement.value as 'overlay' | 'beside')},
      h('option', {value: 'overlay'}, 'overlaid'), h('option', {value: 'beside'}, 'side by side'));
    this.arrangement = {row: labelled('Two runs', arrangement), input: arrangement};
    this.runsSection = section('Runs', true, this.runs, this.arrangement.row);
    const save = (name: string, what: string, make: () => Promise<void>) =>
      h('button', {type: 'button', title: what, 'aria-label': what, onclick: () => void make().catch((error: Error) => app.messages.say([error.message]))}, name);
    this.element = h('aside', {class: 'side', 'aria-label': 'Settings and values'},
      this.modesSection,
      section('Element', true, labelled('Picked', this.element_), this.facts, this.values, this.trail.row),
      section('View', true, labelled('Follow', this.follow), this.reactions.row, this.loads.row, this.motions.velocity.row, this.motions.acceleration.row, this.origin, this.scale.row, this.labels.row, this.seeThrough.row, this.parallel.row),
      this.runsSection,
      section('Plot columns', true, this.degrees.row, this.columns.element),
      section('Save', true, h('div', {class: 'buttons'},
        save('Picture', 'Save the picture as PNG', async () => download(await pictureOf(app), fileName(app, '.png'))),
        save('Plots', 'Save the plots as PNG', async () => download(await plotsPicture(app), fileName(app, '-plots.png'))),
        save('CSV', 'Save the plotted columns as CSV', async () => (await plottedColumns(app)).forEach(({blob, name}) => download(blob, name))),
        this.video)),
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
    this.reactions.input.disabled = !app.stage.views.some((view) => view.forces.any('reactions'));
    this.loads.input.checked = app.showLoads;
    this.loads.input.disabled = !app.stage.views.some((view) => view.forces.any('loads'));
    this.degrees.input.checked = app.degrees;
    for (const motion of motions) {
      this.motions[motion].input.checked = app.showMotions[motion];
      this.motions[motion].input.disabled = !app.stage.views.some((view) => view.motions.any);
    }
    this.origin.textContent = this.originOfMotions();
    this.origin.hidden = this.origin.textContent === '';
    this.scale.row.hidden = !app.showsArrows;
    this.modesSection.hidden = !main?.modes;
    this.modes.refresh();
    const {running} = app.recorder;
    this.video.textContent = running ? 'Stop' : 'Video';
    this.video.title = running ? 'End the recording here and save it' : 'Record the animation from start to end as WebM';
    this.video.setAttribute('aria-label', this.video.title);
    this.labels.input.checked = app.showLabels;
    this.seeThrough.input.checked = app.seeThrough;
    this.parallel.input.checked = app.stage.orthographicView;
    this.trail.row.hidden = true;
    for (const select of [this.element_, this.follow]) select.disabled = !main;
    if (!main) return;
    const all = elementsOf(main.scene);
    const options = (...first: HTMLElement[]) => [...first, ...kinds.flatMap((kind) => {
      const own = all.filter(({pick}) => pick.kind === kind);
      return own.length === 0 ? [] : [h('optgroup', {label: kindTitles[kind]}, ...own.map(({pick, detail}) => h('option', {value: pickKey(pick)}, detail ? `${pick.name} (${detail})` : pick.name)))];
    })];
    this.element_.replaceChildren(...options(h('option', {value: ''}, 'nothing')));
    this.follow.replaceChildren(...options(h('option', {value: ''}, 'nothing'), h('option', {value: 'body:'}, 'all bodies')));
    this.element_.value = pickKey(app.picked);
    this.follow.value = pickKey(app.followed);
    this.describePick();
    this.columns.refresh();
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
    this.trail.row.hidden = picked === null || !trailing.includes(picked.kind);
    this.facts.replaceChildren();
    this.values.replaceChildren();
    this.shown = [];
    if (!picked) {
      this.facts.textContent = 'Click a body, joint or spring, or choose one here.';
      return;
    }
    this.trail.input.checked = this.app.stage.views[0]!.trails.has(picked);
    this.facts.textContent = this.factsOf(picked);
    const table = h('table', {});
    main.trajectory.columns.forEach((column, index) => {
      const quantity = quantityOf(column, main.scene, this.app.degrees);
      if (quantity.element !== picked.name) return;
      const cell = h('td', {class: 'number'});
      const on = this.app.plots.columns.includes(column);
      const button = h('button', {type: 'button', class: 'link', 'aria-pressed': String(on), 'aria-label': `Plot ${column}`, onclick: () => this.app.plots.toggle(column)}, on ? 'plotted' : 'plot');
      table.append(h('tr', {}, h('th', {scope: 'row', title: quantity.title}, quantity.suffix), cell, h('td', {class: 'unit'}, quantity.unit), h('td', {}, button)));
      this.shown.push({cell, column: index, factor: quantity.factor});
    });
    this.values.append(table);
    this.showValues();
  }

  /** What is shown although the result has no columns of it. */
  private originOfMotions(): string {
    const {stage, showMotions} = this.app;
    const made = (motion: Motion) => showMotions[motion] && stage.views.some((view) => view.motions.any && view.motions.origin[motion] === 'differences');
    const texts = [made('velocity') && 'Velocities are differences of positions.', made('acceleration') && 'Accelerations are differences of velocities from sample to sample; columns NAME.ax … (outputs) are used where there are any.'];
    return texts.filter(Boolean).join(' ');
  }

  private factsOf({kind, name}: Pick): string {
    const {scene} = this.app.shown[0]!;
    const line = kind === 'spring' ? scene.springs.find((s) => s.name === name) : kind === 'driver' ? scene.drivers.find((d) => d.name === name) : undefined;
    if (line) return `${kind} between ${line.bodies[0]} and ${line.bodies[1]}`;
    const pull = kind === 'load' && scene.pulls.find((p) => p.name === name);
    if (pull) return `${pull.cylinder ? 'cylinder' : 'pull'} between ${pull.bodies[0]} and ${pull.bodies[1]}`;
    const joint = kind === 'joint' && scene.joints.find((j) => j.name === name);
    if (joint) return `${joint.type} joint between ${joint.bodies[0]} and ${joint.bodies[1]}`;
    const wheel = kind === 'tyre' && scene.wheels.find((w) => w.tyre === name);
    if (wheel) return `tyre of ${wheel.body}, radius ${digits(wheel.radius, 4)} m`;
    const body = kind === 'body' && scene.bodies.find((b) => b.name === name);
    if (body) return `body${body.mass > 0 ? ` of ${digits(body.mass, 4)} kg` : ''}, ${body.points.length} hardpoint${body.points.length === 1 ? '' : 's'}`;
    const contact = kind === 'load' && scene.contacts.find((c) => c.name === name);
    if (contact) return `contact of ${[contact.body, ...contact.roads].join(', ')}`;
    const marker = kind === 'marker' && markersOf(scene).find((m) => m.name === name);
    if (marker) return `marker on ${marker.body}`;
    const effort = scene.efforts.find((e) => e.name === name);
    return effort ? `${effort.angular ? 'torque' : 'force'} on ${effort.joint}` : kind;
  }

  /** The numbers of the element picked, now. */
  showValues(): void {
    const view = this.app.stage.views[0];
    if (!view) return;
    for (const {cell, column, factor} of this.shown) {
      const value = valueAt(view.place, column);
      const text = digits(Math.abs(value) < magnitudesOf(view.run).floor(column) ? 0 : value * factor);
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  private record(): void {
    const {app} = this;
    try {
      if (app.recorder.running) app.recorder.stop();
      else app.recorder.start();
    } catch (error) {
      app.messages.say([(error as Error).message]);
    }
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
