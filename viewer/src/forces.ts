// Everything that pushes and pulls, from the columns of the result: reactions of joints, and loads (springs, tyres, drivers,
// actuators, forces, torques). All arrows of one sort share a scale, so that they can be compared.
import type {Group} from 'three';
import {Arrows, roundLength, sizeOf, type Acting, type Sort} from './arrows';
import {placeOfContact} from './contact_place';
import type {Pick} from './pick';
import type {Poses} from './poses';
import type {Scene, SceneLine, Vec} from './scene';
import {valueAt, type Place} from './table';
import type {Run} from './trajectory';

export const reactionColour = 0xd1495b;
export const momentColour = 0x8568d6;
export const loadColour = 0x1b9a84;
export const loadMomentColour = 0x3a7bd5;

const unit: [Vec, Vec, Vec] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

class Finder {
  private readonly where: Map<string, number>;
  constructor(private readonly scene: Scene, private readonly poses: Poses, columns: string[]) {
    this.where = new Map(columns.map((name, i) => [name, i]));
  }

  /** Columns NAME.fx ..., with the axes of their components in those of a body; nothing unless all are there. */
  private components(name: string, sort: Sort, frame: Vec[], frameBody: string): {size: Acting['size']; vector: Acting['vector']} | null {
    const letters = !this.scene.planar ? [0, 1, 2] : sort === 'force' ? [0, 1] : [2];
    const columns = letters.map((k) => this.where.get(`${name}.${sort[0]}${'xyz'[k]}`));
    if (!columns.every((column) => column !== undefined)) return null;
    const axes = letters.map((k) => this.poses.attachDirection(frameBody, frame[k]!));
    const body = this.poses.index.get(frameBody) ?? -1;
    const local: Vec = [0, 0, 0];
    return {size: sizeOf(columns as number[]), vector: (place, out) => {
      local.fill(0);
      columns.forEach((column, k) => {
        const value = valueAt(place, column);
        for (let j = 0; j < 3; ++j) local[j]! += axes[k]![j]! * value;
      });
      return this.poses.direction(body, local, out);
    }};
  }
  private fixedTo(body: string, p: Vec): Acting['point'] {
    const at = this.poses.attach(body, p);
    return (_place, out) => this.poses.point(at.body, at.local, out);
  }

  reactions(sort: Sort): Acting[] {
    return this.scene.joints.flatMap((joint) => {
      const found = this.components(joint.name, sort, joint.frame, joint.bodies[0]);
      return found ? [{pick: {kind: 'joint', name: joint.name}, ...found, point: this.fixedTo(joint.bodies[1], joint.points[1])} as Acting] : [];
    });
  }

  /** At either end of a line, along it or along its axis: `sign` 1 pulls the ends together. */
  private between(line: SceneLine, pick: Pick, column: string, sign: number): Acting[] {
    const index = this.where.get(column);
    if (index === undefined) return [];
    const ends = [0, 1].map((i) => this.poses.attach(line.bodies[i]!, line.points[i]!));
    const first = this.poses.index.get(line.bodies[0]) ?? -1;
    const axis = line.axis && this.poses.attachDirection(line.bodies[0], line.axis);
    const [p, q]: [Vec, Vec] = [[0, 0, 0], [0, 0, 0]];
    return [0, 1].map((end): Acting => ({
      pick, size: sizeOf([index]),
      point: (_place, out) => this.poses.point(ends[end]!.body, ends[end]!.local, out),
      vector: (place, out) => {
        if (axis) this.poses.direction(first, axis, out);
        else {
          this.poses.point(ends[0]!.body, ends[0]!.local, p);
          this.poses.point(ends[1]!.body, ends[1]!.local, q);
          const length = Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]) || 1;
          for (let i = 0; i < 3; ++i) out[i] = (q[i]! - p[i]!) / length;
        }
        const factor = valueAt(place, index) * sign * (end === 0 ? 1 : -1);
        for (let i = 0; i < 3; ++i) out[i]! *= factor;
        return out;
      },
    }));
  }

  /** The road pushes where the wheel meets it: a radius from the centre, against the part of the force in the wheel's plane. */
  private tyres(): Acting[] {
    return this.scene.wheels.flatMap((wheel): Acting[] => {
      const found = wheel.tyre && this.components(wheel.tyre, 'force', unit, 'ground');
      if (!found) return [];
      const centre = this.poses.attach(wheel.body, wheel.center);
      const axis = this.poses.attachDirection(wheel.body, wheel.axis);
      const [f, n]: [Vec, Vec] = [[0, 0, 0], [0, 0, 0]];
      return [{pick: {kind: 'tyre', name: wheel.tyre}, ...found, point: (place, out) => {
        found.vector(place, f);
        this.poses.direction(centre.body, axis, n);
        const across = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
        for (let i = 0; i < 3; ++i) f[i]! -= across * n[i]!;
        const size = Math.hypot(f[0], f[1], f[2]);
        this.poses.point(centre.body, centre.local, out);
        if (size > 0) for (let i = 0; i < 3; ++i) out[i]! -= (wheel.radius * f[i]!) / size;
        return out;
      }}];
    });
  }

  private contacts(): Acting[] {
    return this.scene.contacts.flatMap((contact): Acting[] => {
      const found = this.components(contact.name, 'force', unit, 'ground');
      if (!found || !this.poses.index.has(contact.body)) return [];
      const where = placeOfContact(contact, this.scene, this.poses);
      const f: Vec = [0, 0, 0];
      return [{pick: {kind: 'load', name: contact.name}, ...found, point: (place, out) => where(found.vector(place, f), out)}];
    });
  }

  private efforts(sort: Sort): Acting[] {
    return this.scene.efforts.filter((effort) => effort.angular === (sort === 'moment')).flatMap((effort): Acting[] => {
      const index = this.where.get(`${effort.name}.effort`);
      if (index === undefined) return [];
      const axis = this.poses.attachDirection(effort.axisBody, effort.axis);
      const body = this.poses.index.get(effort.axisBody) ?? -1;
      return [{pick: {kind: 'load', name: effort.name}, size: sizeOf([index]), point: this.fixedTo(effort.body, effort.point), vector: (place, out) => {
        this.poses.direction(body, axis, out);
        const value = valueAt(place, index);
        for (let i = 0; i < 3; ++i) out[i]! *= value;
        return out;
      }}];
    });
  }

  loads(sort: Sort): Acting[] {
    const {scene} = this;
    const applied = (name: string, body: string, p: Vec): Acting[] => {
      const found = this.components(name, sort, unit, 'ground');
      return found ? [{pick: {kind: 'load', name}, ...found, point: this.fixedTo(body, p)}] : [];
    };
    if (sort === 'moment') {
      const centre = (name: string) => scene.bodies.find((body) => body.name === name)?.center ?? [0, 0, 0];
      return [...this.efforts(sort), ...scene.torques.flatMap(({name, bodies}) => applied(name, bodies[1], centre(bodies[1]) as Vec))];
    }
    return [
      ...scene.springs.flatMap((spring) => this.between(spring, {kind: 'spring', name: spring.name}, `${spring.name}.force`, 1)),
      ...scene.pulls.flatMap((pull) => this.between(pull, {kind: 'load', name: pull.name}, `${pull.name}.force`, 1)),
      ...scene.drivers.flatMap((driver) => this.between(driver, {kind: 'driver', name: driver.name}, `${driver.name}.effort`, -1)),
      ...this.tyres(),
      ...this.contacts(),
      ...this.efforts(sort),
      ...scene.forces.flatMap(({name, body, point}) => applied(name, body, point)),
    ];
  }
}

