// Colours and materials of what a run puts on the stage.
import {MeshStandardMaterial, type Side} from 'three';

export const palette = [0x4e79a7, 0x59a14f, 0xb07aa1, 0xe08a3c, 0x3f9c9c, 0xc7545a, 0x9c755f, 0x8a8f3c];
export const jointColour = 0x8b929a;
export const overlayColour = 0x8793a0; // a ghost beside the colours of the first run
export const pickedColour = 0xf2b01e;
export const groundLineColour = (dark: boolean) => (dark ? 0x3a4149 : 0xcbd0d6);

/** The colour, or the ghost's in place of it. */
export const shade = (colour: number, overlay: boolean) => (overlay ? overlayColour : colour);

export function material(colour: number, overlay: boolean, opacity = 1, side?: Side): MeshStandardMaterial {
  const faded = overlay ? 0.55 * opacity : opacity;
  return new MeshStandardMaterial({
    color: shade(colour, overlay), roughness: 0.65, metalness: 0.05,
    transparent: faded < 1, opacity: faded, depthWrite: faded >= 1, ...(side === undefined ? {} : {side}),
  });
}
