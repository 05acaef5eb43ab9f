// The application: runs in; stage, labels, plots, transport and panel kept in step with one clock.
import {digits, h, iconButton} from './dom';
import {Recorder} from './exports';
import {filesOf, type NamedFile} from './files';
import {helpDialog, pressKey} from './keys';
import {Labels} from './labels';
import {Messages} from './messages';
import {Panel} from './panel';
import {periodOf} from './modes';
import {motions, type Motion} from './motions';
import {elementsOf, samePick, type Pick} from './pick';
import {Player} from './player';
import {Plots} from './plots';
import {firstColumns} from './first_columns';
import {splitter} from './splitter';
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
  showLoads = false;
  readonly showMotions: Record<Motion, boolean> = {velocity: false, acceleration: false};
  showLabels = false;
  degrees = false;
  seeThrough = false;
  private arrowScale = 1;
  private columnsChosen: string[] = [];
  private live = false;
  readonly labels: Labels;
  readonly recorder = new Recorder(this, () => this.panel.refresh());
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
    const main = h('main', {});
    main.append(stageHost, this.transport.element, splitter(() => main, () => this.stage.resize()), plotsHost);
    const middle = h('div', {class: 'middle'}, main);
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
      this.labels.refresh(); // the legend has the colours of the arrows
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
    canvas.addEventListener('dblclick', () => this.zoom());
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
  /** The element picked fills the picture; without one everything does. */
  zoom(): void {
    if (this.picked) this.stage.zoomTo(this.picked);
    else this.stage.resetCamera();
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
      this.stage.furnish();
      if (this.stage.roaming && !main.modes) {
        this.followed = {kind: 'body', name: ''};
        this.stage.follow(this.followed, true);
      }
      if (this.plots.columns.length === 0) this.chooseColumns(main);
      this.player.start = main.trajectory.start || 0;
      this.player.time = this.player.start;
      if (main.state === 'running') this.live = true;
      if (main.modes) this.pace();
    }
    this.measure();
    this.plots.setRuns(runs);
    this.applyView();
    this.describe();
  }

  /** Puts another mode of the first run in motion. */
  showMode(index: number): void {
    const run = this.shown[0];
    if (!run) return;
    run.showMode(index);
    this.pace();
    if (this.plots.columns.join() === this.columnsChosen.join()) this.chooseColumns(run);
    this.plots.setRuns(this.shown);
    this.refreshRuns();
  }
  setModeAmplitude(factor: number): void {
    const run = this.shown[0];
    run?.showMode(run.mode, factor);
    this.refreshRuns();
  }
  /** What is plotted as long as nobody chooses. */
  private chooseColumns(run: Run): void {
    this.columnsChosen = firstColumns(run);
    this.plots.columns.splice(0, Infinity, ...this.columnsChosen);
  }
  /** A cycle of a mode takes as long as one likes to look at, whatever its frequency. */
  private pace(): void {
    const run = this.shown[0]!;
    this.player.paceFor(periodOf(run.modes?.modes[run.mode]));
    this.player.loop = this.player.playing = true;
    this.transport.showSpeed();
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
    const mode = main?.modes?.modes[main.mode];
    const texts: Record<string, string> = {running: 'running', abandoned: 'unfinished', missing: 'as drawn', finished: ''};
    const failed = main?.summary?.status === 'failed';
    this.state.textContent = failed ? 'failed' : mode ? `mode ${main!.mode + 1}: ${digits(mode.frequency, 4)} Hz, damping ratio ${digits(mode.damping, 3)}` : main ? texts[main.state]! : '';
    this.state.className = `state ${failed ? 'failed' : mode ? 'swinging' : (main?.state ?? '')}`;
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
      view.forces.reactions.shown = this.showReactions;
      view.forces.loads.shown = this.showLoads;
      for (const motion of motions) view.motions.shown[motion] = this.showMotions[motion];
      view.forces.scale = view.motions.scale = this.arrowScale;
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
    const all = elementsOf(scene).map(({pick}) => pick);
    const at = all.findIndex((pick) => samePick(pick, this.picked));
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
  setLoads(on: boolean): void {
    this.showLoads = on;
    this.update();
  }
  setDegrees(on: boolean): void {
    this.degrees = on;
    this.plots.setDegrees(on);
    this.panel.refresh();
  }
  setMotion(motion: Motion, on: boolean): void {
    this.showMotions[motion] = on;
    this.update();
  }
  /** Whether any arrows are asked for. */
  get showsArrows(): boolean {
    return this.showReactions || this.showLoads || motions.some((motion) => this.showMotions[motion]);
  }
  setArrowScale(scale: number): void {
    this.arrowScale = scale;
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
    this.recorder.frame();
  }
}
