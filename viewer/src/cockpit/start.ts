// The cockpit instead of the viewer, where the program drives.
import {Cockpit} from './cockpit';
import type {DriveInfo} from './protocol';
import type {Vec} from '../scene';

export async function startCockpit(host: HTMLElement, info: DriveInfo): Promise<void> {
  const response = await fetch('api/drive/scene');
  const cockpit = new Cockpit(host, info, response.ok ? await response.text() : null);
  // For scripts and tests: window.cardan.
  const at: Vec = [0, 0, 0];
  Object.assign(window, {
    cardan: {
      cockpit,
      get ready() {
        return cockpit.trajectory.newest !== null;
      },
      get time() {
        return cockpit.trajectory.time;
      },
      get frameCost() {
        return cockpit.frameCost;
      },
      value: (column: string) => cockpit.trajectory.newest?.values[cockpit.info.columns.indexOf(column)],
      input: (name: string) => cockpit.inputs.find(name)?.value,
      projectBody: (name: string) => {
        const p = cockpit.stage.views[0]?.locate({kind: 'body', name}, at);
        return p ? cockpit.stage.project(p) : null;
      },
    },
  });
}
