// The directions of the inertial axes, in the lower left corner of the picture.
import {CanvasTexture, Mesh, MeshBasicMaterial, OrthographicCamera, Quaternion, Scene, SRGBColorSpace, Sprite, SpriteMaterial, Vector3, type Camera, type WebGLRenderer} from 'three';
import {unitCone, unitRod} from './shapes';

export const triadSize = 84; // CSS pixels
const colours = [0xd1495b, 0x4c9a3f, 0x3f74b5];

function letter(text: string, colour: number): Sprite {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d')!;
  context.font = 'bold 46px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillStyle = `#${colour.toString(16).padStart(6, '0')}`;
  context.fillText(text, 32, 34);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  const sprite = new Sprite(new SpriteMaterial({map: texture, depthTest: false}));
  sprite.scale.setScalar(0.62);
  return sprite;
}

export class Triad {
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1.55, 1.55, 1.55, -1.55, 0, 10);
  private readonly third = [] as (Mesh | Sprite)[];

  constructor() {
    colours.forEach((colour, i) => {
      const direction = new Vector3().setComponent(i, 1);
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), direction);
      const material = new MeshBasicMaterial({color: colour});
      const shaft = new Mesh(unitRod(10).scale(0.05, 0.05, 0.75), material);
      const head = new Mesh(unitCone().scale(0.14, 0.14, 0.32).translate(0, 0, 0.7), material);
      const name = letter('xyz'[i]!, colour);
      name.position.copy(direction).multiplyScalar(1.26);
      for (const mesh of [shaft, head]) mesh.quaternion.copy(turn);
      this.scene.add(shaft, head, name);
      if (i === 2) this.third.push(shaft, head, name);
    });
  }

  /** Turned as the camera sees it; in the plane two axes say it all. */
  render(renderer: WebGLRenderer, main: Camera, planar: boolean): void {
    this.camera.quaternion.copy(main.quaternion);
    this.camera.position.set(0, 0, 5).applyQuaternion(main.quaternion);
    const towards = Math.abs(new Vector3(0, 0, 1).applyQuaternion(main.quaternion).z);
    for (const part of this.third) part.visible = !(planar && towards > 0.999);
    renderer.setViewport(0, 0, triadSize, triadSize);
    renderer.clearDepth();
    renderer.render(this.scene, this.camera);
  }
}
