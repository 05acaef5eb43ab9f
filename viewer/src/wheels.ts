// Wheels of tyres: rubber with rounded shoulders, and a rim with spokes, so that turning shows.
import {BoxGeometry, BufferGeometry, CylinderGeometry, LatheGeometry, Matrix4, Vector2, Vector3} from 'three';
import {directionToBody, toBody} from './poses';
import type {SceneBody, SceneWheel} from './scene';
import {along} from './shapes';

export const tyreColour = 0x3d4248;
const usualWidth = 0.52; // all in radii
const rim = 0.62;
const spokes = 5;

function placed(wheel: SceneWheel, body: SceneBody): Matrix4 {
  const axis = new Vector3(...directionToBody(body, wheel.axis)).normalize();
  return along(new Vector3(...toBody(body, wheel.center)), axis, wheel.radius, wheel.radius, new Matrix4());
}

const widthOf = (wheel: SceneWheel) => (wheel.width > 0 ? wheel.width / wheel.radius : usualWidth);

export function tyreGeometry(wheel: SceneWheel, body: SceneBody): BufferGeometry {
  const half = widthOf(wheel) / 2;
  // Radius and place along the axis, from the rim around the outside back to the rim.
  const side = [[rim, 0.8], [0.7, 0.94], [0.84, 1], [0.93, 0.94], [0.985, 0.78], [1, 0.55]] as const;
  const profile = [
    ...side.map(([r, z]) => new Vector2(r, -z * half)),
    ...side.map(([r, z]) => new Vector2(r, z * half)).reverse(),
  ];
  return new LatheGeometry(profile, 48).rotateX(Math.PI / 2).applyMatrix4(placed(wheel, body));
}

export function rimGeometry(wheel: SceneWheel, body: SceneBody): BufferGeometry[] {
  const width = widthOf(wheel);
  const half = width / 2;
  const barrel = [[rim, -0.8 * half], [rim, 0.8 * half], [0.92 * rim, 0.8 * half], [0.88 * rim, 0], [0.92 * rim, -0.8 * half], [rim, -0.8 * half]] as const;
  const parts: BufferGeometry[] = [
    new LatheGeometry(barrel.map(([r, z]) => new Vector2(r, z)), 40).rotateX(Math.PI / 2),
    new CylinderGeometry(0.2, 0.2, 0.7 * width, 24).rotateX(Math.PI / 2),
  ];
  for (let i = 0; i < spokes; ++i) {
    parts.push(new BoxGeometry(0.9 * rim, 0.17, 0.22 * width).translate(0.45 * rim, 0, 0).rotateZ((2 * Math.PI * i) / spokes));
  }
  const matrix = placed(wheel, body);
  return parts.map((part) => part.applyMatrix4(matrix));
}
