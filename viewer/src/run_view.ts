// One run on the stage: bodies, springs and bars here, joints, forces and trails beside. Geometry is made once; a frame only
// moves matrices.
import {Box3, BufferGeometry, DoubleSide, EdgesGeometry, Group, Line, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial, Object3D, Quaternion, Vector3} from 'three';
import {JointMarks} from './joint_marks';
import {jointColour, material, palette, pickedColour, shade} from './look';
import {bodyParts} from './parts';
import {markersOf, samePick, type Pick} from './pick';
import {Poses} from './poses';
import {Forces} from './forces';
import {Motions} from './motions';
import type {Scene, SceneLine, Vec} from './scene';
import {rodRadius, unitCoil, unitRod} from './shapes';
import type {Place} from './table';
import {Trails} from './trails';
import type {Run} from './trajectory';

const springColour = 0x7f8c4a;
const driverColour = 0x5b6fb0;
const ropeColour = 0x8a7a5c;
const barrelColour = 0xc9a227;
const pistonRodColour = 0xb9bec4;
/** Of the distance of its ends when a cylinder is all in: so much is barrel. */
const barrelPart = 0.9;

interface Stretched {
  pick: Pick;
  from: {body: number; local: Vec};
  to: {body: number; local: Vec};
  mesh: Mesh;
  width: number;
  most: number; // how long it becomes, from its first end
}

export class RunView {
  readonly root = new Group();
  readonly poses: Poses;
  readonly bodies: Group[] = [];
  readonly meshes: Mesh[] = [];
  /** Corners of the box around each body's shape, in its axes. */
  readonly extents: Vec[][] = [];
  readonly joints: JointMarks;
  readonly forces: Forces;
  readonly motions: Motions;
  readonly trails: Trails;
  private readonly stretched: Stretched[] = []; // springs and bars
  readonly radius: number;
  place: Place;
  time: number;

  constructor(readonly run: Run, readonly overlay: boolean) {
    this.poses = new Poses(run.scene, run.trajectory.columns);
    this.radius = rodRadius(run.scene);
    this.time = run.trajectory.start;
    this.place = run.trajectory.locate(this.time);
    this.addBodies();
    this.joints = new JointMarks(run.scene, this.poses, this.radius, overlay, this.root);
    this.addLines();
    this.forces = new Forces(run, this.poses, run.scene, this.radius, overlay, this.root);
    this.motions = new Motions(run, this.poses, run.scene, this.radius, overlay, this.root);
    this.trails = new Trails(run, overlay, this.root);
  }

  get scene(): Scene {
    return this.run.scene;
  }

  private addBodies(): void {
    this.scene.bodies.forEach((body, i) => {
      const group = new Group();
      group.name = body.name;
      for (const part of bodyParts(body, this.scene)) {
        const colour = part.colour ?? palette[i % palette.length]!;
        group.add(this.pickable(new Mesh(part.geometry, material(colour, this.overlay, part.opacity, part.bothSides ? DoubleSide : undefined)), {kind: 'body', name: body.name}, colour));
        if (part.edges) group.add(edgesOf(part.geometry, shade(colour, this.overlay), part.opacity < 1));
      }
      this.extents.push(cornersOf(group.children));
      group.matrixAutoUpdate = false;
      group.children.forEach((child) => (child.matrixAutoUpdate = false));
      this.bodies.push(group);
      this.root.add(group);
    });
  }

  private pickable(mesh: Mesh, pick: Pick, colour: number): Mesh {
    mesh.userData.pick = pick;
    mesh.userData.colour = shade(colour, this.overlay);
    mesh.userData.opacity = (mesh.material as MeshStandardMaterial).opacity;
    this.meshes.push(mesh);
    return mesh;
  }

