// Ground to drive on: a grid that reaches far, at the height of the wheels as drawn or of the lowest road, which goes along, line upon
// line; and lines on the roads, by which one sees how fast one goes. Lines are of short pieces: long ones that pass the camera
// get lost in some renderers.
import {BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments, Quaternion, Vector3} from 'three';
import {roundNumber} from '../grid';
import type {Scene} from '../scene';

const half = 40; // cells from the middle to the edge
const piece = 4; // cells
const [beside, ahead, spacing] = [60, 400, 5]; // m, of the lines on roads

type Lines = LineSegments<BufferGeometry, LineBasicMaterial>;

function linesOf(points: number[], colour: number): Lines {
  return new LineSegments(new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3)), new LineBasicMaterial({color: colour}));
}

export class WideGround {
  readonly lines: Lines;
  readonly onRoads: Lines;
  private readonly cell: number;
  private readonly level: number;

  constructor(scene: Scene, private readonly up: Vector3, dark: boolean) {
    this.cell = Math.max(0.5, roundNumber(scene.size / 2));
    const wheels = scene.wheels.map(({center, radius}) => v.set(...center).dot(up) - radius);
    const roads = up.z > 0.5 ? scene.roads.flatMap(({polyline}) => polyline.map((p) => p[1])) : [];
    const lowest = roads.length > 0 ? Math.min(...roads) - 0.02 * scene.size : Math.min(...wheels, Infinity);
    this.level = Number.isFinite(lowest) ? lowest : 0;
    this.lines = linesOf(grid(this.cell), dark ? 0x363d46 : 0xc5ccd2);
    this.lines.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    this.lines.frustumCulled = false;
    this.onRoads = linesOf(up.z > 0.5 ? roadLines(scene) : [], dark ? 0x737c87 : 0x7c848c);
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

/** In the plane of x and y, about the origin. */
function grid(cell: number): number[] {
  const points: number[] = [];
  for (let i = -half; i <= half; ++i) {
    for (let k = -half; k < half; k += piece) {
      const [at, from, to] = [i * cell, k * cell, (k + piece) * cell];
      points.push(at, from, 0, at, to, 0, from, at, 0, to, at, 0);
    }
  }
  return points;
}

/** Along and across; roads are the same all across. */
function roadLines(scene: Scene): number[] {
  const points: number[] = [];
  const above = 0.004 * scene.size;
  const across = Array.from({length: (2 * beside) / spacing + 1}, (_, i) => -beside + i * spacing);
  for (const {polyline} of scene.roads) {
    for (let i = 0; i + 1 < polyline.length; ++i) {
      const [[x0, h0], [x1, h1]] = [polyline[i]!, polyline[i + 1]!];
      const height = (x: number) => (x1 > x0 ? h0 + ((h1 - h0) * (x - x0)) / (x1 - x0) : h1) + above;
      const [first, last] = [Math.max(x0, -ahead), Math.min(x1, ahead)];
      for (let from = first; from <= last; from = Math.floor(from / spacing + 1 + 1e-9) * spacing) {
        const to = Math.min(last, Math.floor(from / spacing + 1 + 1e-9) * spacing);
        for (const y of across) points.push(from, y, from === x0 ? h0 + above : height(from), to, y, height(to));
        if (Math.abs(from / spacing - Math.round(from / spacing)) < 1e-9) for (const y of across.slice(1)) points.push(from, y - spacing, height(from), from, y, height(from));
        if (to >= last) break;
      }
    }
  }
  return points;
}

const v = new Vector3();
