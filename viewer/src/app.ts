// The application: runs in; stage, labels, plots, transport and panel kept in step with one clock.
import {h, iconButton} from './dom';
import {filesOf, type NamedFile} from './files';
import {helpDialog, pressKey} from './keys';
import {Labels} from './labels';
import {Messages} from './messages';
import {Panel} from './panel';
import type {Pick} from './pick';
import {Player} from './player';
import {Plots} from './plots';
import {Stage, type Arrangement} from './stage';
import {Theme} from './theme';
import type {Run} from './trajectory';
import {Transport} from './transport';

export interface RunEntry {
  name: string;
  run: Run | null;
}

const valuesEvery = 90; // ms

export class App {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly plots: Plots;
  readonly player = new Player();
  readonly panel: Panel;
  readonly transport: Transport;
  readonly theme: Theme;
  readonly messages = new Messages();
  readonly dialog = helpDialog();
  runs: RunEntry[] = [];
  /** Runs on the stage; the first is the one that values are shown of. */
  shown: Run[] = [];
  picked: Pick | null = null;
  followed: Pick | null = null;
  showReactions = false;
  showLabels = false;
  seeThrough = false;
  private forceScale = 1;
  private live = false;
  private readonly labels: Labels;
  private readonly title = h('h1', {}, 'Cardan');
  private readonly method = h('span', {class: 'method'});
  private readonly state = h('span', {class: 'state', role: 'status'});
  private readonly notice = h('div', {class: 'notice', role: 'status', hidden: true});
  private readonly input = h('input', {type: 'file', multiple: true, accept: '.csv,.json', hidden: true, 'aria-label': 'Files of a result', onchange: () => this.filesChosen()});
  private lastValues = 0;
  private versions = '';
  private drawnTime = NaN;
  /** Milliseconds of script of the last frame. */
  frameCost = 0;
  /** The reason of a failure that the page around has told already. */
  reasonTold: string | null = null;
  /** Fetches a run that is listed but not here yet, and shows it. */
  want: (index: number) => void = () => {};
  openFiles: (files: NamedFile[]) => void = () => {};

  constructor(host: HTMLElement, dropZone: HTMLElement = document.body) {
    this.labels = new Labels(this);
    this.transport = new Transport(this);
    const stageHost = h('div', {class: 'stage'}, ...this.labels.elements, this.notice);
    const plotsHost = h('section', {class: 'plots', 'aria-label': 'Plots'});
    const middle = h('div', {class: 'middle'}, h('main', {}, stageHost, this.transport.element, plotsHost));
    this.element = h('div', {class: 'app'},
      h('header', {}, this.title, this.method, this.state, h('span', {class: 'gap'}),
        iconButton('open', 'Open the files of a result', () => this.chooseFiles()),
        iconButton('theme', 'Light or dark (D)', () => this.theme.toggle()),
        iconButton('help', 'Keys and gestures (?)', () => this.dialog.showModal())),
      this.messages.element, middle, this.dialog, this.input);
    host.append(this.element);
    this.stage = new Stage(stageHost);
    this.stage.canvas.setAttribute('aria-label', 'The mechanism. Elements can be picked in the list beside it.');
    this.stage.canvas.setAttribute('role', 'img');
    this.plots = new Plots(plotsHost, (time) => this.seek(time), () => this.panel.refresh());
    this.panel = new Panel(this);
    middle.append(this.panel.element);
    this.panel.refresh();
    this.theme = new Theme((dark) => {
      this.stage.setDark(dark);
      this.plots.redraw();
    });
    this.listen(dropZone);
    new ResizeObserver(() => this.stage.resize()).observe(stageHost);
    requestAnimationFrame((now) => this.frame(now));
  }