  private addLines(): void {
    const r = this.radius;
    const add = (line: Omit<SceneLine, 'axis'>, geometry: BufferGeometry, colour: number, width: number, pick: Pick, most = Infinity) => {
      const mesh = new Mesh(geometry, material(colour, this.overlay));
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      this.pickable(mesh, pick, colour);
      this.stretched.push({
        pick, from: this.poses.attach(line.bodies[0], line.points[0]), to: this.poses.attach(line.bodies[1], line.points[1]), mesh, width, most,
      });
      this.root.add(mesh);
    };
    if (this.scene.springs.length > 0) {
      const coil = unitCoil();
      for (const line of this.scene.springs) add(line, coil, springColour, 2.4 * r, {kind: 'spring', name: line.name});
    }
    const rod = unitRod();
    for (const pull of this.scene.pulls) {
      const pick: Pick = {kind: 'load', name: pull.name};
      if (!pull.cylinder) {
        add(pull, rod, ropeColour, 0.3 * r, pick);
        continue;
      }
      const {bore, rod: inner, retracted} = pull.cylinder;
      add(pull, rod, pistonRodColour, inner > 0 ? inner / 2 : bore / 4, pick);
      add(pull, unitRod(24), barrelColour, 0.58 * bore, pick, barrelPart * retracted); // with its wall
    }
    for (const joint of this.scene.joints) {
      if (joint.type === 'distance') add(joint, rod, jointColour, 0.8 * r, {kind: 'joint', name: joint.name});
    }
    for (const driver of this.scene.drivers) add(driver, rod, driverColour, 0.8 * r, {kind: 'driver', name: driver.name});
  }

  /** The whole frame's work for this run. */
  update(time: number): void {
    this.time = time;
    this.place = this.run.trajectory.locate(time);
    if (this.place.table.length > 0) this.poses.update(this.place);
    this.moveBodies();
    this.joints.update(time);
    for (const line of this.stretched) this.stretch(line);
    this.forces.update(this.place);
    this.motions.update(this.place);
    this.trails.update(time);
  }

  private moveBodies(): void {
    const {position, rotation} = this.poses;
    for (let i = 0; i < this.bodies.length; ++i) {
      from.set(position[3 * i]!, position[3 * i + 1]!, position[3 * i + 2]!);
      quaternion.set(rotation[4 * i]!, rotation[4 * i + 1]!, rotation[4 * i + 2]!, rotation[4 * i + 3]!);
      this.bodies[i]!.matrix.compose(from, quaternion, one);
      this.bodies[i]!.matrixWorldNeedsUpdate = true;
    }
  }

