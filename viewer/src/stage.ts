// The picture: renderer, and which run is drawn where. Knows nothing of panels and plots.
import {AmbientLight, Color, DirectionalLight, HemisphereLight, LineSegments, Raycaster, Scene as ThreeScene, Vector2, Vector3, WebGLRenderer} from 'three';
import {boundsOf, boundsOfElement, roams, tracks} from './framing';
import type {GridNumber} from './grid';
import type {Pick} from './pick';
import {RunView} from './run_view';
import type {Scene, Vec} from './scene';
import {Surroundings} from './surroundings';
import type {Run} from './trajectory';
import {Triad} from './triad';
import {Viewpoint} from './viewpoint';

export type Arrangement = 'overlay' | 'beside';

const jointReach = 11; // pixels around a joint that pick it
const lineReach = 8; // pixels beside a spring or a bar

export class Stage {
  readonly views: RunView[] = [];
  arrangement: Arrangement = 'overlay';
  readonly canvas: HTMLCanvasElement;
  readonly viewpoint: Viewpoint;
  /** Whether the mechanism goes far, so that the camera should go with it. */
  roaming = false;
  private readonly renderer: WebGLRenderer;
  private readonly three = new ThreeScene();
  private readonly surroundings = new Surroundings();
  private readonly triad = new Triad();
  private followed: Pick | null = null;
  private readonly followedAt = new Vector3();
  private up = new Vector3(0, 0, 1);
  private dark = false;
  private width = 1;
  private height = 1;
  /** Something is not drawn as it is now. */
  moved = true;
  /** Called when everything is in its place and before it is drawn: cameras that go with a body. */
  beforeDraw: (() => void) | null = null;
  /** Metres that roads reach beyond the wheels on either side. */
  roadMargin = 0;

