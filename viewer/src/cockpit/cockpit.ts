// The cockpit: a drive in real time, with a person at the inputs. Frames in, picture, gauges and strips out; keys, pointers and
// gamepads in, inputs and commands out.
import './cockpit.css';
import {h, iconButton} from '../dom';
import {firstColumns} from '../first_columns';
import {Messages} from '../messages';
import {Stage} from '../stage';
import {Theme} from '../theme';
import {Run, sceneFromText} from '../trajectory';
import type {Vec} from '../scene';
import {Cameras, travels, type CameraName} from './cameras';
import {Control} from './controls';
import {DriveBar, scales, type DriveActions} from './drive_bar';
import {Gamepads, type Source} from './gamepad';
import {Gauge} from './gauges';
import {Inputs} from './inputs';
import {KeyMap, keySign} from './key_map';
import {commandKeys, Keyboard} from './keyboard';
import {Latency} from './latency';
import {Link, type LinkState} from './link';
import {LiveTrajectory} from './live_trajectory';
import type {DriveInfo, Frame, Said} from './protocol';
import {remember, remembered} from './remember';
import {SidePanel} from './side_panel';
import {Strip, Strips} from './strips';
import {WideGround} from './wide_ground';
import {Vector3} from 'three';

const tickEvery = 10; // ms, of keys and gamepads
const valuesEvery = 100; // ms, of gauges and strips
const outputsAtFirst = 6;
const overAfter = 1.5; // s on its side until the page says so
const roadBeside = 150; // m that a road reaches beyond its wheels: one may steer
const roadBeyond = 1000; // m that it goes on at either end

const modeWords: Record<Frame['mode'], string> = {runs: 'driving', paused: 'paused', failed: 'failed', done: 'at its end'};

export class Cockpit implements DriveActions {
  readonly element: HTMLElement;
  readonly stage: Stage;
  readonly cameras: Cameras;
  readonly trajectory: LiveTrajectory;
  readonly inputs: Inputs;
  readonly gamepads: Gamepads;
  readonly link: Link;
  readonly latency = new Latency();
  readonly theme: Theme;
  readonly messages = new Messages();
  readonly strips = new Strips();
  readonly run: Run;
  linkState: LinkState = 'connecting';
  /** Milliseconds of script of the last frame. */
  frameCost = 0;
  private gauges: Gauge[] = [];
  private readonly gaugeHost = h('div', {class: 'gauges', 'aria-label': 'Gauges', role: 'region'});
  private readonly state = h('span', {class: 'state', role: 'status'});
  private readonly clock = h('output', {class: 'clock', 'aria-label': 'Simulated time'});
  private readonly banner = h('div', {class: 'banner', role: 'alert', hidden: true});
  private readonly dialog: HTMLDialogElement;
  private readonly controls: Control[];
  private readonly bar: DriveBar;
  private readonly side: SidePanel;
  private ground: WideGround | null = null;
  private readonly placed = new Map<number, number[]>(); // inputs of saved states
  private stamp = 0;
  private reason = '';
  private lastTick = performance.now();
  private lastValues = 0;
  private framesThen = 0;
  private drawnTime = NaN;
  private drawnCount = -1;
  private overSince = NaN; // s of simulated time: it has lain on its side or back from then on
  private isOver = false; // for a while

