// One run on the stage: bodies, joints, springs, reactions, trails. Geometry is made once; a frame only moves matrices.
import {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DynamicDrawUsage, EdgesGeometry, Group,
  InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial, Object3D, Quaternion,
  SphereGeometry, Vector3,
} from 'three';
import {Poses} from './poses';
import type {Scene, SceneLine, Vec} from './scene';
import {boxGeometry, deriveShape, rodRadius, solidGeometry, unitCoil, unitCone, unitRod} from './shapes';
import type {Place} from './table';
import {valueAt} from './table';
import type {Run} from './trajectory';

const palette = [0x4e79a7, 0x59a14f, 0xb07aa1, 0xe08a3c, 0x3f9c9c, 0xc7545a, 0x9c755f, 0x8a8f3c];
const overlayColour = 0x8793a0; // a ghost beside the colours of the first run
const pickedColour = 0xf2b01e;

export interface Pick {
  kind: 'body' | 'joint';
  name: string;
}

interface Ends {
  from: {body: number; local: Vec};
  to: {body: number; local: Vec};
}
interface JointMark {
  name: string;
  mesh: InstancedMesh;
  slot: number;
  at: {body: number; local: Vec};
  axis: Vec; // in axes of the first body
}
interface Reaction {
  columns: number[];
  at: {body: number; local: Vec};
  body1: number;
  frame: [Vec, Vec, Vec]; // in axes of the first body
}
interface Trail {
  pick: Pick;
  line: Line;
  times: Float64Array;
  version: number;
}

const temporary = {a: [0, 0, 0] as Vec, b: [0, 0, 0] as Vec, from: new Vector3(), to: new Vector3(), m: new Matrix4()};

export class RunView {
  readonly root = new Group();
  readonly poses: Poses;
  readonly bodies: Group[] = [];
  readonly meshes: Mesh[] = [];
  /** Corners of the box around each body's shape, in its axes. */
  readonly extents: Vec[][] = [];
  private readonly joints: JointMark[] = [];
  private readonly springs: {ends: Ends; mesh: Mesh; width: number}[] = [];
  private readonly bars: {ends: Ends; mesh: Mesh; width: number}[] = [];
  private readonly reactions: Reaction[] = [];
  private shafts: InstancedMesh | null = null;
  private heads: InstancedMesh | null = null;
  private trails: Trail[] = [];
  private largestForce = 0;
  private forceVersion = -1;
  readonly radius: number;
  showReactions = false;
  forceScale = 1;
  place: Place;

  constructor(readonly run: Run, readonly overlay: boolean) {
    this.poses = new Poses(run.scene, run.trajectory.columns);
    this.radius = rodRadius(run.scene);
    this.place = run.trajectory.locate(run.trajectory.start);
    this.addBodies();
    this.addJoints();
    this.addLines();
    this.addReactions();
  }

  get scene(): Scene {
    return this.run.scene;
  }

  private material(colour: number, opacity = 1): MeshStandardMaterial {
    const faded = this.overlay ? 0.55 * opacity : opacity;
    return new MeshStandardMaterial({
      color: this.overlay ? overlayColour : colour, roughness: 0.65, metalness: 0.05,
      transparent: faded < 1, opacity: faded, depthWrite: faded >= 1,
    });
  }

  private addBodies(): void {
    this.scene.bodies.forEach((body, i) => {
      const group = new Group();
      group.name = body.name;
      const colour = palette[i % palette.length]!;
      const shape = deriveShape(body, this.scene, this.scene.wheels.filter((wheel) => wheel.body === body.name));
      const solid = solidGeometry(shape, this.scene);
      const add = (geometry: BufferGeometry, opacity: number) => {
        const mesh = new Mesh(geometry, this.material(colour, opacity));
        mesh.userData.pick = {kind: 'body', name: body.name} satisfies Pick;
        mesh.userData.colour = this.overlay ? overlayColour : colour;
        group.add(mesh);
        this.meshes.push(mesh);
      };
      if (solid) add(solid, 1);
      const box = boxGeometry(shape);
      if (box) {
        // The estimate of an unknown shape is see-through, with its edges drawn.
        add(box, 0.22);
        group.add(new LineSegments(new EdgesGeometry(box), new LineBasicMaterial({color: this.overlay ? overlayColour : colour})));
      }
      this.extents.push(cornersOf(group.children));
      group.matrixAutoUpdate = false;
      group.children.forEach((child) => (child.matrixAutoUpdate = false));
      this.bodies.push(group);
      this.root.add(group);
    });
  }

