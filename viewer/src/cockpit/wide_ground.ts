// Ground to drive on: a grid that reaches far, at the height of the wheels as drawn or of the lowest road. It goes along, line upon line.
import {BufferGeometry, Float32BufferAttribute, GridHelper, LineBasicMaterial, LineSegments, Quaternion, Vector3} from 'three';
import {roundNumber} from '../grid';
import type {Scene} from '../scene';

const cells = 80;

export class WideGround {
  readonly lines: GridHelper;
  readonly onRoads: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly cell: number;
  private readonly level: number;

  constructor(scene: Scene, private readonly up: Vector3, dark: boolean) {
    this.cell = Math.max(0.5, roundNumber(scene.size / 2));
    const wheels = scene.wheels.map(({center, radius}) => v.set(...center).dot(up) - radius);
    const roads = up.z > 0.5 ? scene.roads.flatMap(({polyline}) => polyline.map((p) => p[1])) : [];
    const lowest = roads.length > 0 ? Math.min(...roads) - 0.02 * scene.size : Math.min(...wheels, Infinity);
    this.level = Number.isFinite(lowest) ? lowest : 0;
    const colour = dark ? 0x2c323a : 0xd5dade;
    this.lines = new GridHelper(cells * this.cell, cells, colour, colour);
    this.lines.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up));
    this.onRoads = roadLines(scene, dark);
    this.moveTo(new Vector3());
  }

  moveTo(center: Vector3): void {
    const {up, cell} = this;
    v.copy(center).addScaledVector(up, -center.dot(up));
    v.set(Math.round(v.x / cell) * cell, Math.round(v.y / cell) * cell, Math.round(v.z / cell) * cell);
    this.lines.position.copy(v.addScaledVector(up, this.level - v.dot(up)));
  }
  dispose(): void {
    for (const {geometry, material} of [this.lines, this.onRoads]) {
      geometry.dispose();
      material.dispose();
    }
  }
}

const [beside, ahead, spacing] = [60, 400, 5]; // m

/** Lines along and across roads, by which one sees how fast one goes. */
export function roadLines(scene: Scene, dark: boolean): LineSegments<BufferGeometry, LineBasicMaterial> {
  const points: number[] = [];
  const above = 0.004 * scene.size;
  for (const {polyline} of scene.roads) {
    for (let y = -beside; y <= beside; y += spacing) {
      for (let i = 0; i + 1 < polyline.length; ++i) points.push(polyline[i]![0], y, polyline[i]![1] + above, polyline[i + 1]![0], y, polyline[i + 1]![1] + above);
    }
    for (let i = 0; i + 1 < polyline.length; ++i) {
      const [[x0, h0], [x1, h1]] = [polyline[i]!, polyline[i + 1]!];
      for (let k = Math.ceil(Math.max(x0, -ahead) / spacing); k * spacing < Math.min(x1, ahead); ++k) {
        const height = h0 + ((h1 - h0) * (k * spacing - x0)) / (x1 - x0) + above;
        points.push(k * spacing, -beside, height, k * spacing, beside, height);
      }
    }
  }
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3));
  return new LineSegments(geometry, new LineBasicMaterial({color: dark ? 0x737c87 : 0x7c848c}));
}

const v = new Vector3();