  constructor(host: HTMLElement, readonly info: DriveInfo, scene: string | null) {
    const problems: string[] = [];
    this.trajectory = new LiveTrajectory(info.columns);
    this.run = new Run(info.model, sceneFromText(scene, problems), this.trajectory);
    this.lengthenRoads();
    this.inputs = new Inputs(info.inputs);
    const keys = new KeyMap(this.inputs.all);
    this.gamepads = new Gamepads(this.inputs.all, () => this.side?.showPad());
    for (const [name, source] of Object.entries(remembered<Record<string, Source>>(info.model, 'gamepad') ?? {})) {
      const input = this.inputs.find(name);
      if (input) this.gamepads.choose(input, source);
    }
    const moved = (at: number) => this.flush(at);
    this.controls = this.inputs.all.map((input) => new Control(input, keys.pairs.get(input), moved));
    this.dialog = this.helpDialog(keys);
    const stageHost = h('div', {class: 'stage'}, this.gaugeHost, this.banner);
    const main = h('main', {}, stageHost);
    const middle = h('div', {class: 'middle'}, main);
    const title = this.run.scene.name || info.model;
    this.element = h('div', {class: 'app cockpit'},
      h('header', {}, h('h1', {}, title), h('span', {class: 'method'}, [info.formulation, info.integrator].filter(Boolean).join(' · ')), this.state, h('span', {class: 'gap'}), this.clock,
        iconButton('theme', 'Light or dark', () => this.theme.toggle()),
        iconButton('help', 'Keys and gestures (?)', () => this.help())),
      this.messages.element, middle, this.dialog);
    document.title = `${title} · Cardan`;
    host.append(this.element);
    this.stage = new Stage(stageHost);
    this.stage.roadMargin = roadBeside;
    this.stage.canvas.setAttribute('role', 'img');
    this.stage.canvas.setAttribute('aria-label', 'The machine');
    this.stage.setRuns([this.run]);
    this.stage.furnish();
    this.cameras = new Cameras(this.stage, this.stage.views[0]!);
    this.stage.beforeDraw = () => this.beforeDraw();
    this.bar = new DriveBar(this, Math.min(9, info.places), this.cameras.available);
    const chosen = this.firstOutputs();
    this.side = new SidePanel({columns: info.columns.filter((name) => name !== 't'), chosen, choose: (columns) => {
      remember(info.model, 'outputs', columns);
      this.showOutputs(columns);
    }}, this.strips, this.gamepads, this.inputs.all, (input, source) => {
      this.gamepads.choose(input, source);
      remember(info.model, 'gamepad', Object.fromEntries([...this.inputs.all].map((one) => [one.name, this.gamepads.sources.get(one) ?? ''])));
    });
    main.append(this.bar.element, h('section', {class: 'controls', 'aria-label': 'Inputs'}, ...this.controls.map((control) => control.element)));
    middle.append(this.side.element);
    this.showOutputs(chosen);
    this.theme = new Theme((dark) => this.furnish(dark));
    this.chooseCamera(travels(this.run.scene) && this.cameras.available.includes('chase') ? 'chase' : 'orbit');
    this.messages.say([...problems, ...this.run.problems]);

    new Keyboard(keys, {pause: () => this.pause(), step: () => this.step(), reset: () => this.reset(), camera: () => this.bar.showCamera(this.cameras.next()),
      faster: (by) => this.faster(by), save: (place) => this.save(place), goBack: (place) => this.goBack(place), help: () => this.help()}, moved);
    document.addEventListener('visibilitychange', () => document.hidden && this.letGo());
    this.giveKeysBack();
    new ResizeObserver(() => this.stage.resize()).observe(stageHost);
    this.link = new Link(info.columns.length, {
      state: (state, again) => this.lineIs(state, again), frame: (frame) => this.take(frame), said: (said) => this.hear(said), found: (found) => this.foundAgain(found),
    });
    window.setInterval(() => this.tick(), tickEvery);
    requestAnimationFrame((now) => this.frame(now));
  }

  // The surroundings.

  /** For tyres that slip roads go on level beyond their ends; so does the picture, as far as one may drive. Others end there. */
  private lengthenRoads(): void {
    const {roads, wheels} = this.run.scene;
    const slips = (tyre: string) => this.info.columns.includes(`${tyre}.slip`);
    for (const road of roads) if (wheels.every((wheel) => wheel.road !== road.name || slips(wheel.tyre))) lengthen(road.polyline);
  }

