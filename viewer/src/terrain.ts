// Planes and heights on a grid, as far as they can be seen. A plane is a patch around what the camera looks at, its lines at round
// distances from the plane's point, so that it does not seem to go along. A height map is a surface, light where it is high, with lines
// at round coordinates.
import {
  BoxGeometry, BufferGeometry, Color, DoubleSide, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh,
  MeshBasicMaterial, MeshStandardMaterial, PlaneGeometry, Vector3,
} from 'three';
import {roundNumber, squareLines} from './grid';
import {groundLineColour} from './look';
import type {SceneHeights, ScenePlane} from './scene';

const linesAtMost = 80; // along x and along y
const offset = {polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1};
const groundColour = (dark: boolean) => (dark ? 0x1f2328 : 0xeceef0);

/** Two directions along a plane, the first as near to x as can be, and its normal. */
export function axesOf(plane: ScenePlane): [Vector3, Vector3, Vector3] {
  const n = new Vector3(...plane.normal).normalize();
  const along = Math.abs(n.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const u = along.addScaledVector(n, -along.dot(n)).normalize();
  return [u, new Vector3().crossVectors(n, u), n];
}

export class PlanePatch {
  readonly group = new Group();
  private readonly at: Vector3;
  private readonly axes: [Vector3, Vector3, Vector3];

  /** `lines`: without them where the grid under the mechanism lies on it. In the plane it is a bank, `deep` into the solid and to either side. */
  constructor(plane: ScenePlane, private readonly cell: number, reach: number, dark: boolean, lines: boolean, planar: boolean, deep: number) {
    this.at = new Vector3(...plane.at);
    this.axes = axesOf(plane);
    const [u, v, n] = this.axes;
    const half = Math.ceil(reach / cell) * cell;
    // Flat, so that its lines stand out wherever the light comes from.
    const material = planar
      ? new MeshStandardMaterial({color: dark ? 0x4a5058 : 0xb9bec4, roughness: 1, ...offset})
      : new MeshBasicMaterial({color: groundColour(dark), ...offset});
    this.group.name = 'plane';
    if (planar) {
      const z = new Vector3(0, 0, 1);
      const across = new Vector3().crossVectors(n, z);
      this.axes = [across, z, n];
      const bank = new BoxGeometry(2 * half, deep, 2 * deep).translate(0, -deep / 2, 0).applyMatrix4(new Matrix4().makeBasis(across, n, z));
      this.group.add(new Mesh(bank, material));
    } else {
      this.group.add(new Mesh(new PlaneGeometry(2 * half, 2 * half).applyMatrix4(new Matrix4().makeBasis(u, v, n)), material));
      if (lines) {
        const grid = squareLines(half, Math.min(400, Math.round((2 * half) / cell)), groundLineColour(dark));
        grid.geometry.applyMatrix4(new Matrix4().makeBasis(u, n, v.clone().negate())); // its lines lie in x and z
        this.group.add(grid);
      }
    }
    this.moveTo(this.at);
  }

  /** The place of the lattice through the plane's point that is nearest to one in space. */
  moveTo(center: Vector3): void {
    const rest = center.clone().sub(this.at);
    this.group.position.copy(this.at);
    for (const axis of this.axes.slice(0, 2)) this.group.position.addScaledVector(axis, Math.round(rest.dot(axis) / this.cell) * this.cell);
  }
}

export function heightsGroup(map: SceneHeights, cell: number, dark: boolean): Group {
  const {at, spacing, columns, rows, heights} = map;
  const [low, high] = heights.reduce(([a, b], h) => [Math.min(a, h), Math.max(b, h)] as [number, number], [Infinity, -Infinity]);
  const [deep, top] = dark ? [new Color(0x2b3037), new Color(0x6a737d)] : [new Color(0x8d969f), new Color(0xdde1e5)];
  const positions: number[] = [];
  const colours: number[] = [];
  const colour = new Color();
  for (let j = 0; j < rows; ++j) {
    for (let i = 0; i < columns; ++i) {
      const h = heights[j * columns + i]!;
      positions.push(at[0] + i * spacing[0], at[1] + j * spacing[1], h);
      colour.lerpColors(deep, top, high > low ? (h - low) / (high - low) : 0.5);
      colours.push(colour.r, colour.g, colour.b);
    }
  }
  const faces: number[] = [];
  for (let j = 0; j + 1 < rows; ++j) {
    for (let i = 0; i + 1 < columns; ++i) {
      const k = j * columns + i;
      faces.push(k, k + 1, k + columns + 1, k, k + columns + 1, k + columns); // cells are divided from lowest to highest x and y
    }
  }
  const surface = new BufferGeometry().setIndex(faces)
    .setAttribute('position', new Float32BufferAttribute(positions, 3)).setAttribute('color', new Float32BufferAttribute(colours, 3));
  surface.computeVertexNormals();
  const group = new Group();
  group.name = 'heights';
  group.add(new Mesh(surface, new MeshStandardMaterial({vertexColors: true, roughness: 1, side: DoubleSide, ...offset})));
  const lines = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(linesOver(map, cell), 3));
  group.add(new LineSegments(lines, new LineBasicMaterial({color: dark ? 0x8a939d : 0x757d86, transparent: true, opacity: 0.45})));
  return group;
}

/** Segments at multiples of `cell`, or of more where these were too many, that lie in the triangles of the surface. */
export function linesOver({at, spacing, columns, rows, heights}: SceneHeights, cell: number): number[] {
  const found: number[] = [];
  const counts = [columns, rows] as const;
  const height = (i: number, j: number) => heights[j * columns + i]!;
  for (const along of [0, 1] as const) {
    const across = 1 - along as 0 | 1;
    const extent = (counts[across] - 1) * spacing[across];
    const every = Math.max(cell, roundNumber(extent / linesAtMost));
    for (let k = Math.ceil(at[across] / every - 1e-9); k * every <= at[across] + extent + 1e-9 * every; ++k) {
      const place = (k * every - at[across]) / spacing[across];
      const cellAcross = Math.min(Math.max(0, Math.floor(place + 1e-9)), counts[across] - 2);
      const part = Math.min(1, Math.max(0, place - cellAcross));
      // At each node along the line, and where it crosses the diagonal of the cell behind it.
      const node = (i: number, j: number) => (along === 0 ? height(i, j) : height(j, i));
      const point = (u: number, h: number) => (along === 0 ? [at[0] + u * spacing[0], k * every, h] : [k * every, at[1] + u * spacing[1], h]);
      const path: number[][] = [];
      for (let i = 0; i < counts[along]; ++i) {
        path.push(point(i, (1 - part) * node(i, cellAcross) + part * node(i, cellAcross + 1)));
        if (i + 1 < counts[along] && part > 0 && part < 1) path.push(point(i + part, (1 - part) * node(i, cellAcross) + part * node(i + 1, cellAcross + 1)));
      }
      for (let i = 0; i + 1 < path.length; ++i) found.push(...path[i]!, ...path[i + 1]!);
    }
  }
  return found;
}