  private listen(dropZone: HTMLElement): void {
    document.addEventListener('keydown', (event) => pressKey(this, event));
    const canvas = this.stage.canvas;
    let down: {x: number; y: number} | null = null;
    canvas.addEventListener('pointerdown', (event) => (down = {x: event.clientX, y: event.clientY}));
    canvas.addEventListener('pointerup', (event) => {
      if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > 5 || event.button !== 0) return;
      const box = canvas.getBoundingClientRect();
      this.select(this.stage.pick(event.clientX - box.left, event.clientY - box.top)?.pick ?? null);
    });
    dropZone.addEventListener('dragover', (event) => event.preventDefault());
    dropZone.addEventListener('drop', (event) => {
      event.preventDefault();
      void filesOf(event.dataTransfer).then((files) => this.openFiles(files));
    });
  }

  // The clock.

  togglePlay(): void {
    this.live = false;
    this.player.toggle();
  }
  seek(time: number): void {
    this.live = false;
    this.player.seek(time);
  }
  step(count: number): void {
    this.player.playing = false;
    const run = this.shown[0];
    if (run) this.seek(run.trajectory.step(this.player.time, count));
  }
  changeSpeed(by: 1 | -1): void {
    this.player.changeSpeed(by);
    this.transport.showSpeed();
  }
  resetCamera(): void {
    this.stage.resetCamera();
  }

  // Runs.

  /** What there is to show; the first few are put on the stage unless `names` says which. */
  setRuns(entries: RunEntry[], names: string[] = []): void {
    this.runs = entries;
    const ready = entries.filter((entry) => entry.run !== null);
    const asked = names.map((name) => ready.find((entry) => entry.name === name || entry.run!.name === name)).filter((entry) => entry !== undefined);
    const first = asked.length > 0 ? asked : ready.length <= 2 ? ready : ready.slice(0, 1);
    this.display(first.map((entry) => entry.run!));
  }
  addRun(run: Run): void {
    this.runs.push({name: run.name, run});
    this.display([...this.shown.slice(0, 1), run]);
  }
  showRun(index: number, on: boolean): void {
    const run = this.runs[index]?.run;
    if (!run) {
      if (on) this.want(index);
      return;
    }
    this.display(on ? [...this.shown, run] : this.shown.filter((other) => other !== run));
  }

  private display(runs: Run[]): void {
    const before = this.shown[0];
    this.shown = runs;
    this.stage.setRuns(runs);
    const main = runs[0];
    if (main && main !== before) {
      this.picked = this.followed = null;
      this.stage.follow(null);
      this.stage.furnish(main.scene);
      if (main.scene.ground.length === 0 && main.scene.bodies[0] && !main.bare) this.follow({kind: 'body', name: main.scene.bodies[0].name});
      if (this.plots.columns.length === 0) this.plots.columns.push(...firstColumns(main));
      this.player.start = main.trajectory.start || 0;
      this.player.time = this.player.start;
      if (main.state === 'running') this.live = true;
    }
    this.measure();
    this.plots.setRuns(runs);
    this.applyView();
    this.describe();
  }

  /** After new samples, another state or other problems. */
  refreshRuns(): void {
    this.measure();
    const versions = this.shown.map((run) => run.trajectory.version).join();
    if (versions !== this.versions) void this.plots.refresh();
    this.versions = versions;
    this.stage.moved = true;
    this.describe();
  }

  private measure(): void {
    const finite = (values: number[]) => values.filter(Number.isFinite);
    this.player.start = Math.min(...finite(this.shown.map((run) => run.trajectory.start)), Infinity);
    if (!Number.isFinite(this.player.start)) this.player.start = 0;
    this.player.end = Math.max(this.player.start, ...finite(this.shown.map((run) => run.trajectory.end)));
    this.transport.showRange();
    if (this.live) this.player.time = this.player.end;
    this.player.seek(this.player.time);
  }

  private describe(): void {
    const main = this.shown[0];
    this.title.textContent = main ? main.scene.name || main.name : 'Cardan';
    this.method.textContent = this.shown.map((run) => (this.shown.length > 1 ? `${run.name}${run.method ? ` (${run.method})` : ''}` : run.method)).filter(Boolean).join(' / ');
    document.title = main ? `${main.scene.name || main.name} · Cardan` : 'Cardan';
    const texts: Record<string, string> = {running: 'running', abandoned: 'unfinished', missing: 'as drawn', finished: ''};
    const failed = main?.summary?.status === 'failed';
    this.state.textContent = failed ? 'failed' : main ? texts[main.state]! : '';
    this.state.className = `state ${failed ? 'failed' : (main?.state ?? '')}`;
    this.messages.say(this.shown.flatMap((run) => {
      const own = [...run.problems];
      if (run.summary?.status === 'failed' && (this.reasonTold === null || run.summary.reason !== this.reasonTold)) own.unshift(`The simulation failed: ${run.summary.reason ?? 'no reason given'}`);
      return this.shown.length > 1 ? own.map((text) => `${run.name}: ${text}`) : own;
    }));
    this.panel.refresh();
  }

  /** In place of the picture, while there is none. */
  setNotice(text: string): void {
    this.notice.hidden = text === '';
    this.notice.textContent = text;
  }

  // What is picked and shown, and how.

  private applyView(): void {
    for (const view of this.stage.views) {
      view.reactions.shown = this.showReactions;
      view.reactions.scale = this.forceScale;
      view.setSeeThrough(this.seeThrough);
      view.highlight(this.picked);
    }
    this.labels.refresh();
    this.stage.moved = true;
  }
  private update(): void {
    this.applyView();
    this.panel.refresh();
  }

  select(pick: Pick | null): void {
    this.picked = pick;
    this.update();
  }
  selectNext(by: number): void {
    const scene = this.shown[0]?.scene;
    if (!scene) return;
    const all: Pick[] = [...scene.bodies.map((b): Pick => ({kind: 'body', name: b.name})), ...scene.joints.map((j): Pick => ({kind: 'joint', name: j.name}))];
    const at = all.findIndex((pick) => pick.kind === this.picked?.kind && pick.name === this.picked.name);
    if (all.length > 0) this.select(all[(at + by + (at < 0 && by < 0 ? 1 : 0) + all.length) % all.length]!);
  }
  follow(pick: Pick | null): void {
    this.followed = pick;
    this.stage.follow(pick);
    this.update();
  }
  setTrail(on: boolean): void {
    if (this.picked) for (const view of this.stage.views) view.trails.set(this.picked, on);
    this.update();
  }
  setReactions(on: boolean): void {
    this.showReactions = on;
    this.update();
  }
  setForceScale(scale: number): void {
    this.forceScale = scale;
    this.applyView();
  }
  setLabels(on: boolean): void {
    this.showLabels = on;
    this.update();
  }
  setSeeThrough(on: boolean): void {
    this.seeThrough = on;
    this.update();
  }
  setOrthographic(on: boolean): void {
    this.stage.setOrthographic(on);
    this.update();
  }
  setArrangement(arrangement: Arrangement): void {
    this.stage.setArrangement(arrangement);
    this.stage.setRuns(this.shown); // overlaid runs are ghosts, those beside are not
    this.stage.resetCamera();
    this.update();
  }

  chooseFiles(): void {
    this.input.click();
  }
  private filesChosen(): void {
    this.openFiles([...(this.input.files ?? [])].map((file) => ({folder: '', file})));
    this.input.value = '';
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    this.player.tick(now);
    const versions = this.shown.map((run) => run.trajectory.version).join();
    if (this.player.time === this.drawnTime && !this.stage.moved && versions === this.versions) return this.transport.showTime();
    this.versions = versions;
    const begin = performance.now();
    this.drawnTime = this.player.time;
    this.stage.frame(this.player.time);
    this.frameCost = performance.now() - begin;
    this.labels.place();
    const values = now - this.lastValues > valuesEvery || !this.player.playing;
    if (values) this.lastValues = now;
    this.plots.showTime(this.player.time, values);
    if (values) {
      this.panel.showValues();
      this.labels.showValues();
    }
    this.transport.showTime();
  }
}

/** What to plot before anybody chose: angle or position of the first body that moves. */
function firstColumns(run: Run): string[] {
  const where = new Map(run.trajectory.columns.map((name, i) => [name, i]));
  const table = run.trajectory.overview();
  const moves = (column: string) => {
    const values = table.columns[where.get(column) ?? -1];
    if (!values) return false;
    let low = Infinity;
    let high = -Infinity;
    const stride = Math.max(1, Math.floor(table.length / 500));
    for (let row = 0; row < table.length; row += stride) {
      low = Math.min(low, values[row]!);
      high = Math.max(high, values[row]!);
    }
    return high - low > 1e-6 * run.scene.size;
  };
  const columns = run.scene.bodies.map(({name}) => (run.scene.planar ? [`${name}.angle`] : [`${name}.x`, `${name}.y`, `${name}.z`]).filter((column) => where.has(column)));
  for (const own of columns) {
    const moving = own.filter(moves);
    if (moving.length > 0) return moving;
  }
  return columns[0] ?? [];
}