  constructor(readonly host: HTMLElement) {
    this.renderer = new WebGLRenderer({antialias: true, preserveDrawingBuffer: false});
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio || 1));
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    host.append(this.canvas);
    this.three.matrixWorldAutoUpdate = true;
    const sun = new DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.4, -0.7, 1);
    this.three.add(new AmbientLight(0xffffff, 0.7), new HemisphereLight(0xffffff, 0x888888, 0.9), sun, this.surroundings.root);
    this.viewpoint = new Viewpoint(this.canvas, () => (this.moved = true));
    this.resize();
  }

  get camera() {
    return this.viewpoint.camera;
  }
  get controls() {
    return this.viewpoint.controls;
  }
  /** Against gravity. */
  get upward(): Vector3 {
    return this.up;
  }
  /** Where another ground is shown, the lines of this one would only flicker. */
  hideGroundLines(): void {
    this.surroundings.root.traverse((object) => {
      if (object instanceof LineSegments) object.visible = false;
    });
  }
  get orthographicView(): boolean {
    return this.camera === this.viewpoint.orthographic;
  }

  setRuns(runs: Run[]): void {
    const trails = this.views[0]?.trails.picks() ?? [];
    for (const view of this.views.splice(0)) {
      this.three.remove(view.root);
      view.dispose();
    }
    runs.forEach((run, i) => {
      const view = new RunView(run, i > 0 && this.arrangement === 'overlay');
      view.motions.setDark(this.dark);
      for (const pick of trails) if (view.has(pick)) view.trails.set(pick, true);
      // In the plane an overlaid run lies behind the first, so that both can be told apart where they meet.
      if (run.scene.planar) view.root.position.z = -4 * i * view.radius;
      this.views.push(view);
      this.three.add(view.root);
    });
    this.moved = true;
  }

  /** Ground, grid and roads for the first run; the camera looks at the mechanism. */
  furnish(): void {
    const view = this.views[0];
    if (!view) return;
    view.update(view.time);
    const g = new Vector3(...view.scene.gravity);
    this.up = g.lengthSq() > 0 ? nearestAxis(g.negate()) : new Vector3(0, view.scene.planar ? 1 : 0, view.scene.planar ? 0 : 1);
    this.roaming = roams(view);
    this.buildSurroundings();
    this.viewpoint.setOrthographic(view.scene.planar);
    this.resetCamera();
  }
  private buildSurroundings(): void {
    const view = this.views[0];
    if (view) this.surroundings.build(view.scene, this.bounds(view.scene), this.up, this.dark, this.roadWidths(view));
    this.moved = true;
  }
  private roadWidths(view: RunView): Map<string, [number, number]> {
    return new Map([...tracks(view)].map(([road, [low, high]]) => [road, [low - this.roadMargin, high + this.roadMargin]]));
  }
  private bounds(scene: Scene) {
    return boundsOf(this.views, scene, this.roaming);
  }

  resetCamera(): void {
    const scene = this.views[0]?.scene;
    if (!scene) return;
    const direction = new Vector3(0, 0, 1);
    if (!scene.planar) {
      const side = Math.abs(this.up.y) > 0.5 ? new Vector3(0.55, 0, 1) : Math.abs(this.up.z) > 0.5 ? new Vector3(0.55, -1, 0) : new Vector3(0, -1, 0.55);
      direction.copy(side).normalize().addScaledVector(this.up, 0.42).normalize();
    }
    this.viewpoint.look(this.bounds(scene), direction, scene.planar ? new Vector3(0, 1, 0) : this.up);
    this.rememberFollowed();
  }
  /** The camera goes near one element, without turning. */
  zoomTo(pick: Pick): void {
    const bounds = this.views[0] && boundsOfElement(this.views[0], pick);
    if (bounds) this.viewpoint.look(bounds, this.viewpoint.direction(), this.camera.up.clone());
    this.rememberFollowed();
  }

  setOrthographic(on: boolean): void {
    this.viewpoint.setOrthographic(on);
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.three.background = null;
    this.renderer.setClearColor(new Color(dark ? 0x14171b : 0xf7f8f9), 1);
    for (const view of this.views) view.motions.setDark(dark);
    this.buildSurroundings();
  }

  /** Goes along with an element from now on, in the middle of the picture unless it is framed already. */
  follow(pick: Pick | null, framed = false): void {
    this.followed = pick;
    this.rememberFollowed();
    if (pick && !framed) this.viewpoint.centre(this.followedAt);
  }
  private rememberFollowed(): void {
    const at = this.followed && this.views[0]?.locate(this.followed, [0, 0, 0]);
    if (at) this.followedAt.set(...at);
  }
  private goAlong(): void {
    const at = this.followed && this.views[0]?.locate(this.followed, out);
    if (at && v1.set(...at).sub(this.followedAt).lengthSq() > 0 && v1.toArray().every(Number.isFinite)) {
      this.followedAt.set(...at);
      this.viewpoint.shift(v1);
    }
    if (this.roaming) this.surroundings.moveTo(this.controls.target);
  }

  private panes(): number {
    return this.arrangement === 'beside' && this.views.length > 1 ? this.views.length : 1;
  }

  resize(): void {
    this.width = Math.max(1, this.host.clientWidth);
    this.height = Math.max(1, this.host.clientHeight);
    this.renderer.setSize(this.width, this.height, false);
    this.resizeCameras();
  }
  private resizeCameras(): void {
    this.viewpoint.resize(this.width / this.panes() / this.height);
    this.moved = true;
  }
  setArrangement(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    this.resizeCameras();
  }

  /** Moves everything to a time and submits the draw calls. */
  frame(time: number): void {
    for (const view of this.views) view.update(time);
    this.surroundings.update(time);
    this.goAlong();
    this.beforeDraw?.();
    const panes = this.panes();
    this.renderer.setScissorTest(panes > 1);
    for (let pane = 0; pane < panes; ++pane) {
      if (panes > 1) {
        this.views.forEach((view, i) => (view.root.visible = i === pane));
        const left = Math.floor((pane * this.width) / panes);
        const width = Math.floor(((pane + 1) * this.width) / panes) - left;
        this.renderer.setViewport(left, 0, width, this.height);
        this.renderer.setScissor(left, 0, width, this.height);
      } else {
        this.views.forEach((view) => (view.root.visible = true));
        this.renderer.setViewport(0, 0, this.width, this.height);
      }
      this.renderer.clear();
      this.renderer.render(this.three, this.camera);
    }
    this.renderer.setScissorTest(false);
    if (this.views[0]) this.triad.render(this.renderer, this.camera, this.views[0].scene.planar);
    this.moved = false;
  }

  gridNumbers(): GridNumber[] {
    const grid = this.surroundings.grid;
    if (!grid || !this.views[0]) return [];
    const straight = this.views[0].scene.planar && this.orthographicView && Math.abs(this.viewpoint.direction().z) > 0.9999;
    if (!straight) return grid.numbers(this.camera.position);
    // Above what stands at the lower edge, and not at the very left.
    this.camera.updateMatrixWorld();
    const corner = (x: number, y: number) => new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0).unproject(this.camera);
    return grid.numbersAlong(corner(4, this.height - 46), corner(this.width - 40, 14));
  }

  /** Where a point of space is on the canvas, CSS pixels from its upper left corner, in the pane of a run. */
  project(p: Vec, run = 0): [number, number] {
    this.camera.updateMatrixWorld();
    v1.set(...p).project(this.camera);
    const panes = this.panes();
    const width = this.width / panes;
    return [(panes > 1 ? run : 0) * width + ((v1.x + 1) / 2) * width, ((1 - v1.y) / 2) * this.height];
  }
  /** Whether a point is before the camera. */
  isAhead(p: Vec): boolean {
    return this.orthographicView || v1.set(...p).sub(this.camera.position).dot(this.camera.getWorldDirection(v2)) > 0;
  }

  /** Column by column, for whoever wants to check project(). */
  cameraMatrix(): number[] {
    return this.viewpoint.matrix().toArray();
  }

  /** What lies under a place on the canvas, in CSS pixels. */
  pick(x: number, y: number): {pick: Pick; run: number} | null {
    const panes = this.panes();
    const pane = Math.min(panes - 1, Math.floor((x * panes) / this.width));
    const views = panes > 1 ? [[this.views[pane]!, pane] as const] : this.views.map((view, i) => [view, i] as const);
    let best = jointReach;
    let found: {pick: Pick; run: number} | null = null;
    const consider = (distance: number, pick: Pick, run: number) => {
      if (distance < best) [best, found] = [distance, {pick, run}];
    };
    for (const [view, run] of views) {
      for (const joint of view.jointPoints()) {
        const [px, py] = this.project(joint.at, run);
        consider(Math.hypot(px - x, py - y), {kind: 'joint', name: joint.name}, run);
      }
    }
    if (found) return found;
    best = lineReach;
    for (const [view, run] of views) {
      for (const {pick, ends} of view.lines()) {
        if (!ends.every((end) => this.isAhead(end))) continue;
        consider(distanceToSegment([x, y], this.project(ends[0]!, run), this.project(ends[1]!, run)), pick, run);
      }
    }
    if (found) return found;
    const width = this.width / panes;
    raycaster.setFromCamera(new Vector2((2 * (x - pane * width)) / width - 1, 1 - (2 * y) / this.height), this.camera);
    for (const [view, run] of views) {
      const hit = raycaster.intersectObjects(view.meshes, false)[0];
      if (hit) return {pick: hit.object.userData.pick as Pick, run};
    }
    return null;
  }
}

function distanceToSegment([x, y]: [number, number], [ax, ay]: [number, number], [bx, by]: [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const part = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - part * dx, y - ay - part * dy);
}

function nearestAxis(v: Vector3): Vector3 {
  const sizes = v.toArray().map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  return new Vector3().setComponent(axis, Math.sign(v.getComponent(axis)) || 1);
}

const raycaster = new Raycaster();
const v1 = new Vector3();
const v2 = new Vector3();
const out: Vec = [0, 0, 0];
