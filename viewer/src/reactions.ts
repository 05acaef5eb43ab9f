// Reactions as arrows at the joints' points on their second bodies: forces with one head, moments with two. In the plane, where a
// moment points at the eye, it is an arc around the joint.
import {
  BufferGeometry, ConeGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Quaternion, TorusGeometry, Vector3,
} from 'three';
import {mergeGeometries} from 'three/addons/utils/BufferGeometryUtils.js';
import {material} from './look';
import type {Poses} from './poses';
import type {Scene, Vec} from './scene';
import {unitCone, unitRod} from './shapes';
import {valueAt, type Place} from './table';
import type {Run} from './trajectory';

export const forceColour = 0xd1495b;
export const momentColour = 0x8568d6;

interface Reaction {
  name: string;
  columns: number[];
  at: {body: number; local: Vec};
  body1: number;
  axes: Vec[]; // of the columns, in axes of the first body
}

/** Three quarters of a turn about z, counted from x, with a head at its end. */
function unitArc(): BufferGeometry {
  const arc = new TorusGeometry(1, 0.06, 8, 40, 1.5 * Math.PI);
  const head = new ConeGeometry(0.2, 0.5, 16).rotateZ(-Math.PI / 2).translate(0.2, -1, 0);
  return mergeGeometries([arc, head])!;
}

/** Arrows of one sort: forces or moments. */
class Arrows {
  readonly reactions: Reaction[] = [];
  private readonly meshes: InstancedMesh[] = []; // shaft, head and, for moments, another head; or arcs
  private readonly arcs: boolean;
  private largest = 0;
  private version = -1;

  constructor(private readonly run: Run, private readonly poses: Poses, sort: 'f' | 'm', overlay: boolean, root: Group) {
    const {scene} = run;
    this.arcs = sort === 'm' && scene.planar;
    const where = new Map(run.trajectory.columns.map((name, i) => [name, i]));
    const letters = !scene.planar ? [0, 1, 2] : sort === 'f' ? [0, 1] : [2];
    for (const joint of scene.joints) {
      const columns = letters.map((k) => where.get(`${joint.name}.${sort}${'xyz'[k]}`));
      if (!columns.every((column) => column !== undefined)) continue;
      this.reactions.push({
        name: joint.name,
        columns: columns as number[],
        at: poses.attach(joint.bodies[1], joint.points[1]),
        body1: poses.index.get(joint.bodies[0]) ?? -1,
        axes: letters.map((k) => poses.attachDirection(joint.bodies[0], joint.frame[k]!)),
      });
    }
    if (this.reactions.length === 0) return;
    const colour = sort === 'f' ? forceColour : momentColour;
    const shapes = this.arcs ? [unitArc()] : sort === 'f' ? [unitRod(8), unitCone()] : [unitRod(8), unitCone(), unitCone()];
    for (const shape of shapes) {
      // Arcs that turn the other way are mirrored, which shows their faces from behind.
      const mesh = new InstancedMesh(shape, material(colour, false, overlay ? 0.6 : 1, DoubleSide), this.reactions.length);
      // Over everything else: most joints lie inside their bodies.
      Object.assign(mesh.material, {depthTest: false, transparent: true});
      mesh.renderOrder = 1;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.visible = false;
      mesh.name = sort === 'f' ? 'forces' : 'moments';
      this.meshes.push(mesh);
      root.add(mesh);
    }
  }

