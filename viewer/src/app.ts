// The application: runs in, stage, plots and panel kept in step with one clock.
import {digits, h, icon, iconButton, labelled} from './dom';
import {Panel} from './panel';
import {Player, speeds} from './player';
import {Plots} from './plots';
import type {Pick} from './run_view';
import type {Vec} from './scene';
import {Stage, type Arrangement} from './stage';
import type {Run} from './trajectory';

export interface NamedFile {
  folder: string;
  file: File;
}
export interface RunEntry {
  name: string;
  run: Run | null;
}

const help: [string, string][] = [
  ['Space', 'play or pause'],
  ['← →', 'one sample back or forward; with Shift ten'],
  ['Home, End', 'start or end'],
  ['+ −', 'faster or slower'],
  ['[ ]', 'pick the previous or next element'],
  ['F', 'follow the element picked'],
  ['T', 'its trail'],
  ['R', 'reaction forces'],
  ['N', 'names'],
  ['P', 'parallel or perspective projection'],
  ['C', 'camera back to the start'],
  ['D', 'light or dark'],
  ['Esc', 'pick nothing, close this'],
  ['Mouse', 'drag turns, right drag moves, wheel zooms, click picks; in plots a click goes to that time, a drag looks closer, a double click shows all'],
  ['Touch', 'one finger turns, two move and zoom, a tap picks'],
];

export class App {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly plots: Plots;
  readonly player = new Player();
  readonly panel: Panel;
  runs: RunEntry[] = [];
  /** Runs on the stage; the first is the one that values are shown of. */
  shown: Run[] = [];
  picked: Pick | null = null;
  followed: Pick | null = null;
  showReactions = false;
  showLabels = false;
  private forceScale = 1;
  private live = false;
  private readonly title = h('h1', {}, 'Cardan');
  private readonly method = h('span', {class: 'method'});
  private readonly state = h('span', {class: 'state', role: 'status'});
  private readonly messages = h('div', {class: 'messages', role: 'alert'});
  private readonly labels = h('div', {class: 'labels', 'aria-hidden': 'true'});
  private readonly paneNames = h('div', {class: 'pane-names'});
  private readonly notice = h('div', {class: 'notice', role: 'status', hidden: true});
  private readonly playButton = iconButton('play', 'Play (space)', () => this.togglePlay());
  private readonly scrub = h('input', {type: 'range', class: 'scrub', 'aria-label': 'Time', min: '0', max: '1', step: 'any', value: '0', oninput: () => this.seek(Number(this.scrub.value))});
  private readonly clock = h('output', {class: 'clock', 'aria-label': 'Current time'});
  private readonly speed = h('select', {onchange: () => (this.player.speed = Number(this.speed.value))}, ...speeds.map((s) => h('option', {value: String(s)}, `${s}×`)));
  private readonly dialog: HTMLDialogElement;
  private readonly input = h('input', {type: 'file', multiple: true, accept: '.csv,.json', hidden: true, 'aria-label': 'Files of a result', onchange: () => this.filesChosen()});
  private dark = false;
  private dismissed = '';
  private lastValues = 0;
  private versions = '';
  private drawnTime = NaN;
  /** Milliseconds of script of the last frame. */
  frameCost = 0;
  /** Fetches a run that is listed but not here yet, and shows it. */
  want: (index: number) => void = () => {};
  openFiles: (files: NamedFile[]) => void = () => {};

  constructor(host: HTMLElement, dropZone: HTMLElement = document.body) {
    const stageHost = h('div', {class: 'stage'}, this.labels, this.paneNames, this.notice);
    const plotsHost = h('section', {class: 'plots', 'aria-label': 'Plots'});
    this.dialog = this.makeHelp();
    this.element = h('div', {class: 'app'},
      h('header', {}, this.title, this.method, this.state, h('span', {class: 'gap'}),
        iconButton('open', 'Open the files of a result', () => this.chooseFiles()),
        iconButton('theme', 'Light or dark (D)', () => this.setDark(!this.dark, true)),
        iconButton('help', 'Keys and gestures (?)', () => this.dialog.showModal())),
      this.messages,
      h('div', {class: 'middle'},
        h('main', {}, stageHost, this.makeTransport(), plotsHost),
      ),
      this.dialog, this.input);
    host.append(this.element);
    this.stage = new Stage(stageHost);
    this.stage.canvas.setAttribute('aria-label', 'The mechanism. Elements can be picked in the list beside it.');
    this.stage.canvas.setAttribute('role', 'img');
    this.plots = new Plots(plotsHost, (time) => this.seek(time), () => this.panel.refresh());
    this.panel = new Panel(this);
    this.element.querySelector('.middle')!.append(this.panel.element);
    this.panel.refresh();
    this.speed.value = '1';
    this.listen(dropZone);
    const scheme = window.matchMedia('(prefers-color-scheme: dark)');
    const stored = remembered();
    this.setDark(stored ? stored === 'dark' : scheme.matches, false);
    scheme.addEventListener('change', () => {
      if (!remembered()) this.setDark(scheme.matches, false);
    });
    new ResizeObserver(() => this.stage.resize()).observe(stageHost);
    requestAnimationFrame((now) => this.frame(now));
  }