  private addJoints(): void {
    const r = this.radius;
    const kinds: Record<string, BufferGeometry> = {
      pin: new CylinderGeometry(1.35 * r, 1.35 * r, 3.6 * r, 20).rotateX(Math.PI / 2),
      long: new CylinderGeometry(0.8 * r, 0.8 * r, 10 * r, 16).rotateX(Math.PI / 2),
      ball: new SphereGeometry(1.6 * r, 20, 14),
      slider: new BoxGeometry(2.6 * r, 2.6 * r, 7 * r),
      block: new BoxGeometry(2.4 * r, 2.4 * r, 2.4 * r),
      plate: new BoxGeometry(7 * r, 7 * r, 0.6 * r),
    };
    const kindOf: Record<string, string> = {
      revolute: 'pin', universal: 'pin', cylindrical: 'long', spherical: 'ball', prismatic: 'slider', fixed: 'block', planar: 'plate',
    };
    const byKind = new Map<string, typeof this.scene.joints>();
    for (const joint of this.scene.joints) {
      const kind = kindOf[joint.type];
      if (!kind) continue;
      byKind.set(kind, [...(byKind.get(kind) ?? []), joint]);
    }
    for (const [kind, joints] of byKind) {
      const crosses = kind === 'pin' ? joints.filter((joint) => joint.type === 'universal').length : 0;
      const mesh = new InstancedMesh(kinds[kind]!, this.material(0x8b929a), joints.length + crosses);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      let slot = 0;
      for (const joint of joints) {
        const add = (side: 0 | 1) => {
          const at = this.poses.attach(joint.bodies[side], joint.points[side]);
          const axis = this.attachDirection(joint.bodies[side], joint.axes[side]);
          this.joints.push({name: joint.name, mesh, slot: slot++, at, axis});
        };
        add(0);
        if (joint.type === 'universal') add(1);
      }
      this.root.add(mesh);
    }
    for (const mark of this.joints) mark.mesh.setColorAt(mark.slot, new Color(1, 1, 1));
  }

