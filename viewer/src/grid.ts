// The grid under a mechanism (behind it, in the plane) with the numbers of its lines. It goes along with what the camera follows.
import {BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Vector3} from 'three';
import type {Bounds} from './framing';
import type {Scene, ScenePlane, Vec} from './scene';
import {groundLineColour} from './look';

export interface GridNumber {
  at: Vec;
  text: string;
}

/**
 * Lines that divide a square in the x-z plane, `half` to either side. Each is made of pieces: of one that passes under the camera and on
 * behind it some renderers draw nothing.
 */
export function squareLines(half: number, cells: number, colour: number): LineSegments {
  const pieces = Math.min(cells, 20);
  const points: number[] = [];
  for (let i = 0; i <= cells; ++i) {
    const side = -half + (2 * half * i) / cells;
    for (let k = 0; k < pieces; ++k) {
      const [a, b] = [k, k + 1].map((end) => -half + (2 * half * end) / pieces) as [number, number];
      points.push(side, 0, a, side, 0, b, a, 0, side, b, 0, side);
    }
  }
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
  return new LineSegments(geometry, new LineBasicMaterial({color: colour}));
}

export class Grid {
  readonly cell: number;
  readonly lines: LineSegments;
  private readonly axes: [number, number]; // of the plane: 0 x, 1 y, 2 z
  private readonly level: Vector3; // a point of the plane
  private readonly half: Vector3;
  private readonly center = new Vector3();

  constructor(scene: Scene, {center, radius, half}: Bounds, up: Vector3, dark: boolean) {
    this.cell = roundNumber(radius / 3);
    const level = scene.planar ? null : levelPlane(scene, up);
    const cells = Math.min(200, 2 * Math.ceil(((level ? 6 : 3) * radius) / this.cell));
    const line = level ? groundLineColour(dark) : dark ? 0x2a2f36 : 0xe3e6ea;
    this.lines = squareLines((cells * this.cell) / 2, cells, line);
    this.half = half.clone();
    const normal = scene.planar ? 2 : [0, 1, 2].find((i) => Math.abs(up.getComponent(i)) > 0.5)!;
    this.axes = [0, 1, 2].filter((i) => i !== normal) as [number, number];
    this.level = center.clone();
    if (scene.planar) {
      this.lines.rotateX(Math.PI / 2);
      this.level.z = -0.1 * scene.size;
    } else {
      this.lines.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
      const lowest = center.dot(up) - Math.abs(half.dot(up));
      const roads = normal === 2 && up.z > 0 ? scene.roads.flatMap((road) => road.polyline.map((p) => p[1] - 0.01 * scene.size)) : [];
      const floor = level ? new Vector3(...level.at).dot(up) : roads.reduce((low, height) => Math.min(low, height), lowest);
      this.lines.visible = level !== null || !scene.roads.some((road) => road.grid); // hills have lines of their own
      this.level.addScaledVector(up, floor - center.dot(up));
    }
    this.moveTo(center);
  }

  /** Under a place, its lines at multiples of the cell. */
  moveTo(center: Vector3): void {
    this.center.copy(center);
    this.lines.position.copy(this.level);
    for (const axis of this.axes) this.lines.position.setComponent(axis, Math.round(center.getComponent(axis) / this.cell) * this.cell);
  }

  /** Along two lines just outside of the mechanism, on the side of the camera. */
  numbers(camera: Vector3): GridNumber[] {
    const {cell} = this;
    const edge = (axis: number, outward: number) => {
      const reach = this.center.getComponent(axis) + outward * this.half.getComponent(axis);
      return outward < 0 ? Math.floor(reach / cell + 1e-9) : Math.ceil(reach / cell - 1e-9);
    };
    return this.axes.flatMap((axis, k) => {
      const other = this.axes[1 - k]!;
      const side = camera.getComponent(other) < this.center.getComponent(other) ? -1 : 1;
      return this.row(axis, edge(axis, -1), edge(axis, 1), edge(other, side) * cell);
    });
  }
  /** Seen from straight before: below and at the left of what is seen, from `low` to `high`. */
  numbersAlong(low: Vector3, high: Vector3): GridNumber[] {
    const every = Math.ceil((high.x - low.x) / this.cell / 14); // many lines, seen from afar, cannot all have one
    return this.axes.flatMap((axis, k) => {
      const other = this.axes[1 - k]!;
      const [first, last] = [Math.ceil(low.getComponent(axis) / this.cell), Math.floor(high.getComponent(axis) / this.cell)];
      return this.row(axis, Math.ceil(first / every) * every, Math.floor(last / every) * every, low.getComponent(other), every);
    });
  }
  private row(axis: number, first: number, last: number, beside: number, every = 1): GridNumber[] {
    const decimals = Math.max(0, -Math.floor(Math.log10(this.cell) + 1e-9));
    const other = this.axes.find((one) => one !== axis)!;
    const found: GridNumber[] = [];
    for (let i = first; i <= last; i += every) {
      const at = this.level.clone().setComponent(axis, i * this.cell).setComponent(other, beside);
      found.push({at: at.toArray(), text: `${(i * this.cell).toFixed(decimals).replace('-', '−')}${i === last ? ` m, ${'xyz'[axis]}` : ''}`});
    }
    return found;
  }
}

/** The lowest plane of the ground that lies level: the grid lies on it. */
export function levelPlane(scene: Scene, up: Vector3): ScenePlane | null {
  const height = (plane: ScenePlane) => new Vector3(...plane.at).dot(up);
  const level = scene.roads.flatMap(({plane}) => (plane && plane.body === 'ground' && new Vector3(...plane.normal).normalize().dot(up) > 0.99999 ? [plane] : []));
  return level.reduce<ScenePlane | null>((low, plane) => (low && height(low) <= height(plane) ? low : plane), null);
}

/** 1, 2 or 5 times a power of ten. */
export function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