  private makeTransport(): HTMLElement {
    const loop = h('button', {type: 'button', class: 'icon', 'aria-label': 'Start over at the end', title: 'Start over at the end', 'aria-pressed': 'true', onclick: () => {
      this.player.loop = !this.player.loop;
      loop.setAttribute('aria-pressed', String(this.player.loop));
    }}, icon('loop'));
    const speed = labelled('Speed', this.speed);
    return h('div', {class: 'transport', role: 'group', 'aria-label': 'Animation'},
      iconButton('first', 'To the start (Home)', () => this.seek(this.player.start)),
      iconButton('back', 'One sample back (←)', () => this.step(-1)),
      this.playButton,
      iconButton('forward', 'One sample forward (→)', () => this.step(1)),
      this.scrub, this.clock, speed, loop,
      iconButton('camera', 'Camera back to the start (C)', () => this.resetCamera()));
  }

  private makeHelp(): HTMLDialogElement {
    const dialog = h('dialog', {class: 'help', 'aria-label': 'Keys and gestures'},
      h('h2', {}, 'Keys and gestures'),
      h('dl', {}, ...help.flatMap(([key, text]) => [h('dt', {}, key), h('dd', {}, text)])),
      h('p', {}, 'Drop trajectory.csv, scene.json and summary.json of a result here to add it.'),
      h('button', {type: 'button', onclick: () => dialog.close()}, 'Close'));
    return dialog;
  }

