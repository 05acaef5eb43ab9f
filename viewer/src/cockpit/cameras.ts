// Cameras of a drive: behind the machine, at its seat, or wherever the hand turns them (orbit). Set after the bodies have moved and
// before the picture is drawn, so that the machine does not tremble in it.
import {Quaternion, Vector3} from 'three';
import {boundsOf} from '../framing';
import type {RunView} from '../run_view';
import type {Scene, Vec} from '../scene';
import type {Stage} from '../stage';

export const cameraNames = ['chase', 'cockpit', 'orbit'] as const;
export type CameraName = (typeof cameraNames)[number];

const fieldOfView: Record<CameraName, number> = {chase: 45, cockpit: 68, orbit: 35};
const headingLag = 0.35; // s
const uprightFrom = 0.6; // cosine of how far a machine leans that still stands

/** A body that somebody may sit on: one with a marker called seat, or the heaviest that nothing holds to the ground. */
export function findSeat(scene: Scene): {body: string; at: Vec | null} | null {
  for (const body of scene.bodies) {
    const marker = body.points.find(({kind, name}) => kind === 'marker' && /^(.*\/)?(seat|driver|eye|cockpit)$/.test(name));
    if (marker) return {body: body.name, at: marker.at};
  }
  const free = scene.joints.filter(({type}) => type === 'free').map(({bodies}) => bodies.find((name) => name !== 'ground') ?? '');
  const jointed = new Set(scene.joints.flatMap(({bodies}) => bodies));
  const candidates = scene.bodies.filter(({name}) => free.includes(name) || (scene.wheels.length > 0 && jointed.has(name) && scene.wheels.every((wheel) => wheel.body !== name)));
  const heaviest = candidates.sort((a, b) => b.mass - a.mass)[0];
  return heaviest ? {body: heaviest.name, at: null} : null;
}
/** Whether the machine drives about, so that cameras go with it. */
export function travels(scene: Scene): boolean {
  const grounded = scene.joints.some(({type, bodies}) => type !== 'free' && bodies.includes('ground'));
  return scene.wheels.length > 0 || scene.joints.some(({type}) => type === 'free') || !grounded;
}

export class Cameras {
  readonly available: CameraName[];
  name: CameraName = 'orbit';
  /** Of the body that one sits on; null: none. */
  readonly bodyName: string | null;
  private readonly body: number;
  private readonly seat: Vec; // in the body's axes
  private readonly forward: Vec;
  private readonly up: Vec;
  private readonly heading = new Vector3(1, 0, 0); // level, of the chase camera
  private readonly vertical: Vector3;
  private readonly radius: number;
  private last = NaN;

  constructor(private readonly stage: Stage, private readonly view: RunView) {
    const {scene, poses} = view;
    const seat = scene.planar ? null : findSeat(scene);
    this.available = seat ? ['chase', 'cockpit', 'orbit'] : ['orbit'];
    this.bodyName = seat?.body ?? null;
    this.body = seat ? poses.index.get(seat.body)! : -1;
    const g = new Vector3(...scene.gravity);
    this.vertical = g.lengthSq() > 0 ? g.negate().normalize() : new Vector3(0, 0, 1);
    this.radius = boundsOf([view], scene, true).radius;
    const drawn = scene.bodies[this.body];
    const front = Math.abs(this.vertical.x) > 0.5 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0); // machines are drawn looking along x
    const local = (p: Vec) => (drawn ? poses.attach(drawn.name, p).local : p);
    const direction = (d: Vector3) => (drawn ? poses.attachDirection(drawn.name, d.toArray()) : d.toArray());
    this.forward = direction(front);
    this.up = direction(this.vertical);
    this.seat = seat?.at ? local(seat.at) : drawn ? this.aboveBody(local, drawn.center) : [0, 0, 0];
  }

  /** Somewhat above the middle of the body's shape. */
  private aboveBody(local: (p: Vec) => Vec, center: Vec): Vec {
    const corners = this.view.extents[this.body] ?? [];
    const seat = local(center);
    const height = (p: Vec) => p[0] * this.up[0] + p[1] * this.up[1] + p[2] * this.up[2];
    const top = corners.reduce((most, p) => Math.max(most, height(p)), 0.1 * this.radius);
    return [0, 1, 2].map((i) => seat[i]! + (top - height(seat) + 0.05 * this.radius) * this.up[i]!) as Vec;
  }

  choose(name: CameraName): void {
    if (!this.available.includes(name)) return;
    const before = this.name;
    this.name = name;
    const {camera, viewpoint} = this.stage;
    viewpoint.perspective.fov = fieldOfView[name];
    if (name === 'orbit') {
      if (before !== 'orbit') this.stage.resetCamera();
    } else {
      camera.near = name === 'cockpit' ? 0.02 * this.radius : 0.05 * this.radius;
      camera.far = 400 * this.radius;
    }
    this.stage.controls.enabled = name === 'orbit';
    viewpoint.perspective.updateProjectionMatrix();
    this.last = NaN;
    this.stage.moved = true;
  }
  next(): CameraName {
    const i = this.available.indexOf(this.name);
    this.choose(this.available[(i + 1) % this.available.length]!);
    return this.name;
  }

  /** Whether the machine lies on its side or its back. */
  get isOver(): boolean {
    if (this.body < 0) return false;
    above.set(...this.view.poses.direction(this.body, this.up, out));
    return above.dot(this.vertical) < uprightFrom;
  }

  /** `now`: s of the page's clock. */
  place(now: number): void {
    if (this.name === 'orbit' || this.body < 0) return;
    const {poses} = this.view;
    const {camera, controls} = this.stage;
    const passed = Number.isNaN(this.last) ? Infinity : Math.min(0.2, now - this.last);
    this.last = now;
    ahead.set(...poses.direction(this.body, this.forward, out));
    above.set(...poses.direction(this.body, this.up, out));
    at.set(...poses.point(this.body, this.seat, out));
    if (this.name === 'cockpit') {
      camera.position.copy(at);
      target.copy(at).addScaledVector(ahead, this.radius).addScaledVector(above, -0.12 * this.radius);
      camera.up.copy(above);
    } else {
      // Behind where it goes, level; turns with it, softly. On its back it has no heading and keeps the last.
      level.copy(ahead).addScaledVector(this.vertical, -ahead.dot(this.vertical));
      if (level.lengthSq() > 0.05) {
        level.normalize();
        const share = passed === Infinity ? 1 : 1 - Math.exp(-passed / headingLag);
        turn.setFromUnitVectors(this.heading, level);
        this.heading.applyQuaternion(partly.identity().slerp(turn, share)).normalize();
      }
      at.set(...poses.point(this.body, zero, out));
      camera.position.copy(at).addScaledVector(this.heading, -3 * this.radius).addScaledVector(this.vertical, 1.15 * this.radius);
      target.copy(at).addScaledVector(this.heading, 0.6 * this.radius).addScaledVector(this.vertical, 0.1 * this.radius);
      camera.up.copy(this.vertical);
    }
    camera.lookAt(target);
    camera.updateMatrixWorld();
    controls.target.copy(at); // the grid goes along with it
    camera.up.copy(this.vertical);
  }
}

const ahead = new Vector3();
const above = new Vector3();
const level = new Vector3();
const at = new Vector3();
const target = new Vector3();
const turn = new Quaternion();
const partly = new Quaternion();
const out: Vec = [0, 0, 0];
const zero: Vec = [0, 0, 0];
