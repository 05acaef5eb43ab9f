// What stands still around the mechanism: grid, ground points, the model's shapes of the ground, and roads.
import {ConeGeometry, DoubleSide, Group, InstancedMesh, Line, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Vector3, type Material} from 'three';
import type {Bounds} from './framing';
import {groundBody} from './geometry';
import {Grid, levelPlane} from './grid';
import {material} from './look';
import {givenParts} from './parts';
import {roadGroup} from './roads';
import {edgesOf} from './run_view';
import {rodRadius} from './shapes';
import {heightsGroup, PlanePatch} from './terrain';
import type {Scene, SceneRoad} from './scene';

export class Surroundings {
  readonly root = new Group();
  grid: Grid | null = null;
  private patches: PlanePatch[] = [];
  private roads: {group: Group; drops: SceneRoad['drops']; axis: 'y' | 'z'}[] = [];

  /** `tracks`: see framing.ts. */
  build(scene: Scene, bounds: Bounds, up: Vector3, dark: boolean, tracks: Map<string, [number, number]>): void {
    this.clear();
    this.grid = new Grid(scene, bounds, up, dark);
    this.root.add(this.grid.lines);
    this.addGroundMarks(scene, up, dark);
    for (const part of givenParts(scene.groundGeometry, groundBody, scene)) {
      const colour = part.colour ?? (dark ? 0x565e68 : 0xaab1b9);
      this.root.add(new Mesh(part.geometry, material(colour, false, part.opacity, part.bothSides ? DoubleSide : undefined)), edgesOf(part.geometry, colour, part.opacity < 1));
    }
    const level = scene.planar ? null : levelPlane(scene, up);
    for (const road of scene.roads) {
      const {plane} = road;
      if (plane && plane.body === 'ground') {
        const patch = new PlanePatch(plane, this.grid.cell, 6 * bounds.radius, dark, plane !== level, scene.planar, 0.1 * scene.size);
        patch.moveTo(bounds.center);
        this.patches.push(patch);
        this.add(patch.group, road, scene);
      }
      if (road.grid) this.add(heightsGroup(road.grid, this.grid.cell, dark), road, scene);
      if (road.polyline.length < 2) continue;
      const half = scene.planar ? 0.1 * scene.size : 0.5 * scene.size;
      const group = roadGroup(road, scene, tracks.get(road.name) ?? tracks.get('') ?? [-half, half], dark);
      this.add(group, road, scene);
    }
  }
  private add(content: Group, road: SceneRoad, scene: Scene): void {
    const group = new Group().add(content);
    this.roads.push({group, drops: road.drops, axis: scene.planar ? 'y' : 'z'});
    this.root.add(group);
  }

  /** What is under a mechanism that goes far goes along, by whole cells. */
  moveTo(center: Vector3): void {
    this.grid?.moveTo(center);
    for (const patch of this.patches) patch.moveTo(center);
  }

  /** Roads that drop. */
  update(time: number): void {
    for (const {group, drops, axis} of this.roads) {
      group.position[axis] = -drops.reduce((sum, drop) => sum + (drop.time <= time ? drop.by : 0), 0);
    }
  }

  private clear(): void {
    this.roads = [];
    this.patches = [];
    this.root.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof Line)) return;
      object.geometry.dispose();
      (object.material as Material).dispose();
    });
    this.root.clear();
  }

  /** A cone under every hardpoint on the ground, its tip at the point; not where the model says what the ground looks like. */
  private addGroundMarks(scene: Scene, up: Vector3, dark: boolean): void {
    const points = scene.ground.filter((p) => p.kind !== 'force' && p.kind !== 'contact');
    if (points.length === 0 || scene.groundGeometry.length > 0) return;
    const r = rodRadius(scene);
    const cone = new ConeGeometry(2.6 * r, 5 * r, 4).translate(0, -2.5 * r, 0);
    const mesh = new InstancedMesh(cone, new MeshStandardMaterial({color: dark ? 0x565e68 : 0xaab1b9, roughness: 0.9}), points.length);
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up);
    points.forEach((p, i) => mesh.setMatrixAt(i, new Matrix4().compose(new Vector3(...p.at), turn, new Vector3(1, 1, 1))));
    this.root.add(mesh);
  }
}