  private furnish(dark: boolean): void {
    const {stage, run} = this;
    const drives = travels(run.scene) && !run.scene.planar;
    stage.roaming ||= drives;
    stage.setDark(dark);
    const view = stage.views[0]!;
    if (stage.roaming) stage.follow({kind: 'body', name: ''}, true);
    if (this.ground) view.root.remove(this.ground.lines, this.ground.onRoads);
    this.ground?.dispose();
    this.ground = null;
    if (drives) {
      this.ground = new WideGround(run.scene, stage.upward, dark);
      view.root.add(this.ground.lines, this.ground.onRoads);
      stage.hideGroundLines();
    }
  }

  // Frames and words of the program.

  private take(frame: Frame): void {
    const before = this.trajectory.newest;
    const now = performance.now();
    if (!before) this.takeOver(frame);
    this.trajectory.add(frame, now / 1000);
    this.latency.arrived(frame.stamp, now);
    this.strips.add(frame.time, frame.values);
    this.bar.show(frame);
    if (before?.mode !== frame.mode) this.showMode(frame.mode);
  }
  /** The controls stand where the inputs are: others may have driven before. */
  private takeOver({values}: Frame): void {
    for (const input of this.inputs.all) {
      const column = this.info.columns.indexOf(input.name);
      if (column >= 0 && !input.springsBack) input.set(values[column]!);
    }
    this.inputs.changes();
  }
  private hear(said: Said): void {
    if (said.statistics) this.side.showStatistics(said.statistics, this.info.step / (this.trajectory.newest?.scale || 1));
    if (said.message) {
      this.reason = said.message;
      this.showBanner();
    }
    if (said.error) this.messages.say([said.error]);
  }
  private lineIs(state: LinkState, again: number): void {
    this.linkState = state;
    if (state === 'open') this.messages.say([]);
    this.showBanner(again);
    this.showMode(this.trajectory.newest?.mode ?? 'runs');
  }
  /** After a loss: the same drive, or a new one of the same model; of another one the page starts anew. */
  private foundAgain(info: DriveInfo): void {
    if (info.model !== this.info.model || info.columns.join() !== this.info.columns.join() || info.inputs.length !== this.info.inputs.length) return location.reload();
    this.inputs.forget();
    this.latency.forget();
    this.reason = '';
  }

  private get mode(): Frame['mode'] {
    return this.trajectory.newest?.mode ?? 'runs';
  }
  private showMode(mode: Frame['mode']): void {
    const open = this.linkState === 'open';
    this.state.textContent = open ? modeWords[mode] : this.linkState === 'lost' ? 'no connection' : 'connecting';
    this.state.className = `state ${!open || mode === 'failed' ? 'failed' : mode === 'runs' ? 'running' : mode}`;
    if (mode === 'runs' || mode === 'paused') this.reason = '';
    if (mode !== 'runs') this.latency.forget();
    this.showBanner();
  }
  private showBanner(again = NaN): void {
    const {mode} = this;
    const lost = this.linkState === 'lost';
    const ended = mode === 'failed' || mode === 'done';
    this.banner.hidden = !lost && !ended && !this.isOver;
    if (this.banner.hidden || (lost && Number.isNaN(again))) return;
    const words = lost ? `The connection to \`cardan drive\` is lost. It is tried again in ${again} s.`
      : mode === 'failed' ? `The simulation failed${this.reason ? `: ${this.reason}` : '.'}`
        : mode === 'done' ? `The drive has come to its end${this.reason ? `: ${this.reason}` : '.'}` : 'It has tipped over. R puts it back where it started, 1 to 9 where it was saved.';
    this.banner.replaceChildren(h('p', {}, words), ...(lost ? [] : [h('button', {type: 'button', onclick: () => this.reset()}, 'Reset')]));
  }

