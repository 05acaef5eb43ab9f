// What can be picked, followed and trailed: an element of the scene, by its kind and name.
import type {Hardpoint, Scene, Vec} from './scene';

export const kinds = ['body', 'marker', 'joint', 'spring', 'driver', 'tyre', 'load'] as const;
export type Kind = (typeof kinds)[number];
export const kindTitles: Record<Kind, string> = {body: 'Bodies', marker: 'Markers', joint: 'Joints', spring: 'Springs', driver: 'Drivers', tyre: 'Tyres', load: 'Forces, actuators, contacts, drivers of joints'};

/** What leaves a trail. */
export const trailing: Kind[] = ['body', 'marker', 'joint'];

export interface Pick {
  kind: Kind;
  name: string;
}

export const samePick = (a: Pick | null, b: Pick | null) => a?.kind === b?.kind && a?.name === b?.name;
export const pickKey = (pick: Pick | null) => (pick ? `${pick.kind}:${pick.name}` : '');
export function pickOf(key: string): Pick | null {
  const colon = key.indexOf(':');
  const kind = kinds.find((known) => known === key.slice(0, colon));
  return kind ? {kind, name: key.slice(colon + 1)} : null;
}

/** Named points, with their bodies. */
export function markersOf(scene: Scene): {name: string; body: string; at: Vec}[] {
  const on = (body: string, points: Hardpoint[]) => points.filter(({kind}) => kind === 'marker').map(({name, at}) => ({name, body, at}));
  return [...scene.bodies.flatMap((body) => on(body.name, body.points)), ...on('ground', scene.ground)];
}

/** Every element of a scene, in the order of lists. */
export function elementsOf(scene: Scene): {pick: Pick; detail: string}[] {
  const of = (kind: Kind, names: {name: string; detail?: string}[]) => names.map(({name, detail = ''}) => ({pick: {kind, name}, detail}));
  return [
    ...of('body', scene.bodies.map(({name}) => ({name}))),
    ...of('marker', markersOf(scene).map(({name, body}) => ({name, detail: `on ${body}`}))),
    ...of('joint', scene.joints.map(({name, type}) => ({name, detail: type}))),
    ...of('spring', scene.springs.map(({name}) => ({name}))),
    ...of('driver', scene.drivers.map(({name}) => ({name, detail: 'distance'}))),
    ...of('tyre', scene.wheels.filter(({tyre}) => tyre).map(({tyre}) => ({name: tyre}))),
    ...of('load', [...scene.efforts.map(({name, joint}) => ({name, detail: `on ${joint}`})), ...scene.forces.map(({name}) => ({name, detail: 'force'})), ...scene.pulls.map(({name, cylinder}) => ({name, detail: cylinder ? 'cylinder' : 'pull'})), ...scene.torques.map(({name}) => ({name, detail: 'torque'})), ...scene.contacts.map(({name}) => ({name, detail: 'contact'}))]),
  ];
}
