// Where the force of a contact acts, of which results have no column: against planes where depths, and with them forces, are in balance;
// against anything else at the points that reach furthest against the force.
import type {Poses} from './poses';
import type {Scene, SceneContact, Vec} from './scene';

const near = 0.01; // of the body's reach: so much less far still counts, in proportion

export function placeOfContact(contact: SceneContact, scene: Scene, poses: Poses): (force: Vec, out: Vec) => Vec {
  const points = contact.points.map(({at, radius}) => ({...poses.attach(contact.body, at), radius, now: [0, 0, 0] as Vec, weight: 0}));
  const planes = scene.roads.flatMap(({name, plane}) => (plane && contact.roads.includes(name) ? [plane] : [])).map((plane) => ({
    ...poses.attach(plane.body, plane.at), normal: poses.attachDirection(plane.body, plane.normal),
  }));
  const reach = points.reduce((most, {local, radius}) => Math.max(most, Math.hypot(...local) + radius), 0);
  const [n, o, low]: [Vec, Vec, Vec] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];

  /** The mean of the points, each moved by its radius against `direction`. */
  const add = (direction: Vec, out: Vec): number => {
    let all = 0;
    for (const {now, radius, weight} of points) {
      all += weight;
      for (let i = 0; i < 3; ++i) out[i]! += weight * (now[i]! - radius * direction[i]!);
    }
    return all;
  };
  return (force, out) => {
    out.fill(0);
    let all = 0;
    for (const point of points) poses.point(point.body, point.local, point.now);
    for (const plane of planes) {
      poses.direction(plane.body, plane.normal, n);
      poses.point(plane.body, plane.local, o);
      for (const point of points) {
        const {now, radius} = point;
        point.weight = Math.max(0, radius - (now[0] - o[0]) * n[0] - (now[1] - o[1]) * n[1] - (now[2] - o[2]) * n[2]);
      }
      all += add(n, out);
    }
    const size = Math.hypot(...force);
    if (all === 0 && size > 0) {
      for (let i = 0; i < 3; ++i) low[i] = force[i]! / size;
      const far = ({now, radius}: {now: Vec; radius: number}) => radius - now[0] * low[0] - now[1] * low[1] - now[2] * low[2];
      const furthest = Math.max(...points.map(far));
      for (const point of points) point.weight = Math.max(0, 1 - (furthest - far(point)) / (near * reach || 1));
      all = add(low, out);
    }
    if (all === 0) return poses.point(points[0]?.body ?? -1, [0, 0, 0], out);
    for (let i = 0; i < 3; ++i) out[i]! /= all;
    return out;
  };
}