  /** A machine that drives about and has lain on its side or back for a while: somebody may want to know how to go on. */
  private lookWhetherOver({time}: Frame): void {
    if (!this.stage.roaming || !this.cameras.isOver || time < this.overSince) this.overSince = NaN;
    else if (Number.isNaN(this.overSince)) this.overSince = time;
    const over = time - this.overSince > overAfter;
    if (over === this.isOver) return;
    this.isOver = over;
    this.showBanner();
  }

  // What a person asks for.

  pause(): void {
    this.link.command(this.mode === 'runs' ? 'pause' : 'go_on');
  }
  step(): void {
    this.link.command('single_step');
  }
  reset(): void {
    const ended = this.mode === 'failed' || this.mode === 'done';
    for (const input of this.inputs.all) input.reset();
    this.flush(null);
    this.link.command('reset');
    if (ended) this.link.command('go_on'); // it is paused after that otherwise
  }
  setScale(scale: number): void {
    this.link.command('scale', scale);
  }
  private faster(by: 1 | -1): void {
    const now = this.trajectory.newest?.scale ?? 1;
    const next = by > 0 ? scales.find((scale) => scale > now * 1.001) : scales.filter((scale) => scale < now * 0.999).at(-1);
    if (next) this.setScale(next);
  }
  save(place: number): void {
    if (place > this.info.places || !this.link.command('save', place)) return;
    this.placed.set(place, this.inputs.values());
    this.bar.keep(place, this.trajectory.newest?.time ?? 0);
  }
  goBack(place: number): void {
    if (!this.bar.isSaved(place)) return;
    this.inputs.setAll(this.placed.get(place)!);
    this.flush(null);
    this.link.command('go_back', place);
  }
  chooseCamera(name: CameraName): void {
    this.cameras.choose(name);
    this.bar.showCamera(this.cameras.name);
  }
  private help(): void {
    this.dialog.showModal();
  }
  private helpDialog(keys: KeyMap): HTMLDialogElement {
    const own = [...keys.pairs].map(([input, {plus, minus}]): [string, string] => [[plus, minus].filter((key) => key !== null).map((key) => keySign(key)).join(' '), `${input.name}${minus === null ? '' : ': more, less'}`]);
    const dialog = h('dialog', {class: 'help', 'aria-label': 'Keys and gestures'},
      h('h2', {}, 'Keys and gestures'),
      h('dl', {}, ...[...own, ...commandKeys].flatMap(([key, text]) => [h('dt', {}, key), h('dd', {}, text)])),
      h('button', {type: 'button', onclick: () => dialog.close()}, 'Close'));
    return dialog;
  }

  /** Buttons and lists that a pointer used do not keep the keys: arrows and space are for the drive. */
  private giveKeysBack(): void {
    let pointed = false;
    for (const type of ['pointerdown', 'keydown'] as const) this.element.addEventListener(type, () => (pointed = type === 'pointerdown'), true);
    for (const type of ['click', 'change'] as const) {
      this.element.addEventListener(type, (event) => pointed && (event.target as HTMLElement).closest<HTMLElement>(type === 'click' ? 'button, summary' : 'select')?.blur());
    }
  }

  // Inputs.

  private tick(): void {
    const now = performance.now();
    const passed = Math.min(0.1, (now - this.lastTick) / 1000);
    this.lastTick = now;
    this.gamepads.poll();
    this.inputs.tick(passed);
    this.flush(null);
  }
  /** Sends what has changed; `at` is the time stamp of the event that did it. */
  private flush(at: number | null): void {
    if (!this.link || this.link.state !== 'open') return;
    const changes = this.inputs.changes();
    if (changes.size === 0) return;
    this.link.inputs(changes, ++this.stamp);
    if (at !== null && this.mode === 'runs') this.latency.sent(this.stamp, at, performance.now());
  }
  /** Nobody looks any more: a foot that is no longer there presses no pedal. */
  private letGo(): void {
    for (const input of this.inputs.all) input.letGo();
    this.flush(null);
  }

