// What the camera should see: the bodies, wherever they are; not the ground around them, which may be long.
import {Vector3} from 'three';
import {givenGeometry, groundBody} from './geometry';
import type {Pick} from './pick';
import type {RunView} from './run_view';
import type {Scene, Vec} from './scene';

export interface Bounds {
  center: Vector3;
  radius: number;
  half: Vector3;
}

const samplesLookedAt = 24;

class Box {
  readonly low = new Vector3(Infinity, Infinity, Infinity);
  readonly high = new Vector3(-Infinity, -Infinity, -Infinity);

  include(p: Vec): void {
    if (!p.every(Number.isFinite)) return;
    this.low.min(v1.set(...p));
    this.high.max(v1.set(...p));
  }
  get empty(): boolean {
    return !(this.high.x >= this.low.x);
  }
  get diagonal(): number {
    return this.empty ? 0 : this.high.distanceTo(this.low);
  }
  includeBodies(view: RunView, which = view.extents.map((_, i) => i)): void {
    for (const i of which) for (const corner of view.extents[i]!) this.include(view.poses.point(i, corner, out));
  }

  /** With a margin; at least and at most so large. */
  bounds(least: number, most: number): Bounds {
    const center = this.low.clone().add(this.high).multiplyScalar(0.5);
    const radius = Math.min(Math.max(0.5 * this.diagonal, least), most);
    const half = this.high.clone().sub(this.low).multiplyScalar(0.5).addScalar(0.06 * radius).clampScalar(0.1 * radius, 1.08 * radius);
    return {center, radius: 1.08 * radius, half};
  }
}

/** Visits some samples, evenly chosen, with the poses of each; the poses are then those of the last. */
function sampled(view: RunView, count: number, visit: (row: number) => void): void {
  const table = view.run.trajectory.overview();
  const samples = Math.min(count, table.length);
  if (samples === 0) visit(0);
  for (let s = 0; s < samples; ++s) {
    const row = Math.floor((s * (table.length - 1)) / Math.max(1, samples - 1));
    view.poses.update({table, row, part: 0});
    visit(row);
  }
}

/** Whether the mechanism as a whole goes further than it is large, as vehicles do: then the camera goes with it. */
export function roams(view: RunView): boolean {
  if (view.scene.bodies.length === 0 || view.run.bare) return false;
  if (view.scene.ground.length === 0) return true;
  const path = new Box();
  let size = 0;
  sampled(view, samplesLookedAt, () => {
    const now = new Box();
    now.includeBodies(view);
    size = Math.max(size, now.diagonal);
    const center = view.locate({kind: 'body', name: ''}, out);
    if (center) path.include(center);
  });
  view.update(view.time);
  return path.diagonal > 1.5 * size;
}

/** Around where the bodies have been, and the ground's hardpoints; of a mechanism that roams, around where it is. */
export function boundsOf(views: RunView[], scene: Scene, roaming: boolean): Bounds {
  const box = new Box();
  if (!roaming) {
    for (const p of scene.ground) if (p.kind !== 'marker') box.include(p.at);
    for (const shape of scene.groundGeometry) {
      const geometry = givenGeometry(shape, groundBody, 0.02 * scene.size);
      geometry.computeBoundingBox();
      box.include(geometry.boundingBox!.min.toArray());
      box.include(geometry.boundingBox!.max.toArray());
    }
  }
  for (const view of views) {
    if (roaming) box.includeBodies(view);
    else {
      sampled(view, samplesLookedAt, () => box.includeBodies(view));
      view.update(view.time);
    }
  }
  if (box.empty) return {center: new Vector3(), radius: scene.size, half: new Vector3(1, 1, 1).multiplyScalar(scene.size)};
  // One run that flies apart must not make the rest invisible.
  return box.bounds(0.3 * scene.size, 20 * scene.size);
}

/** Around one element, as it is now. */
export function boundsOfElement(view: RunView, pick: Pick): Bounds | null {
  const box = new Box();
  const {scene, poses} = view;
  const body = pick.kind === 'tyre' ? scene.wheels.find((wheel) => wheel.tyre === pick.name)?.body : pick.kind === 'body' ? pick.name : undefined;
  const index = body === undefined ? undefined : poses.index.get(body);
  if (index !== undefined) box.includeBodies(view, [index]);
  for (const end of view.endsOf(pick)) box.include(end);
  if (box.empty) {
    const at = view.locate(pick, out);
    if (!at) return null;
    box.include(at);
  }
  return box.bounds(0.06 * scene.size, 20 * scene.size);
}

/** From where to where wheels come across each road, the tyres' own width included; by name, '' for wheels that do not say. */
export function tracks(view: RunView): Map<string, [number, number]> {
  const found = new Map<string, [number, number]>();
  const wheels = view.scene.wheels.map((wheel) => ({wheel, at: view.poses.attach(wheel.body, wheel.center)}));
  if (wheels.length === 0 || view.scene.planar) return found;
  sampled(view, 60, () => {
    for (const {wheel, at} of wheels) {
      const [, y] = view.poses.point(at.body, at.local, out);
      const beside = 0.55 * wheel.radius;
      const [low, high] = found.get(wheel.road) ?? [Infinity, -Infinity];
      if (Number.isFinite(y)) found.set(wheel.road, [Math.min(low, y - beside), Math.max(high, y + beside)]);
    }
  });
  view.update(view.time);
  return found;
}

const v1 = new Vector3();
const out: Vec = [0, 0, 0];