  private stretch({from: first, to: second, mesh, width, most}: Stretched): void {
    const p = this.poses.point(first.body, first.local, a);
    const q = this.poses.point(second.body, second.local, b);
    const line = to.set(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    const length = line.length();
    quaternion.setFromUnitVectors(zAxis, length > 0 ? line.divideScalar(length) : zAxis);
    mesh.matrix.compose(from.set(p[0], p[1], p[2]), quaternion, scale.set(width, width, Math.max(Math.min(length, most), 1e-9)));
  }

  /** Where an element is now: a body's or wheel's centre, the middle of a spring, a joint's point. The body '' stands for all. */
  locate(pick: Pick, out: Vec): Vec | null {
    const {scene, poses} = this;
    if (pick.kind === 'body') {
      if (pick.name === '') return this.centerOfMass(out);
      const body = poses.index.get(pick.name);
      return body === undefined ? null : poses.point(body, [0, 0, 0], out);
    }
    const ends = this.endsOf(pick);
    if (ends.length === 2) {
      for (let i = 0; i < 3; ++i) out[i] = (ends[0]![i]! + ends[1]![i]!) / 2;
      return out;
    }
    const at = (body: string, p: Vec) => {
      const {body: index, local} = poses.attach(body, p);
      return poses.point(index, local, out);
    };
    const marker = pick.kind === 'marker' && markersOf(scene).find(({name}) => name === pick.name);
    if (marker) return at(marker.body, marker.at);
    const joint = pick.kind === 'joint' && scene.joints.find((j) => j.name === pick.name);
    if (joint) {
      const side = joint.switches.length > 0 ? 1 : 0;
      return at(joint.bodies[side], joint.points[side]);
    }
    const wheel = pick.kind === 'tyre' && scene.wheels.find((w) => w.tyre === pick.name);
    if (wheel) return at(wheel.body, wheel.center);
    if (pick.kind !== 'load') return null;
    const load = scene.efforts.find((effort) => effort.name === pick.name) ?? scene.forces.find((force) => force.name === pick.name);
    if (load) return at(load.body, load.point);
    const pull = scene.pulls.find(({name}) => name === pick.name);
    if (pull) return at(pull.bodies[0], pull.points[0]);
    const contact = scene.contacts.find(({name}) => name === pick.name);
    if (contact) return this.locate({kind: 'body', name: contact.body}, out);
    const torque = scene.torques.find(({name}) => name === pick.name);
    return torque ? this.locate({kind: 'body', name: torque.bodies[1]}, out) : null;
  }

  /** Both ends of what is stretched between two points; of other elements nothing. */
  endsOf(pick: Pick): Vec[] {
    const line = this.stretched.find((one) => samePick(one.pick, pick));
    return line ? [line.from, line.to].map(({body, local}) => [...this.poses.point(body, local, a)] as Vec) : [];
  }

  private centerOfMass(out: Vec): Vec | null {
    const {bodies} = this.scene;
    if (bodies.length === 0) return null;
    const all = bodies.reduce((sum, body) => sum + body.mass, 0);
    out.fill(0);
    bodies.forEach((body, i) => {
      const share = all > 0 ? body.mass / all : 1 / bodies.length;
      for (let k = 0; k < 3; ++k) out[k]! += share * this.poses.position[3 * i + k]!;
    });
    return out;
  }

  /** What is stretched between two points, for picking on the screen: springs are mostly air. */
  *lines(): Generator<{pick: Pick; ends: Vec[]}> {
    for (const {pick} of this.stretched) yield {pick, ends: this.endsOf(pick)};
  }

  /** Where the joints are, for picking on the screen. */
  jointPoints(): Generator<{name: string; at: Vec}> {
    return this.joints.points(this.time);
  }

  /** Lets joints and springs inside of bodies be seen. */
  setSeeThrough(on: boolean): void {
    for (const mesh of this.meshes) {
      if ((mesh.userData.pick as Pick).kind !== 'body') continue;
      const own = mesh.material as MeshStandardMaterial;
      const opacity = (on ? 0.3 : 1) * (mesh.userData.opacity as number);
      if (own.opacity === opacity) continue;
      own.opacity = opacity;
      own.transparent = opacity < 1;
      own.depthWrite = opacity >= 1;
      own.needsUpdate = true;
    }
  }

  highlight(pick: Pick | null): void {
    for (const mesh of this.meshes) {
      const on = pick !== null && samePick(mesh.userData.pick as Pick, pick);
      (mesh.material as MeshStandardMaterial).color.set(on ? pickedColour : (mesh.userData.colour as number));
    }
    this.joints.highlight(pick);
  }

  has(pick: Pick): boolean {
    return this.locate(pick, a) !== null;
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

/** Lines where faces meet at an angle: darker than a solid, as bright as a shape that is seen through. */
export function edgesOf(geometry: BufferGeometry, colour: number, seeThrough: boolean): LineSegments {
  const line = new LineBasicMaterial({color: colour});
  if (!seeThrough) line.color.multiplyScalar(0.45);
  return new LineSegments(new EdgesGeometry(geometry, 35), line);
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

const a: Vec = [0, 0, 0];
const b: Vec = [0, 0, 0];
const from = new Vector3();
const to = new Vector3();
const quaternion = new Quaternion();
const scale = new Vector3();
const one = new Vector3(1, 1, 1);
const zAxis = new Vector3(0, 0, 1);