  private attachDirection(body: string, d: Vec): Vec {
    const index = this.poses.index.get(body) ?? -1;
    if (index < 0) return d;
    return this.scene.bodies[index]!.axes.map((axis) => axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]) as Vec;
  }

  private addLines(): void {
    const r = this.radius;
    const ends = (line: SceneLine): Ends => ({
      from: this.poses.attach(line.bodies[0], line.points[0]),
      to: this.poses.attach(line.bodies[1], line.points[1]),
    });
    const add = (geometry: BufferGeometry, colour: number, pick: Pick | null): Mesh => {
      const mesh = new Mesh(geometry, this.material(colour));
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      if (pick) {
        mesh.userData.pick = pick;
        mesh.userData.colour = this.overlay ? overlayColour : colour;
        this.meshes.push(mesh);
      }
      this.root.add(mesh);
      return mesh;
    };
    if (this.scene.springs.length > 0) {
      const coil = unitCoil();
      for (const line of this.scene.springs) this.springs.push({ends: ends(line), mesh: add(coil, 0x7f8c4a, null), width: 2.4 * r});
    }
    const rod = unitRod();
    for (const joint of this.scene.joints) {
      if (joint.type !== 'distance') continue;
      this.bars.push({ends: ends(joint), mesh: add(rod, 0x8b929a, {kind: 'joint', name: joint.name}), width: 0.8 * r});
    }
    for (const driver of this.scene.drivers) this.bars.push({ends: ends(driver), mesh: add(rod, 0x5b6fb0, null), width: 0.8 * r});
  }

  private addReactions(): void {
    const where = new Map(this.run.trajectory.columns.map((name, i) => [name, i]));
    for (const joint of this.scene.joints) {
      const names = this.scene.planar ? ['fx', 'fy'] : ['fx', 'fy', 'fz'];
      const columns = names.map((suffix) => where.get(`${joint.name}.${suffix}`));
      if (!columns.every((column) => column !== undefined)) continue;
      this.reactions.push({
        columns: columns as number[],
        at: this.poses.attach(joint.bodies[1], joint.points[1]),
        body1: this.poses.index.get(joint.bodies[0]) ?? -1,
        frame: joint.frame.map((axis) => this.attachDirection(joint.bodies[0], axis)) as [Vec, Vec, Vec],
      });
    }
    if (this.reactions.length === 0) return;
    const material = new MeshStandardMaterial({color: this.overlay ? 0xc98a94 : 0xd1495b, roughness: 0.6});
    this.shafts = new InstancedMesh(unitRod(8), material, this.reactions.length);
    this.heads = new InstancedMesh(unitCone(), material, this.reactions.length);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.visible = false;
      this.root.add(mesh);
    }
  }

  get hasReactions(): boolean {
    return this.reactions.length > 0;
  }

  /** The reaction force that an arrow of a quarter of the mechanism stands for: the largest of the whole run, without rare peaks. */
  get forceUnit(): number {
    const table = this.run.trajectory.overview();
    if (this.forceVersion === this.run.trajectory.version) return this.largestForce;
    this.forceVersion = this.run.trajectory.version;
    const sizes: number[] = [];
    const stride = Math.max(1, Math.floor(table.length / 200));
    for (const reaction of this.reactions) {
      for (let row = 0; row < table.length; row += stride) {
        const f = Math.hypot(...reaction.columns.map((c) => table.columns[c]![row]!));
        if (Number.isFinite(f)) sizes.push(f);
      }
    }
    sizes.sort((a, b) => a - b);
    this.largestForce = sizes[Math.floor(0.98 * (sizes.length - 1))] || 0;
    return this.largestForce;
  }

  /** The whole frame's work for this run. */
  update(time: number): void {
    this.place = this.run.trajectory.locate(time);
    if (this.place.table.length > 0) this.poses.update(this.place);
    this.moveBodies();
    this.moveJoints();
    for (const spring of this.springs) this.stretch(spring.ends, spring.mesh.matrix, spring.width);
    for (const bar of this.bars) this.stretch(bar.ends, bar.mesh.matrix, bar.width);
    this.moveReactions();
    for (const trail of this.trails) this.moveTrail(trail, time);
  }

  private moveBodies(): void {
    const {position, rotation} = this.poses;
    const at = temporary.from;
    for (let i = 0; i < this.bodies.length; ++i) {
      at.set(position[3 * i]!, position[3 * i + 1]!, position[3 * i + 2]!);
      quaternion.set(rotation[4 * i]!, rotation[4 * i + 1]!, rotation[4 * i + 2]!, rotation[4 * i + 3]!);
      this.bodies[i]!.matrix.compose(at, quaternion, one);
      this.bodies[i]!.matrixWorldNeedsUpdate = true;
    }
  }

  private moveJoints(): void {
    for (const mark of this.joints) {
      const p = this.poses.point(mark.at.body, mark.at.local, temporary.a);
      const d = this.poses.direction(mark.at.body, mark.axis, temporary.b);
      quaternion.setFromUnitVectors(zAxis, temporary.to.set(d[0], d[1], d[2]));
      mark.mesh.setMatrixAt(mark.slot, temporary.m.compose(temporary.from.set(p[0], p[1], p[2]), quaternion, one));
      mark.mesh.instanceMatrix.needsUpdate = true;
    }
  }

  private stretch(ends: Ends, matrix: Matrix4, width: number): void {
    const a = this.poses.point(ends.from.body, ends.from.local, temporary.a);
    const b = this.poses.point(ends.to.body, ends.to.local, temporary.b);
    const from = temporary.from.set(a[0], a[1], a[2]);
    const to = temporary.to.set(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const length = to.length();
    quaternion.setFromUnitVectors(zAxis, length > 0 ? to.divideScalar(length) : zAxis);
    matrix.compose(from, quaternion, scale.set(width, width, Math.max(length, 1e-9)));
  }

  private moveReactions(): void {
    if (!this.shafts || !this.heads) return;
    const shown = this.showReactions && this.forceUnit > 0;
    this.shafts.visible = this.heads.visible = shown;
    if (!shown) return;
    const perNewton = (0.25 * this.scene.size * this.forceScale) / this.forceUnit;
    const width = 0.45 * this.radius;
    this.reactions.forEach((reaction, i) => {
      const f: Vec = [0, 0, 0];
      reaction.columns.forEach((column, k) => {
        const value = valueAt(this.place, column);
        for (let j = 0; j < 3; ++j) f[j]! += reaction.frame[k]![j]! * value;
      });
      const d = this.poses.direction(reaction.body1, f, temporary.b);
      const p = this.poses.point(reaction.at.body, reaction.at.local, temporary.a);
      const size = Math.hypot(d[0], d[1], d[2]);
      const length = Number.isFinite(size) ? size * perNewton : 0;
      const head = Math.min(3.5 * this.radius, 0.6 * length);
      quaternion.setFromUnitVectors(zAxis, size > 0 && length > 0 ? temporary.to.set(d[0] / size, d[1] / size, d[2] / size) : zAxis);
      const from = temporary.from.set(p[0], p[1], p[2]);
      this.shafts!.setMatrixAt(i, temporary.m.compose(from, quaternion, scale.set(width, width, Math.max(length - head, 0))));
      from.addScaledVector(temporary.to, length > 0 ? length - head : 0);
      const spread = length > 0 ? Math.min(1, length / (2 * this.radius)) * 1.3 * this.radius : 0;
      this.heads!.setMatrixAt(i, temporary.m.compose(from, quaternion, scale.set(spread, spread, head)));
    });
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }

  /** Where a body's centre or a joint is now. */
  locate(pick: Pick, out: Vec): Vec | null {
    if (pick.kind === 'body') {
      const body = this.poses.index.get(pick.name);
      return body === undefined ? null : this.poses.point(body, [0, 0, 0], out);
    }
    const joint = this.scene.joints.find((j) => j.name === pick.name);
    if (!joint) return null;
    const {body, local} = this.poses.attach(joint.bodies[0], joint.points[0]);
    return this.poses.point(body, local, out);
  }

  /** Where the joints are, for picking on the screen. */
  *jointPoints(): Generator<{name: string; at: Vec}> {
    for (const mark of this.joints) {
      yield {name: mark.name, at: this.poses.point(mark.at.body, mark.at.local, temporary.a)};
    }
  }

  highlight(pick: Pick | null): void {
    for (const mesh of this.meshes) {
      const own = mesh.userData.pick as Pick;
      const on = pick !== null && own.kind === pick.kind && own.name === pick.name;
      (mesh.material as MeshStandardMaterial).color.set(on ? pickedColour : (mesh.userData.colour as number));
    }
    for (const mark of this.joints) {
      const on = pick?.kind === 'joint' && pick.name === mark.name;
      mark.mesh.setColorAt(mark.slot, on ? picked : white);
      mark.mesh.instanceColor!.needsUpdate = true;
    }
  }

  has(pick: Pick): boolean {
    return pick.kind === 'body' ? this.poses.index.has(pick.name) : this.scene.joints.some((joint) => joint.name === pick.name);
  }
  trailPicks(): Pick[] {
    return this.trails.map((trail) => trail.pick);
  }
  hasTrail(pick: Pick): boolean {
    return this.trails.some((trail) => trail.pick.kind === pick.kind && trail.pick.name === pick.name);
  }

  setTrail(pick: Pick, on: boolean): void {
    const found = this.trails.find((trail) => trail.pick.kind === pick.kind && trail.pick.name === pick.name);
    if (found && !on) {
      this.root.remove(found.line);
      found.line.geometry.dispose();
      this.trails = this.trails.filter((trail) => trail !== found);
    } else if (!found && on) {
      const index = this.poses.index.get(pick.name) ?? 0;
      const colour = this.overlay ? overlayColour : pick.kind === 'joint' ? 0x8b929a : palette[index % palette.length]!;
      const line = new Line(new BufferGeometry(), new LineBasicMaterial({color: colour}));
      line.frustumCulled = false;
      this.root.add(line);
      this.trails.push({pick, line, times: new Float64Array(0), version: -1});
    }
  }

  private moveTrail(trail: Trail, time: number): void {
    const table = this.run.trajectory.overview();
    if (trail.version !== this.run.trajectory.version) {
      trail.version = this.run.trajectory.version;
      const poses = new Poses(this.scene, this.run.trajectory.columns);
      const joint = this.scene.joints.find((j) => j.name === trail.pick.name);
      const at = trail.pick.kind === 'joint' && joint
        ? poses.attach(joint.bodies[0] === 'ground' ? joint.bodies[1] : joint.bodies[0], joint.points[joint.bodies[0] === 'ground' ? 1 : 0])
        : {body: poses.index.get(trail.pick.name) ?? -1, local: [0, 0, 0] as Vec};
      const count = Math.min(table.length, 20000);
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
    let low = 0;
    let high = trail.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (trail.times[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    trail.line.geometry.setDrawRange(0, low);
  }

  dispose(): void {
    this.root.traverse((object: Object3D) => {
      if (object instanceof Mesh || object instanceof Line) {
        object.geometry.dispose();
        (object.material as MeshStandardMaterial).dispose();
      }
    });
  }
}

function cornersOf(objects: Object3D[]): Vec[] {
  const box = new Box3();
  for (const object of objects) {
    if (!(object instanceof Mesh)) continue;
    object.geometry.computeBoundingBox();
    box.union(object.geometry.boundingBox!);
  }
  if (box.isEmpty()) return [];
  const {min, max} = box;
  return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z]);
}

const quaternion = new Quaternion();
const scale = new Vector3();
const one = new Vector3(1, 1, 1);
const zAxis = new Vector3(0, 0, 1);
const white = new Color(1, 1, 1);
const picked = new Color(2.2, 1.7, 0.6);
