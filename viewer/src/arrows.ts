// Arrows of one sort and colour, one instance each: forces and motions with one head, moments with two. In the plane, where a moment
// points at the eye, it is an arc around its point.
import {
  BufferGeometry, ConeGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, TorusGeometry, Vector3,
} from 'three';
import {mergeGeometries} from 'three/addons/utils/BufferGeometryUtils.js';
import {material} from './look';
import {samePick, type Pick} from './pick';
import type {Vec} from './scene';
import {unitCone, unitRod} from './shapes';
import type {Place, Table} from './table';
import type {Run} from './trajectory';

/** A vector at a point: a force or moment that acts there, or how the point moves. */
export interface Acting {
  pick: Pick;
  /** At a sample. */
  size(table: Table, row: number): number;
  /** In inertial axes; the poses are those of the place. */
  vector(place: Place, out: Vec): Vec;
  point(place: Place, out: Vec): Vec;
}

export type Sort = 'force' | 'moment' | 'motion';

/** Three quarters of a turn about z, counted from x, with a head at its end. */
function unitArc(): BufferGeometry {
  const arc = new TorusGeometry(1, 0.06, 8, 40, 1.5 * Math.PI);
  const head = new ConeGeometry(0.2, 0.5, 16).rotateZ(-Math.PI / 2).translate(0.2, -1, 0);
  return mergeGeometries([arc, head])!;
}

export class Arrows {
  private readonly meshes: InstancedMesh[] = []; // shaft, head and, for moments, another head; or arcs
  private readonly arcs: boolean;
  private largest = 0;
  private version = -1;

  constructor(private readonly run: Run, readonly acting: Acting[], sort: Sort, colour: number, name: string, overlay: boolean, root: Group) {
    this.arcs = sort === 'moment' && run.scene.planar;
    if (acting.length === 0) return;
    const shapes = this.arcs ? [unitArc()] : sort === 'moment' ? [unitRod(8), unitCone(), unitCone()] : [unitRod(8), unitCone()];
    for (const shape of shapes) {
      // Arcs that turn the other way are mirrored, which shows their faces from behind.
      const mesh = new InstancedMesh(shape, material(colour, false, overlay ? 0.6 : 1, DoubleSide), acting.length);
      // Over everything else: most joints lie inside their bodies.
      Object.assign(mesh.material, {depthTest: false, transparent: true});
      mesh.renderOrder = 1;
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.visible = false;
      mesh.name = name;
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
    for (const one of this.acting) {
      for (let row = 0; row < table.length; row += stride) {
        const size = one.size(table, row);
        if (Number.isFinite(size) && size > 0) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    this.largest = sizes[Math.floor(0.98 * (sizes.length - 1))] || 0;
    return this.largest;
  }

  /** NaN where the element has none. */
  size(pick: Pick, place: Place): number {
    const own = this.acting.find((one) => samePick(one.pick, pick));
    return own ? Math.hypot(...own.vector(place, b)) : NaN;
  }

  setColour(colour: number): void {
    for (const mesh of this.meshes) (mesh.material as MeshStandardMaterial).color.set(colour);
  }

  hide(): void {
    for (const mesh of this.meshes) mesh.visible = false;
  }

  update(place: Place, perUnit: number, radius: number): void {
    const shown = perUnit > 0;
    for (const mesh of this.meshes) mesh.visible = shown;
    if (!shown) return;
    this.acting.forEach((one, i) => {
      one.vector(place, b);
      const size = Math.hypot(b[0], b[1], b[2]);
      const length = Number.isFinite(size) ? size * perUnit : 0;
      const p = one.point(place, a);
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

/** The size of a vector whose components are columns. */
export function sizeOf(columns: number[]): Acting['size'] {
  return (table, row) => {
    let sum = 0;
    for (const column of columns) sum += table.columns[column]![row]! ** 2;
    return Math.sqrt(sum);
  };
}

/** 1, 2 or 5 times a power of ten, at most `x`. */
export function roundLength(x: number): number {
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
