// Shapes that the model gives, as triangles in a body's own axes from its centre.
import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, ExtrudeGeometry, Matrix4, Shape, SphereGeometry, Vector2, Vector3,
} from 'three';
import {directionToBody, toBody} from './poses';
import type {SceneBody, SceneGeometry, Vec} from './scene';
import {along} from './shapes';

/** Ground's axes are the inertial ones. */
export const groundBody: Pick<SceneBody, 'center' | 'axes'> = {center: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]};

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
  }
}
