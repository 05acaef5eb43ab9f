// Shapes that the model gives, as triangles in a body's own axes from its centre.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, ExtrudeGeometry, Matrix4, Shape, SphereGeometry, Vector2, Vector3,
} from 'three';
import {directionToBody, toBody} from './poses';
import type {SceneBody, SceneGeometry, Vec} from './scene';
import {along} from './shapes';

/** Ground's axes are the inertial ones. */
export const groundBody: Pick<SceneBody, 'center' | 'axes'> = {center: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]};

/** The point of a box, sphere or cylinder nearest to one of the drawing; itself when it lies inside. */
export function nearestIn(shape: SceneGeometry, p: Vec): Vec {
  const at = new Vector3(...p);
  switch (shape.shape) {
    case 'box': {
      const center = new Vector3(...shape.at);
      const rest = at.sub(center);
      const near = center.clone();
      shape.axes.forEach((axis, i) => {
        const half = shape.edges[i]! > 0 ? shape.edges[i]! / 2 : Infinity;
        const d = new Vector3(...axis);
        near.addScaledVector(d, Math.min(half, Math.max(-half, rest.dot(d))));
      });
      return near.toArray();
    }
    case 'sphere':
      return new Vector3(...shape.at).add(at.sub(new Vector3(...shape.at)).clampLength(0, shape.radius)).toArray();
    case 'cylinder':
    case 'capsule': {
      const [from, to] = shape.points.map((end) => new Vector3(...end)) as [Vector3, Vector3];
      const line = to.sub(from);
      const along = Math.min(1, Math.max(0, at.clone().sub(from).dot(line) / (line.lengthSq() || 1)));
      const foot = from.addScaledVector(line, along);
      const across = at.sub(foot);
      across.addScaledVector(line, -across.dot(line) / (line.lengthSq() || 1));
      return foot.add(across.clampLength(0, shape.radius)).toArray();
    }
    default:
      return p;
  }
}

/** Each triangle has corners of its own, so that edges are sharp; with what the other shapes have, so that they can be merged. */
function meshGeometry(vertices: Float32Array, triangles: Uint32Array): BufferGeometry {
  const corners = new Float32Array(3 * triangles.length);
  triangles.forEach((vertex, i) => corners.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(corners, 3));
  geometry.setAttribute('uv', new BufferAttribute(new Float32Array(2 * triangles.length), 2));
  geometry.computeVertexNormals();
  return geometry;
}

/** `thickness` is for shapes of planar models that have none. */
export function givenGeometry(shape: SceneGeometry, body: Pick<SceneBody, 'center' | 'axes'>, thickness: number): BufferGeometry {
  const place = (p: Vec) => new Vector3(...toBody(body, p));
  const frame = (at: Vec, axes: [Vec, Vec, Vec]) => {
    const [x, y, z] = axes.map((axis) => new Vector3(...directionToBody(body, axis)));
    return new Matrix4().makeBasis(x!, y!, z!).setPosition(place(at));
  };
  switch (shape.shape) {
    case 'box': {
      const [a, b, c] = shape.edges;
      return new BoxGeometry(a, b, c || thickness).applyMatrix4(frame(shape.at, shape.axes));
    }
    case 'sphere':
      return new SphereGeometry(shape.radius, 28, 18).translate(...place(shape.at).toArray());
    case 'cylinder':
    case 'capsule': {
      const [from, to] = shape.points.map(place) as [Vector3, Vector3];
      const length = from.distanceTo(to);
      const upright = shape.shape === 'cylinder'
        ? new CylinderGeometry(shape.radius, shape.radius, length, 32)
        : new CapsuleGeometry(shape.radius, length, 8, 24);
      const direction = to.clone().sub(from).divideScalar(length || 1);
      return upright.rotateX(Math.PI / 2).applyMatrix4(along(from.add(to).multiplyScalar(0.5), direction, 1, 1, new Matrix4()));
    }
    case 'polygon': {
      const depth = shape.thickness || thickness;
      const outline = new Shape(shape.outline.map(([u, v]) => new Vector2(u, v)));
      return new ExtrudeGeometry(outline, {depth, bevelEnabled: false}).translate(0, 0, -depth / 2).applyMatrix4(frame(shape.at, shape.axes));
    }
    case 'mesh':
      return meshGeometry(shape.vertices, shape.triangles).applyMatrix4(frame(shape.at, shape.axes));
  }
}
