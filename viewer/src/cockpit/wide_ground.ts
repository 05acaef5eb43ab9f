// Ground to drive on: a grid that reaches far, at the height of the wheels as drawn or of the lowest road. It goes along, line upon line.
import {GridHelper, Quaternion, Vector3} from 'three';
import {roundNumber} from '../grid';
import type {Scene} from '../scene';

const cells = 80;

export class WideGround {
  readonly lines: GridHelper;
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
    this.moveTo(new Vector3());
  }

  moveTo(center: Vector3): void {
    const {up, cell} = this;
    v.copy(center).addScaledVector(up, -center.dot(up));
    v.set(Math.round(v.x / cell) * cell, Math.round(v.y / cell) * cell, Math.round(v.z / cell) * cell);
    this.lines.position.copy(v.addScaledVector(up, this.level - v.dot(up)));
  }
  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
const v = new Vector3();
