// Pins, balls and blocks where the joints are, one mesh for each sort. Joints that events attach are only there while they hold.
import {BoxGeometry, BufferGeometry, Color, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Quaternion, SphereGeometry, Vector3} from 'three';
import {jointColour, material} from './look';
import type {Pick} from './pick';
import type {Poses} from './poses';
import type {Scene, SceneJoint, Vec} from './scene';

interface Mark {
  joint: SceneJoint;
  mesh: InstancedMesh;
  slot: number;
  at: {body: number; local: Vec};
  axis: Vec; // in axes of that body
}

/** Whether a joint that events switch holds at a time. */
export function holds(joint: SceneJoint, time: number): boolean {
  return joint.switches.reduce((on, at) => (at <= time ? !on : on), joint.present);
}

export class JointMarks {
  private readonly marks: Mark[] = [];

  constructor(scene: Scene, private readonly poses: Poses, r: number, overlay: boolean, root: Group) {
    const pin = new CylinderGeometry(1.35 * r, 1.35 * r, 3.6 * r, 20).rotateX(Math.PI / 2);
    const shapes: Record<string, BufferGeometry> = {
      pin,
      cross: pin,
      long: new CylinderGeometry(0.8 * r, 0.8 * r, 10 * r, 16).rotateX(Math.PI / 2),
      ball: new SphereGeometry(1.6 * r, 20, 14),
      slider: new BoxGeometry(2.6 * r, 2.6 * r, 7 * r),
      block: new BoxGeometry(2.4 * r, 2.4 * r, 2.4 * r),
      plate: new BoxGeometry(7 * r, 7 * r, 0.6 * r),
    };
    for (const [mark, shape] of Object.entries(shapes)) {
      const joints = scene.joints.filter((joint) => joint.mark === mark);
      if (joints.length === 0) continue;
      // A cross has an arm on either body; a joint that takes hold does so where the point of its second body is.
      const sides = joints.map((joint): (0 | 1)[] => (joint.mark === 'cross' ? [0, 1] : [joint.switches.length > 0 ? 1 : 0]));
      const mesh = new InstancedMesh(shape, material(jointColour, overlay), sides.flat().length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      let slot = 0;
      joints.forEach((joint, i) => {
        for (const side of sides[i]!) {
          mesh.setColorAt(slot, white);
          this.marks.push({
            joint, mesh, slot: slot++,
            at: poses.attach(joint.bodies[side], joint.points[side]),
            axis: poses.attachDirection(joint.bodies[side], joint.axes[side]),
          });
        }
      });
      root.add(mesh);
    }
  }

  update(time: number): void {
    for (const mark of this.marks) {
      const p = this.poses.point(mark.at.body, mark.at.local, a);
      const d = this.poses.direction(mark.at.body, mark.axis, b);
      const shown = mark.joint.switches.length === 0 || holds(mark.joint, time);
      quaternion.setFromUnitVectors(zAxis, to.set(d[0], d[1], d[2]));
      mark.mesh.setMatrixAt(mark.slot, matrix.compose(from.set(p[0], p[1], p[2]), quaternion, shown ? one : none));
      mark.mesh.instanceMatrix.needsUpdate = true;
    }
  }

  highlight(pick: Pick | null): void {
    for (const mark of this.marks) {
      const on = pick?.kind === 'joint' && pick.name === mark.joint.name;
      mark.mesh.setColorAt(mark.slot, on ? picked : white);
      mark.mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** Where the joints are, for picking on the screen. */
  *points(time: number): Generator<{name: string; at: Vec}> {
    for (const mark of this.marks) {
      if (mark.joint.switches.length > 0 && !holds(mark.joint, time)) continue;
      yield {name: mark.joint.name, at: this.poses.point(mark.at.body, mark.at.local, a)};
    }
  }
}

const a: Vec = [0, 0, 0];
const b: Vec = [0, 0, 0];
const from = new Vector3();
const to = new Vector3();
const one = new Vector3(1, 1, 1);
const none = new Vector3(0, 0, 0);
const zAxis = new Vector3(0, 0, 1);
const quaternion = new Quaternion();
const matrix = new Matrix4();
const white = new Color(1, 1, 1);
const picked = new Color(2.2, 1.7, 0.6);
