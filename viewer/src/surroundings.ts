// What stands still around the mechanism: grid, ground points, the model's shapes of the ground, and roads.
import {
  BufferGeometry, ConeGeometry, DoubleSide, Float32BufferAttribute, GridHelper, Group, InstancedMesh, Line, LineBasicMaterial, LineSegments,
  Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3, type Material,
} from 'three';
import {groundBody} from './geometry';
import {material} from './look';
import {givenParts} from './parts';
import {edgesOf} from './run_view';
import {rodRadius} from './shapes';
import type {Scene, SceneRoad, Vec} from './scene';

export interface Bounds {
  center: Vector3;
  radius: number;
  half: Vector3;
}

export class Surroundings {
  readonly root = new Group();
  private roads: {group: Group; drops: SceneRoad['drops']; axis: 'y' | 'z'}[] = [];

  build(scene: Scene, {center, radius, half}: Bounds, up: Vector3, dark: boolean): void {
    this.clear();
    this.addGrid(scene, {center, radius, half}, up, dark);
    this.addGroundMarks(scene, up, dark);
    for (const part of givenParts(scene.groundGeometry, groundBody, scene)) {
      const colour = part.colour ?? (dark ? 0x565e68 : 0xaab1b9);
      this.root.add(new Mesh(part.geometry, material(colour, false, part.opacity)), edgesOf(part.geometry, colour, part.opacity < 1));
    }
    for (const road of scene.roads) this.addRoad(road, scene, dark);
  }

  /** Roads that drop. */
  update(time: number): void {
    for (const {group, drops, axis} of this.roads) {
      group.position[axis] = -drops.reduce((sum, drop) => sum + (drop.time <= time ? drop.by : 0), 0);
    }
  }

  private clear(): void {
    this.roads = [];
    this.root.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof Line)) return;
      object.geometry.dispose();
      (object.material as Material).dispose();
    });
    this.root.clear();
  }

  private addGrid(scene: Scene, {center, radius, half}: Bounds, up: Vector3, dark: boolean): void {
    const cell = roundNumber(radius / 3);
    const cells = Math.min(200, 2 * Math.ceil((3 * radius) / cell));
    const [line, axis] = dark ? [0x2a2f36, 0x3c434c] : [0xe3e6ea, 0xc6ccd3];
    const grid = new GridHelper(cells * cell, cells, axis, line);
    const snap = (x: number) => Math.round(x / cell) * cell;
    if (scene.planar) {
      grid.rotateX(Math.PI / 2);
      grid.position.set(snap(center.x), snap(center.y), -0.1 * scene.size);
    } else {
      grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), up);
      const lowest = center.dot(up) - Math.abs(half.dot(up));
      const floor = Math.min(lowest, ...scene.roads.flatMap((road) => road.polyline.map((p) => p[1] - 0.01 * scene.size)));
      const flat = center.clone().addScaledVector(up, floor - center.dot(up));
      grid.position.set(...(flat.toArray().map((x, i) => (Math.abs(up.getComponent(i)) > 0.5 ? x : snap(x))) as Vec));
    }
    this.root.add(grid);
  }

  /** A cone under every hardpoint on the ground, its tip at the point; not where the model says what the ground looks like. */
  private addGroundMarks(scene: Scene, up: Vector3, dark: boolean): void {
    const points = scene.ground.filter((p) => p.kind !== 'force');
    if (points.length === 0 || scene.groundGeometry.length > 0) return;
    const r = rodRadius(scene);
    const cone = new ConeGeometry(2.6 * r, 5 * r, 4).translate(0, -2.5 * r, 0);
    const mesh = new InstancedMesh(cone, new MeshStandardMaterial({color: dark ? 0x565e68 : 0xaab1b9, roughness: 0.9}), points.length);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up);
    points.forEach((p, i) => mesh.setMatrixAt(i, new Matrix4().compose(new Vector3(...p.at), turn, new Vector3(1, 1, 1))));
    this.root.add(mesh);
  }

  /** The profile, height over x, as a bank across the way: its top, its flanks, and lines over it at even distances. */
  private addRoad({polyline, drops}: SceneRoad, scene: Scene, dark: boolean): void {
    if (polyline.length < 2) return;
    const half = scene.planar ? 0.1 * scene.size : scene.size;
    const lowest = Math.min(...polyline.map((p) => p[1])) - 0.08 * scene.size;
    const corner = (x: number, h: number, side: number): Vec => (scene.planar ? [x, h, side * half] : [x, side * half, h]);
    const top: number[] = [];
    const flanks: number[] = [];
    const quad = (to: number[], p: Vec, q: Vec, r: Vec, s: Vec) => to.push(...p, ...q, ...r, ...p, ...r, ...s);
    for (let i = 0; i + 1 < polyline.length; ++i) {
      const [[x0, h0], [x1, h1]] = [polyline[i]!, polyline[i + 1]!];
      quad(top, corner(x0, h0, -1), corner(x1, h1, -1), corner(x1, h1, 1), corner(x0, h0, 1));
      if (x1 > x0) for (const side of [-1, 1]) quad(flanks, corner(x0, lowest, side), corner(x1, lowest, side), corner(x1, h1, side), corner(x0, h0, side));
    }
    const mesh = (positions: number[], colour: number) => {
      const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
      geometry.computeVertexNormals();
      return new Mesh(geometry, new MeshStandardMaterial({
        color: colour, roughness: 1, side: DoubleSide, flatShading: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      }));
    };
    const group = new Group();
    group.add(mesh(top, dark ? 0x4a5058 : 0xb9bec4), mesh(flanks, dark ? 0x3a3f46 : 0x989fa7));
    if (!scene.planar) {
      const lines = linesAcross(polyline, roundNumber(scene.size / 3)).flatMap(([x, h]) => [...corner(x, h, -1), ...corner(x, h, 1)]);
      const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(lines, 3));
      group.add(new LineSegments(geometry, new LineBasicMaterial({color: dark ? 0x626973 : 0x9aa1a8})));
    }
    this.roads.push({group, drops, axis: scene.planar ? 'y' : 'z'});
    this.root.add(group);
  }
}

/** Where lines at multiples of `distance` cross the profile, and its corners. */
function linesAcross(polyline: [number, number][], distance: number): [number, number][] {
  const points: [number, number][] = polyline.slice(1, -1);
  for (let i = 0; i + 1 < polyline.length && points.length < 5000; ++i) {
    const [[x0, h0], [x1, h1]] = [polyline[i]!, polyline[i + 1]!];
    for (let k = Math.ceil(x0 / distance); k * distance < x1 && points.length < 5000; ++k) {
      points.push([k * distance, h0 + ((h1 - h0) * (k * distance - x0)) / (x1 - x0)]);
    }
  }
  return points;
}

/** 1, 2 or 5 times a power of ten. */
function roundNumber(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}
