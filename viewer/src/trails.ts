// Lines along which bodies' centres and joints have come, up to the current time.
import {BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial} from 'three';
import {jointColour, palette, shade} from './look';
import {markersOf, samePick, type Pick} from './pick';
import {Poses} from './poses';
import type {Vec} from './scene';
import type {Run} from './trajectory';

const pointsAtMost = 20000;

interface Trail {
  pick: Pick;
  line: Line;
  times: Float64Array;
  version: number; // of the samples it was made from
}

export class Trails {
  private trails: Trail[] = [];

  constructor(private readonly run: Run, private readonly overlay: boolean, private readonly root: Group) {}

  picks(): Pick[] {
    return this.trails.map((trail) => trail.pick);
  }
  has(pick: Pick): boolean {
    return this.trails.some((trail) => samePick(trail.pick, pick));
  }
  /** How many samples of a trail are drawn. */
  drawn(pick: Pick): number {
    return this.trails.find((trail) => samePick(trail.pick, pick))?.line.geometry.drawRange.count ?? 0;
  }

  set(pick: Pick, on: boolean): void {
    const found = this.trails.find((trail) => samePick(trail.pick, pick));
    if (found && !on) {
      this.root.remove(found.line);
      found.line.geometry.dispose();
      this.trails = this.trails.filter((trail) => trail !== found);
    } else if (!found && on) {
      const index = this.run.scene.bodies.findIndex((body) => body.name === pick.name || (pick.kind === 'marker' && body.points.some(({name, kind}) => kind === 'marker' && name === pick.name)));
      const colour = pick.kind === 'joint' ? jointColour : palette[Math.max(0, index) % palette.length]!;
      const line = new Line(new BufferGeometry(), new LineBasicMaterial({color: shade(colour, this.overlay)}));
      line.frustumCulled = false;
      this.root.add(line);
      this.trails.push({pick, line, times: new Float64Array(0), version: -1});
    }
  }

  update(time: number): void {
    for (const trail of this.trails) {
      if (trail.version !== this.run.trajectory.version) this.trace(trail);
      let low = 0;
      let high = trail.times.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (trail.times[middle]! <= time) low = middle + 1;
        else high = middle;
      }
      trail.line.geometry.setDrawRange(0, low);
    }
  }

  private trace(trail: Trail): void {
    const {scene, trajectory} = this.run;
    trail.version = trajectory.version;
    const table = trajectory.overview();
    const poses = new Poses(scene, trajectory.columns);
    const joint = scene.joints.find((j) => j.name === trail.pick.name);
    const side = joint?.bodies[0] === 'ground' ? 1 : 0; // the end that moves
    const marker = trail.pick.kind === 'marker' ? markersOf(scene).find(({name}) => name === trail.pick.name) : undefined;
    const at = trail.pick.kind === 'joint' && joint
      ? poses.attach(joint.bodies[side], joint.points[side])
      : marker ? poses.attach(marker.body, marker.at)
      : {body: poses.index.get(trail.pick.name) ?? -1, local: [0, 0, 0] as Vec};
    const count = Math.min(table.length, pointsAtMost);
    const positions = new Float32Array(3 * count);
    trail.times = new Float64Array(count);
    const p: Vec = [0, 0, 0];
    for (let i = 0; i < count; ++i) {
      const row = count > 1 ? Math.floor((i * (table.length - 1)) / (count - 1)) : 0;
      poses.update({table, row, part: 0});
      positions.set(poses.point(at.body, at.local, p), 3 * i);
      trail.times[i] = table.t[row]!;
    }
    trail.line.geometry.dispose();
    trail.line.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
  }
}