interface ArrowGroup {
  forces: Arrows;
  moments: Arrows;
  shown: boolean;
}

export class Forces {
  readonly reactions: ArrowGroup;
  readonly loads: ArrowGroup;
  scale = 1;

  constructor(run: Run, poses: Poses, private readonly scene: Scene, private readonly radius: number, overlay: boolean, root: Group) {
    const find = new Finder(scene, poses, run.trajectory.columns);
    const arrows = (acting: Acting[], sort: Sort, colour: number, name: string) => new Arrows(run, acting, sort, colour, name, overlay, root);
    this.reactions = {
      forces: arrows(find.reactions('force'), 'force', reactionColour, 'forces'),
      moments: arrows(find.reactions('moment'), 'moment', momentColour, 'moments'), shown: false,
    };
    this.loads = {
      forces: arrows(find.loads('force'), 'force', loadColour, 'load-forces'),
      moments: arrows(find.loads('moment'), 'moment', loadMomentColour, 'load-moments'), shown: false,
    };
  }

  any(group: 'reactions' | 'loads'): boolean {
    return this[group].forces.acting.length + this[group].moments.acting.length > 0;
  }

  /** Metres of arrow for a newton and a newton metre; 0 where there is nothing to show. Rounding errors are nothing. */
  private get perNewton(): number {
    const largest = Math.max(this.reactions.forces.unit, this.loads.forces.unit);
    return largest > 0 ? (0.25 * this.scene.size * this.scale) / largest : 0;
  }
  private get perNewtonMetre(): number {
    const largest = Math.max(this.reactions.moments.unit, this.loads.moments.unit);
    return largest > 1e-9 * Math.max(this.reactions.forces.unit, this.loads.forces.unit) * this.scene.size ? (0.2 * this.scene.size * this.scale) / largest : 0;
  }

  update(place: Place): void {
    for (const {forces, moments, shown} of [this.reactions, this.loads]) {
      if (!shown) {
        forces.hide();
        moments.hide();
        continue;
      }
      forces.update(place, this.perNewton, this.radius);
      moments.update(place, this.perNewtonMetre, this.radius);
    }
  }

  /** What an arrow of a tenth of the mechanism's size stands for: N and N m, 0 where none are drawn. */
  legend(): {length: number; force: number; moment: number} {
    const length = roundLength(0.1 * this.scene.size);
    const stands = (perUnit: number) => (perUnit > 0 ? length / perUnit : 0);
    return {length, force: stands(this.perNewton), moment: stands(this.perNewtonMetre)};
  }

  /** The sizes of force and moment of an element; NaN where none is drawn. */
  sizes(pick: Pick, place: Place): {force: number; moment: number} {
    const group = pick.kind === 'joint' ? this.reactions : this.loads;
    const size = (arrows: Arrows, perUnit: number, nothing: number) => {
      const found = group.shown && perUnit > 0 ? arrows.size(pick, place) : NaN;
      return found < nothing ? 0 : found;
    };
    const largest = Math.max(this.reactions.forces.unit, this.loads.forces.unit);
    return {force: size(group.forces, this.perNewton, 1e-9 * largest), moment: size(group.moments, this.perNewtonMetre, 1e-9 * largest * this.scene.size)};
  }
}
