// Where one looks from: the two cameras, the controls that move them, and how they are put to see something.
import {Matrix4, OrthographicCamera, PerspectiveCamera, Vector3} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import type {Bounds} from './framing';

export class Viewpoint {
  readonly perspective = new PerspectiveCamera(35, 1, 0.01, 1000);
  readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  controls: OrbitControls;
  private aspect = 1;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly moved: () => void) {
    this.controls = this.makeControls();
  }

  private makeControls(): OrbitControls {
    const controls = new OrbitControls(this.camera, this.canvas);
    controls.enableDamping = false;
    controls.zoomToCursor = true;
    controls.addEventListener('change', this.moved);
    return controls;
  }
  /** The controls take what is up from the camera when they are made. */
  private renewControls(target: Vector3): void {
    this.controls.dispose();
    this.controls = this.makeControls();
    this.controls.target.copy(target);
    this.controls.update();
    this.moved();
  }

  /** Puts the camera in a direction from the centre, so far that everything is in the picture. */
  look({center, half}: Bounds, direction: Vector3, up: Vector3): void {
    const tangent = Math.tan((this.perspective.fov * Math.PI) / 360);
    const distance = this.distanceFor(half, direction, up, tangent);
    for (const camera of [this.perspective, this.orthographic]) {
      camera.up.copy(up);
      camera.position.copy(center).addScaledVector(direction, distance);
      camera.near = camera === this.perspective ? distance / 200 : -100 * distance;
      camera.far = 100 * distance;
    }
    this.orthographic.zoom = 1;
    this.orthographic.top = distance * tangent;
    this.resize(this.aspect);
    this.renewControls(center);
  }

  /** From where one looks now, as a direction. */
  direction(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** How far the camera must be from the centre of a box so that all its corners are in the picture, with a margin. */
  private distanceFor(half: Vector3, direction: Vector3, up: Vector3, tangent: number): number {
    const right = new Vector3().crossVectors(up, direction).normalize();
    const above = new Vector3().crossVectors(direction, right);
    const depth = this.camera === this.orthographic ? 0 : 1;
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
      const across = Math.max(Math.abs(corner.dot(above)), Math.abs(corner.dot(right)) / this.aspect);
      distance = Math.max(distance, depth * corner.dot(direction) + (1.08 * across) / tangent);
    }
    return distance;
  }

  setOrthographic(on: boolean): void {
    if (on === (this.camera === this.orthographic)) return;
    const old = this.camera;
    const target = this.controls.target.clone();
    this.camera = on ? this.orthographic : this.perspective;
    this.camera.up.copy(old.up);
    this.camera.position.copy(old.position);
    if (on) {
      this.orthographic.top = (old.position.distanceTo(target) || 1) * Math.tan((this.perspective.fov * Math.PI) / 360);
      this.orthographic.zoom = 1;
    }
    this.resize(this.aspect);
    this.renewControls(target);
  }

  resize(aspect: number): void {
    this.aspect = aspect;
    this.perspective.aspect = aspect;
    this.perspective.updateProjectionMatrix();
    const {top} = this.orthographic;
    this.orthographic.bottom = -top;
    this.orthographic.left = -top * aspect;
    this.orthographic.right = top * aspect;
    this.orthographic.updateProjectionMatrix();
  }

  /** Moves along with something, without turning. */
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
    this.moved();
  }
  /** Brings a point into the middle of the picture, without turning. */
  centre(at: Vector3): void {
    this.shift(at.clone().sub(this.controls.target));
  }

  /** Projection and view in one matrix. */
  matrix(): Matrix4 {
    this.camera.updateMatrixWorld();
    return new Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse);
  }
}
