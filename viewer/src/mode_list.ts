// The modes of a result: one of them is in motion. Frequency, damping, and how large the motion is drawn.
import type {App} from './app';
import {digits, h, labelled} from './dom';
import type {Mode} from './modes';

function remark(mode: Mode): string {
  if (mode.rigid) return 'rigid: nothing resists it';
  if (mode.unstable) return 'unstable: it grows';
  return mode.frequency === 0 ? 'creeps, does not swing' : '';
}

export class ModeList {
  readonly element: HTMLElement;
  private readonly rows = h('div', {class: 'modes', role: 'radiogroup', 'aria-label': 'Modes'});
  private readonly amplitude;
  private listed: object | null = null;

  constructor(private readonly app: App) {
    const output = h('output', {}, '1×');
    const input = h('input', {type: 'range', min: '-1', max: '0.7', step: '0.05', value: '0', oninput: () => {
      const factor = 10 ** Number(input.value);
      output.textContent = `${digits(factor, 2)}×`;
      app.setModeAmplitude(factor);
    }});
    this.amplitude = labelled('Size of the motion', input);
    this.amplitude.append(output);
    this.element = h('div', {}, this.rows, this.amplitude);
  }

  refresh(): void {
    const run = this.app.shown[0];
    const modes = run?.modes ?? null;
    if (modes !== this.listed) {
      this.listed = modes;
      this.rows.replaceChildren(
        h('div', {class: 'mode head', 'aria-hidden': 'true'}, h('span', {}), h('span', {}, 'Mode'), h('span', {class: 'number'}, 'Frequency'), h('span', {class: 'number'}, 'Damping')),
        ...(modes?.modes ?? []).map((mode, i) => {
          const input = h('input', {type: 'radio', name: 'mode', value: String(i), onchange: () => this.app.showMode(i)});
          input.id = `mode-${i}`;
          return h('label', {class: 'mode', for: input.id, title: remark(mode)}, input,
            h('span', {}, `${i + 1}${mode.unstable ? ' unstable' : mode.rigid ? ' rigid' : ''}`),
            h('span', {class: 'number'}, `${digits(mode.frequency, 4)} Hz`), h('span', {class: 'number'}, digits(mode.damping, 3)));
        }));
    }
    for (const input of this.rows.querySelectorAll('input')) input.checked = Number(input.value) === run?.mode;
  }
}