  private listen(dropZone: HTMLElement): void {
    document.addEventListener('keydown', (event) => this.key(event));
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

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    const target = event.target as HTMLElement;
    if (target.closest('.report') && !target.closest('.embedded')) return; // a table or legend of the report has its own keys
    const typing = target instanceof HTMLInputElement && !['checkbox', 'range'].includes(target.type);
    const range = target instanceof HTMLInputElement && target.type === 'range' && target !== this.scrub;
    const choosing = target instanceof HTMLSelectElement || typing;
    if (choosing && event.key !== 'Escape') return;
    const onControl = target instanceof HTMLButtonElement || target.tagName === 'SUMMARY' || (target instanceof HTMLInputElement && target.type === 'checkbox');
    const actions: Record<string, () => void> = {
      ' ': () => this.togglePlay(),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.seek(this.player.start),
      End: () => this.seek(this.player.end),
      '+': () => this.changeSpeed(1),
      '=': () => this.changeSpeed(1),
      '-': () => this.changeSpeed(-1),
      '[': () => this.selectNext(-1),
      ']': () => this.selectNext(1),
      f: () => this.follow(this.followed ? null : this.picked),
      t: () => this.picked && this.setTrail(!this.stage.views[0]!.hasTrail(this.picked)),
      r: () => this.setReactions(!this.showReactions),
      n: () => this.setLabels(!this.showLabels),
      p: () => this.setOrthographic(!this.stage.orthographicView),
      c: () => this.resetCamera(),
      d: () => this.setDark(!this.dark, true),
      '?': () => this.dialog.showModal(),
      Escape: () => this.select(null),
    };
    if (event.key === ' ' && onControl) return; // the control's own key
    if (range && (event.key.startsWith('Arrow') || event.key === 'Home' || event.key === 'End')) return;
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

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
    this.speed.value = String(this.player.speed);
  }
  resetCamera(): void {
    this.stage.resetCamera();
  }

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
    this.scrub.min = String(this.player.start);
    this.scrub.max = String(this.player.end > this.player.start ? this.player.end : this.player.start + 1);
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
    const sentences = this.shown.flatMap((run) => {
      const own = [...run.problems];
      if (run.summary?.status === 'failed') own.unshift(`The simulation failed: ${run.summary.reason ?? 'no reason given'}`);
      return this.shown.length > 1 ? own.map((text) => `${run.name}: ${text}`) : own;
    });
    this.say(sentences);
    this.panel.refresh();
  }

  /** Sentences above the stage; gone when there are none. */
  say(sentences: string[]): void {
    const all = sentences.join('\n');
    if (all === this.dismissed) return;
    this.dismissed = '';
    if (this.messages.dataset.text === all) return;
    this.messages.dataset.text = all;
    this.messages.replaceChildren();
    if (sentences.length === 0) return;
    this.messages.append(h('ul', {}, ...sentences.map((text) => h('li', {}, text))),
      iconButton('close', 'Dismiss the messages', () => {
        this.dismissed = all;
        this.messages.dataset.text = '';
        this.messages.replaceChildren();
      }));
  }

  /** In place of the picture, while there is none. */
  setNotice(text: string): void {
    this.notice.hidden = text === '';
    this.notice.textContent = text;
  }

  private applyView(): void {
    for (const view of this.stage.views) {
      view.showReactions = this.showReactions;
      view.forceScale = this.forceScale;
      view.highlight(this.picked);
    }
    this.makeLabels();
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
  private selectNext(by: number): void {
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
    if (this.picked) for (const view of this.stage.views) view.setTrail(this.picked, on);
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
  setDark(dark: boolean, remember: boolean): void {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    if (remember) {
      try {
        localStorage.setItem('cardan-theme', dark ? 'dark' : 'light');
      } catch {
        // Pages from disk may not store anything.
      }
    }
    this.stage.setDark(dark);
    this.plots.redraw();
    document.dispatchEvent(new Event('cardan-theme'));
  }

  chooseFiles(): void {
    this.input.click();
  }
  private filesChosen(): void {
    this.openFiles([...(this.input.files ?? [])].map((file) => ({folder: '', file})));
    this.input.value = '';
  }

  private labelled: {pick: Pick; run: number; element: HTMLElement}[] = [];
  private makeLabels(): void {
    this.labelled = [];
    const beside = this.stage.arrangement === 'beside' && this.shown.length > 1;
    this.paneNames.replaceChildren(...(beside ? this.shown : []).map((run) => h('span', {}, run.name, run.method ? ` · ${run.method}` : '')));
    const add = (pick: Pick, run: number) => this.labelled.push({pick, run, element: h('span', {class: pick.kind}, pick.name)});
    if (this.showLabels) {
      this.stage.views.forEach((view, run) => {
        if (run > 0 && this.stage.arrangement === 'overlay') return;
        view.scene.bodies.slice(0, 200).forEach((body) => add({kind: 'body', name: body.name}, run));
      });
    }
    if (this.picked && !(this.showLabels && this.picked.kind === 'body')) add(this.picked, 0);
    this.labels.replaceChildren(...this.labelled.map((label) => label.element));
    this.placeLabels();
  }
  private placeLabels(): void {
    const at: Vec = [0, 0, 0];
    for (const label of this.labelled) {
      const p = this.stage.views[label.run]?.locate(label.pick, at);
      if (!p) continue;
      const [x, y] = this.stage.project(p, label.run);
      label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    this.player.tick(now);
    const versions = this.shown.map((run) => run.trajectory.version).join();
    if (this.player.time === this.drawnTime && !this.stage.moved && versions === this.versions) return;
    this.versions = versions;
    const begin = performance.now();
    this.drawnTime = this.player.time;
    this.stage.frame(this.player.time);
    this.frameCost = performance.now() - begin;
    this.placeLabels();
    const values = now - this.lastValues > 90 || !this.player.playing;
    if (values) this.lastValues = now;
    this.plots.showTime(this.player.time, values);
    if (values) this.panel.showValues();
    this.showClock();
  }

  private showClock(): void {
    const {time, end, playing} = this.player;
    if (document.activeElement !== this.scrub || playing) this.scrub.value = String(time);
    const decimals = end > 0 ? Math.min(6, Math.max(0, 4 - Math.ceil(Math.log10(end)))) : 3;
    const text = `${time.toFixed(decimals)} s`;
    if (this.clock.textContent !== text) {
      this.clock.textContent = text;
      this.scrub.setAttribute('aria-valuetext', `${digits(time)} seconds`);
    }
    const wanted = playing ? 'pause' : 'play';
    if (this.playButton.dataset.state === wanted) return;
    this.playButton.dataset.state = wanted;
    this.playButton.replaceChildren(icon(wanted));
    const label = playing ? 'Pause (space)' : 'Play (space)';
    this.playButton.setAttribute('aria-label', label);
    this.playButton.title = label;
  }
}

/** What to plot before anybody chose: the first body's angle or position. */
function firstColumns(run: Run): string[] {
  const known = new Set(run.trajectory.columns);
  const body = run.scene.bodies[0]?.name;
  const wanted = run.scene.planar ? [`${body}.angle`] : [`${body}.x`, `${body}.y`, `${body}.z`];
  return wanted.filter((column) => known.has(column));
}

function remembered(): string | null {
  try {
    return localStorage.getItem('cardan-theme');
  } catch {
    return null;
  }
}

/** Files dropped, those of folders included. */
async function filesOf(transfer: DataTransfer | null): Promise<NamedFile[]> {
  if (!transfer) return [];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null);
  const files: NamedFile[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      files.push({folder: entry.fullPath.split('/').slice(0, -1).join('/'), file});
    } else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      const inner = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      for (const child of inner) await walk(child);
    }
  };
  if (entries.length === 0) return [...transfer.files].map((file) => ({folder: '', file}));
  for (const entry of entries) await walk(entry);
  return files;
}