  // Outputs.

  private firstOutputs(): string[] {
    const known = new Set(this.info.columns);
    const kept = remembered<string[]>(this.info.model, 'outputs')?.filter((name) => known.has(name));
    if (kept && kept.length > 0) return kept;
    const own = this.info.outputs.filter((name) => known.has(name) && name !== 't');
    if (own.length > 0 && own.length < this.info.columns.length - 1) return own.slice(0, outputsAtFirst);
    // One of each plot of the model, then the second ones.
    const plots = this.run.scene.plots.map(({columns}) => columns);
    const most = Math.max(0, ...plots.map((columns) => columns.length));
    const inTurn = Array.from({length: most}, (_, i) => plots.map((columns) => columns[i])).flat().filter((name) => name !== undefined && known.has(name)) as string[];
    return (inTurn.length > 0 ? [...new Set(inTurn)] : firstColumns(this.run)).slice(0, outputsAtFirst);
  }
  private showOutputs(columns: string[]): void {
    const {units} = this.run.scene;
    const where = new Map(this.info.columns.map((name, i) => [name, i]));
    this.gauges = columns.map((name) => new Gauge(name, units[name] ?? '', (values) => values[where.get(name)!]!));
    const speed = this.speedGauge(where, columns);
    if (speed) this.gauges.unshift(speed);
    this.gaugeHost.replaceChildren(...this.gauges.map((gauge) => gauge.element));
    this.strips.set(columns.map((name) => new Strip(name, where.get(name)!, units[name] ?? '')));
  }
  /** Of machines that drive about. */
  private speedGauge(where: Map<string, number>, chosen: string[]): Gauge | null {
    const body = travels(this.run.scene) ? this.cameras.bodyName : null;
    const columns = ['vx', 'vy', 'vz'].map((suffix) => where.get(`${body}.${suffix}`)).filter((column) => column !== undefined);
    if (columns.length < 2 || chosen.includes('speed')) return null;
    return new Gauge('speed', 'km/h', (values) => 3.6 * Math.hypot(...columns.map((column) => values[column]!)), 10);
  }

  private beforeDraw(): void {
    this.cameras.place(performance.now() / 1000);
    const at = this.ground && this.stage.views[0]!.locate({kind: 'body', name: ''}, out);
    if (at) this.ground!.moveTo(centre.set(...at));
  }
  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const begin = performance.now();
    const time = this.trajectory.tick(begin / 1000);
    if (time === this.drawnTime && this.trajectory.count === this.drawnCount && !this.stage.moved) return this.showValues(now, begin);
    this.drawnTime = time;
    this.drawnCount = this.trajectory.count;
    this.stage.frame(time);
    this.latency.drawn(this.trajectory.stampAt(time), performance.now());
    this.showValues(now, begin);
  }
  private showValues(now: number, begin: number): void {
    for (const control of this.controls) control.show();
    const newest = this.trajectory.newest;
    if (newest && now - this.lastValues >= valuesEvery) {
      this.clock.textContent = `${newest.time.toFixed(2)} s`;
      for (const gauge of this.gauges) gauge.show(newest.values);
      this.lookWhetherOver(newest);
      this.strips.draw();
      const passed = (now - this.lastValues) / 1000;
      this.side.showPicture(this.latency, (this.trajectory.count - this.framesThen) / passed, this.frameCost);
      this.framesThen = this.trajectory.count;
      this.lastValues = now;
    }
    this.frameCost = performance.now() - begin;
  }
}

function lengthen(polyline: [number, number][]): void {
  if (polyline.length < 2) return;
  const [first, last] = [polyline[0]!, polyline.at(-1)!];
  polyline.unshift([first[0] - roadBeyond, first[1]]);
  polyline.push([last[0] + roadBeyond, last[1]]);
}

const out: Vec = [0, 0, 0];
const centre = new Vector3();
