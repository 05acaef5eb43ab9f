// Roads: the profile, height over x, as a bank across the way, as wide as the wheels that run on it.
import {BufferGeometry, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Mesh, MeshStandardMaterial} from 'three';
import {roundNumber} from './grid';
import type {Scene, SceneRoad, Vec} from './scene';

/** From `low` to `high` across the way. In the plane it is a thin plate behind and before the mechanism. */
export function roadGroup({polyline}: SceneRoad, scene: Scene, [low, high]: [number, number], dark: boolean): Group {
  const group = new Group();
  const lowest = polyline.reduce((least, p) => Math.min(least, p[1]), Infinity) - 0.08 * scene.size;
  const corner = (x: number, h: number, across: number): Vec => (scene.planar ? [x, h, across] : [x, across, h]);
  const top: number[] = [];
  const flanks: number[] = [];
  const quad = (to: number[], p: Vec, q: Vec, r: Vec, s: Vec) => to.push(...p, ...q, ...r, ...p, ...r, ...s);
  for (let i = 0; i + 1 < polyline.length; ++i) {
    const [[x0, h0], [x1, h1]] = [polyline[i]!, polyline[i + 1]!];
    quad(top, corner(x0, h0, low), corner(x1, h1, low), corner(x1, h1, high), corner(x0, h0, high));
    if (x1 > x0) for (const side of [low, high]) quad(flanks, corner(x0, lowest, side), corner(x1, lowest, side), corner(x1, h1, side), corner(x0, h0, side));
  }
  const mesh = (positions: number[], colour: number) => {
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3));
    geometry.computeVertexNormals();
    return new Mesh(geometry, new MeshStandardMaterial({
      color: colour, roughness: 1, side: DoubleSide, flatShading: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
    }));
  };
  group.add(mesh(top, dark ? 0x4a5058 : 0xb9bec4), mesh(flanks, dark ? 0x3a3f46 : 0x989fa7));
  group.name = 'road';
  if (!scene.planar) {
    const lines = linesAcross(polyline, roundNumber(scene.size / 3)).flatMap(([x, h]) => [...corner(x, h, low), ...corner(x, h, high)]);
    const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(lines, 3));
    group.add(new LineSegments(geometry, new LineBasicMaterial({color: dark ? 0x626973 : 0x9aa1a8})));
  }
  return group;
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
