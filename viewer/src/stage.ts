// The picture: renderer, cameras, and which run is drawn where. Knows nothing of panels and plots.
import {
  AmbientLight, Color, DirectionalLight, HemisphereLight, Matrix4, OrthographicCamera, PerspectiveCamera, Raycaster,
  Scene as ThreeScene, Vector2, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {givenGeometry, groundBody} from './geometry';
import type {Pick} from './pick';
import {RunView} from './run_view';
import type {Scene, Vec} from './scene';
import {Surroundings, type Bounds} from './surroundings';
import type {Run} from './trajectory';

export type Arrangement = 'overlay' | 'beside';

const jointReach = 11; // pixels around a joint that pick it

export class Stage {
  readonly views: RunView[] = [];
  arrangement: Arrangement = 'overlay';
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly three = new ThreeScene();
  private readonly surroundings = new Surroundings();
  private readonly perspective = new PerspectiveCamera(35, 1, 0.01, 1000);
  private readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  private camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  private controls: OrbitControls;
  private followed: Pick | null = null;
  private readonly followedAt = new Vector3();
  private up = new Vector3(0, 0, 1);
  private dark = false;
  private width = 1;
  private height = 1;
  /** The camera moved by hand since the last frame. */
  moved = true;

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
    this.controls = this.makeControls();
    this.resize();
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.addEventListener('change', () => (this.moved = true));
    return controls;
  }

  get orthographicView(): boolean {
    return this.camera === this.orthographic;
  }

  setRuns(runs: Run[]): void {
    const trails = this.views[0]?.trails.picks() ?? [];
    for (const view of this.views.splice(0)) {
      this.three.remove(view.root);
      view.dispose();
    }
    runs.forEach((run, i) => {
      const view = new RunView(run, i > 0 && this.arrangement === 'overlay');
      for (const pick of trails) if (view.has(pick)) view.trails.set(pick, true);
      // In the plane an overlaid run lies behind the first, so that both can be told apart where they meet.
      if (run.scene.planar) view.root.position.z = -4 * i * view.radius;
      this.views.push(view);
      this.three.add(view.root);
    });
    this.moved = true;
  }

  /** Ground, grid and roads for a scene; the camera looks at the mechanism. */
  furnish(scene: Scene): void {
    const g = new Vector3(...scene.gravity);
    this.up = g.lengthSq() > 0 ? nearestAxis(g.negate()) : new Vector3(0, scene.planar ? 1 : 0, scene.planar ? 0 : 1);
    this.surroundings.build(scene, this.bounds(scene), this.up, this.dark);
    this.setOrthographic(scene.planar);
    this.resetCamera();
  }

  /** Around where the bodies have been, judged by some samples, and the ground's hardpoints. */
  private bounds(scene: Scene): Bounds {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    const include = (p: Vec) => {
      if (!p.every(Number.isFinite)) return;
      low.min(v1.set(...p));
      high.max(v1.set(...p));
    };
    for (const p of scene.ground) include(p.at);
    for (const shape of scene.groundGeometry) {
      const geometry = givenGeometry(shape, groundBody, 0.02 * scene.size);
      geometry.computeBoundingBox();
      include(geometry.boundingBox!.min.toArray());
      include(geometry.boundingBox!.max.toArray());
    }
    const out: Vec = [0, 0, 0];
    for (const view of this.views) {
      const table = view.run.trajectory.overview();
      const samples = Math.min(24, Math.max(1, table.length));
      const roams = view.scene.ground.length === 0; // a vehicle: framed where it starts, then followed
      for (let s = 0; s < (roams ? 1 : samples); ++s) {
        if (table.length > 0) view.poses.update({table, row: Math.floor((s * (table.length - 1)) / Math.max(1, samples - 1)), part: 0});
        view.extents.forEach((corners, i) => {
          for (const corner of corners) include(view.poses.point(i, corner, out));
        });
      }
    }
    if (!(high.x >= low.x)) return {center: new Vector3(), radius: scene.size, half: new Vector3(1, 1, 1).multiplyScalar(scene.size)};
    const center = low.clone().add(high).multiplyScalar(0.5);
    // One run that flies apart must not make the rest invisible.
    const radius = Math.min(Math.max(0.5 * high.distanceTo(low), 0.3 * scene.size), 20 * scene.size);
    const half = high.sub(low).multiplyScalar(0.5).addScalar(0.06 * radius).clampScalar(0.1 * radius, 1.08 * radius);
    return {center, radius: 1.08 * radius, half};
  }

  resetCamera(): void {
    const scene = this.views[0]?.scene;
    if (!scene) return;
    const {center, half} = this.bounds(scene);
    const aspect = this.paneAspect();
    const direction = new Vector3();
    if (scene.planar) direction.set(0, 0, 1);
    else {
      const side = Math.abs(this.up.y) > 0.5 ? new Vector3(0.55, 0, 1) : Math.abs(this.up.z) > 0.5 ? new Vector3(0.55, -1, 0) : new Vector3(0, -1, 0.55);
      direction.copy(side).normalize().addScaledVector(this.up, 0.42).normalize();
    }
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    const distance = scene.planar ? 1.1 * Math.max(half.y, half.x / aspect) / tangent : this.fit(half, direction, tangent, aspect);
    const reach = distance * tangent;
    for (const camera of [this.perspective, this.orthographic]) {
      camera.up.copy(scene.planar ? new Vector3(0, 1, 0) : this.up);
      camera.position.copy(center).addScaledVector(direction, distance);
      camera.near = camera === this.perspective ? distance / 200 : -100 * distance;
      camera.far = 100 * distance;
    }
    this.orthographic.zoom = 1;
    this.orthographic.top = reach;
    this.resizeCameras();
    this.controls.dispose();
    this.controls = this.makeControls();
    this.controls.target.copy(center);
    this.controls.enableRotate = true;
    this.controls.update();
    this.rememberFollowed();
    this.moved = true;
  }

  /** How far the camera must be from the centre of a box so that all its corners are in the picture, with a margin. */
  private fit(half: Vector3, direction: Vector3, tangent: number, aspect: number): number {
    const right = new Vector3().crossVectors(this.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
      const across = Math.max(Math.abs(corner.dot(above)), Math.abs(corner.dot(right)) / aspect);
      distance = Math.max(distance, corner.dot(direction) + (1.08 * across) / tangent);
    }
    return distance;
  }

  setOrthographic(on: boolean): void {
    if (on === this.orthographicView) return;
    const old = this.camera;
    const target = this.controls.target.clone();
    const distance = old.position.distanceTo(target) || 1;
    this.camera = on ? this.orthographic : this.perspective;
    this.camera.up.copy(old.up);
    this.camera.position.copy(old.position);
    if (on) {
      this.orthographic.top = distance * Math.tan((this.perspective.fov * Math.PI) / 360);
      this.orthographic.zoom = 1;
    }
    this.controls.dispose();
    this.controls = this.makeControls();
    this.controls.target.copy(target);
    this.resizeCameras();
    this.controls.update();
    this.moved = true;
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.three.background = null;
    this.renderer.setClearColor(new Color(dark ? 0x14171b : 0xf7f8f9), 1);
    const scene = this.views[0]?.scene;
    if (scene) this.surroundings.build(scene, this.bounds(scene), this.up, dark);
    this.moved = true;
  }

  follow(pick: Pick | null): void {
    this.followed = pick;
    this.rememberFollowed();
  }
  private rememberFollowed(): void {
    const at = this.followed && this.views[0]?.locate(this.followed, [0, 0, 0]);
    if (at) this.followedAt.set(...at);
  }

  private panes(): number {
    return this.arrangement === 'beside' && this.views.length > 1 ? this.views.length : 1;
  }
  private paneAspect(): number {
    return this.width / this.panes() / this.height;
  }

  resize(): void {
    const width = Math.max(1, this.host.clientWidth);
    const height = Math.max(1, this.host.clientHeight);
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, false);
    this.resizeCameras();
    this.moved = true;
  }
  private resizeCameras(): void {
    const aspect = this.paneAspect();
    this.perspective.aspect = aspect;
    this.perspective.updateProjectionMatrix();
    const top = this.orthographic.top;
    this.orthographic.bottom = -top;
    this.orthographic.left = -top * aspect;
    this.orthographic.right = top * aspect;
    this.orthographic.updateProjectionMatrix();
  }
  setArrangement(arrangement: Arrangement): void {
    this.arrangement = arrangement;
    this.resizeCameras();
    this.moved = true;
  }

  /** Moves everything to a time and submits the draw calls. */
  frame(time: number): void {
    for (const view of this.views) view.update(time);
    this.surroundings.update(time);
    const at = this.followed && this.views[0]?.locate(this.followed, out);
    if (at) {
      v1.set(...at).sub(this.followedAt);
      if (v1.lengthSq() > 0) {
        this.camera.position.add(v1);
        this.controls.target.add(v1);
        this.followedAt.set(...at);
        this.controls.update();
      }
    }
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
    this.moved = false;
  }

  /** Where a point of space is on the canvas, CSS pixels from its upper left corner, in the pane of a run. */
  project(p: Vec, run = 0): [number, number] {
    this.camera.updateMatrixWorld();
    v1.set(...p).project(this.camera);
    const panes = this.panes();
    const width = this.width / panes;
    return [(panes > 1 ? run : 0) * width + ((v1.x + 1) / 2) * width, ((1 - v1.y) / 2) * this.height];
  }

  /** Projection and view in one matrix, column by column, for whoever wants to check project(). */
  cameraMatrix(): number[] {
    this.camera.updateMatrixWorld();
    return new Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse).toArray();
  }

  /** What lies under a place on the canvas, in CSS pixels. */
  pick(x: number, y: number): {pick: Pick; run: number} | null {
    const panes = this.panes();
    const pane = Math.min(panes - 1, Math.floor((x * panes) / this.width));
    const views = panes > 1 ? [[this.views[pane]!, pane] as const] : this.views.map((view, i) => [view, i] as const);
    let best = jointReach;
    let found: {pick: Pick; run: number} | null = null;
    for (const [view, run] of views) {
      for (const joint of view.jointPoints()) {
        const [px, py] = this.project(joint.at, run);
        const distance = Math.hypot(px - x, py - y);
        if (distance < best) {
          best = distance;
          found = {pick: {kind: 'joint', name: joint.name}, run};
        }
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

function nearestAxis(v: Vector3): Vector3 {
  const sizes = v.toArray().map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  return new Vector3().setComponent(axis, Math.sign(v.getComponent(axis)) || 1);
}

const raycaster = new Raycaster();
const v1 = new Vector3();
const out: Vec = [0, 0, 0];