  /** What the longest arrows stand for: the largest of the whole run, without rare peaks. */
  get unit(): number {
    if (this.version === this.run.trajectory.version) return this.largest;
    this.version = this.run.trajectory.version;
    const table = this.run.trajectory.overview();
    const sizes: number[] = [];
    const stride = Math.max(1, Math.floor(table.length / 200));
    for (const reaction of this.reactions) {
      for (let row = 0; row < table.length; row += stride) {
        const size = Math.hypot(...reaction.columns.map((c) => table.columns[c]![row]!));
        if (Number.isFinite(size) && size > 0) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    this.largest = sizes[Math.floor(0.98 * (sizes.length - 1))] || 0;
    return this.largest;
  }

  /** In inertial axes, and its size. */
  private vector(reaction: Reaction, place: Place, out: Vec): number {
    const v: Vec = [0, 0, 0];
    reaction.columns.forEach((column, k) => {
      const value = valueAt(place, column);
      for (let j = 0; j < 3; ++j) v[j]! += reaction.axes[k]![j]! * value;
    });
    this.poses.direction(reaction.body1, v, out);
    return Math.hypot(out[0], out[1], out[2]);
  }

  size(name: string, place: Place): number {
    const reaction = this.reactions.find((r) => r.name === name);
    return reaction ? this.vector(reaction, place, b) : NaN;
  }

  hide(): void {
    for (const mesh of this.meshes) mesh.visible = false;
  }

  update(place: Place, perUnit: number, radius: number): void {
    const shown = perUnit > 0;
    for (const mesh of this.meshes) mesh.visible = shown;
    if (!shown) return;
    this.reactions.forEach((reaction, i) => {
      const size = this.vector(reaction, place, b);
      const p = this.poses.point(reaction.at.body, reaction.at.local, a);
      const length = Number.isFinite(size) ? size * perUnit : 0;
      from.set(p[0], p[1], p[2]);
      if (this.arcs) this.putArc(i, length, b[2], radius);
      else this.putArrow(i, length, size, radius);
    });
    for (const mesh of this.meshes) mesh.instanceMatrix.needsUpdate = true;
  }

  private putArrow(i: number, length: number, size: number, radius: number): void {
    const along = length > 0 ? to.set(b[0] / size, b[1] / size, b[2] / size) : to.copy(zAxis);
    quaternion.setFromUnitVectors(zAxis, along);
    const heads = this.meshes.length - 1;
    const head = Math.min(3.5 * radius, (heads > 1 ? 0.35 : 0.6) * length);
    const width = 0.45 * radius;
    const spread = length > 0 ? Math.min(1, length / (2 * radius)) * 1.3 * radius : 0;
    const shaft = Math.max(length - heads * 0.8 * head, 0);
    this.meshes[0]!.setMatrixAt(i, matrix.compose(from, quaternion, scale.set(width, width, shaft)));
    for (let k = 1; k <= heads; ++k) {
      at.copy(from).addScaledVector(along, Math.max(0, length - head - (k - 1) * 0.8 * head));
      this.meshes[k]!.setMatrixAt(i, matrix.compose(at, quaternion, scale.set(spread, spread, head)));
    }
  }

  private putArc(i: number, length: number, sign: number, radius: number): void {
    const reach = length > 0 ? 0.4 * length + 2 * radius * Math.min(1, length / radius) : 0;
    matrix.compose(from, quaternion.identity(), scale.set(reach, Math.sign(sign) * reach, reach));
    this.meshes[0]!.setMatrixAt(i, matrix);
  }
}

export class Reactions {
  private readonly forces: Arrows;
  private readonly moments: Arrows;
  shown = false;
  scale = 1;

  constructor(run: Run, poses: Poses, private readonly scene: Scene, private readonly radius: number, overlay: boolean, root: Group) {
    this.forces = new Arrows(run, poses, 'f', overlay, root);
    this.moments = new Arrows(run, poses, 'm', overlay, root);
  }

  get any(): boolean {
    return this.forces.reactions.length > 0;
  }

  /** Metres of arrow for a newton and a newton metre; 0 where there is nothing to show. Rounding errors are nothing. */
  private get perNewton(): number {
    return this.forces.unit > 0 ? (0.25 * this.scene.size * this.scale) / this.forces.unit : 0;
  }
  private get perNewtonMetre(): number {
    const {unit} = this.moments;
    return unit > 1e-9 * this.forces.unit * this.scene.size ? (0.2 * this.scene.size * this.scale) / unit : 0;
  }

  update(place: Place): void {
    if (!this.shown) {
      this.forces.hide();
      this.moments.hide();
      return;
    }
    this.forces.update(place, this.perNewton, this.radius);
    this.moments.update(place, this.perNewtonMetre, this.radius);
  }

  /** What an arrow of a tenth of the mechanism's size stands for: N and N m, 0 where none are drawn. */
  legend(): {length: number; force: number; moment: number} {
    const length = roundLength(0.1 * this.scene.size);
    const stands = (perUnit: number) => (perUnit > 0 ? length / perUnit : 0);
    return {length, force: stands(this.perNewton), moment: stands(this.perNewtonMetre)};
  }

  /** The sizes of force and moment of a joint; NaN where none is drawn. */
  sizes(joint: string, place: Place): {force: number; moment: number} {
    const size = (arrows: Arrows, perUnit: number) => (perUnit > 0 ? arrows.size(joint, place) : NaN);
    return {force: size(this.forces, this.perNewton), moment: size(this.moments, this.perNewtonMetre)};
  }
}

/** 1, 2 or 5 times a power of ten, at most `x`. */
function roundLength(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x) + 1e-9);
  return power * (x >= 5 * power ? 5 : x >= 2 * power ? 2 : 1);
}

const a: Vec = [0, 0, 0];
const b: Vec = [0, 0, 0];
const from = new Vector3();
const to = new Vector3();
const at = new Vector3();
const scale = new Vector3();
const zAxis = new Vector3(0, 0, 1);
const quaternion = new Quaternion();
const matrix = new Matrix4();
