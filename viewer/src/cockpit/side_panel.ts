// Beside the picture: strip plots of the outputs chosen, how well the clock is kept, the gamepad.
import {digits, h, iconButton, labelled} from '../dom';
import type {Gamepads} from './gamepad';
import type {Input} from './inputs';
import type {Latency} from './latency';
import type {Statistics} from './protocol';
import type {Strips} from './strips';

const microseconds = (seconds: number) => (Number.isFinite(seconds) ? `${digits(1e6 * seconds, 3)} µs` : '–');
const milliseconds = (ms: number) => (Number.isFinite(ms) ? `${digits(ms, 3)} ms` : '–');

export interface OutputChoice {
  columns: string[]; // all that there are
  chosen: string[];
  choose(columns: string[]): void;
}

export class SidePanel {
  readonly element: HTMLElement;
  private readonly chips = h('div', {class: 'chips'});
  private readonly rows = new Map<string, HTMLElement>();
  private readonly pads = h('div', {class: 'content'});

  constructor(private readonly outputs: OutputChoice, strips: Strips, private readonly gamepads: Gamepads, inputs: Input[], chosen: (input: Input, source: string) => void) {
    const list = h('datalist', {id: 'all-outputs'}, ...outputs.columns.map((name) => h('option', {value: name})));
    const add = h('input', {type: 'search', list: 'all-outputs', placeholder: 'Add an output', 'aria-label': 'Add an output', onchange: () => {
      if (outputs.columns.includes(add.value)) this.choose([...outputs.chosen, add.value]);
      add.value = '';
    }});
    const facts: [string, string][] = [
      ['p50', 'Step, half below'], ['p99_9', 'Step, 99.9 % below'], ['max', 'Step, longest'], ['wall', 'By the clock, 99.9 % below'], ['wake', 'Wake-up, 99.9 % below'],
      ['overruns', 'Overruns'], ['given_up', 'Given up'], ['latency', 'Key to frame'], ['screen', 'Key to screen'], ['rate', 'Frames'], ['script', 'Script of a frame'],
    ];
    const table = h('table', {class: 'keys loop'}, ...facts.map(([key, words]) => {
      const cell = h('td', {class: 'number'}, '–');
      this.rows.set(key, cell);
      return h('tr', {}, h('th', {scope: 'row'}, words), cell);
    }));
    this.pads.append(...this.padRows(inputs, chosen));
    this.element = h('aside', {class: 'side drive-side', 'aria-label': 'Outputs and loop'},
      section('Outputs', true, strips.canvas, this.chips, add, list),
      section('Loop', true, table),
      section('Gamepad', false, this.pads));
    this.showChips();
  }

  private choose(columns: string[]): void {
    this.outputs.chosen = [...new Set(columns)];
    this.outputs.choose(this.outputs.chosen);
    this.showChips();
  }
  private showChips(): void {
    this.chips.replaceChildren(...this.outputs.chosen.map((name) => {
      const remove = iconButton('close', `Leave out ${name}`, () => this.choose(this.outputs.chosen.filter((other) => other !== name)));
      remove.classList.add('small');
      return h('span', {class: 'chip'}, name, remove);
    }));
  }

  private padName = h('p', {class: 'facts'});
  private padRows(inputs: Input[], chosen: (input: Input, source: string) => void): HTMLElement[] {
    this.showPad();
    return [this.padName, ...inputs.map((input) => {
      const now = this.gamepads.sources.get(input) ?? '';
      const choices = [...new Set(['', ...this.gamepads.choices(), now])];
      const select = h('select', {onchange: () => chosen(input, select.value)}, ...choices.map((source) => h('option', {value: source}, source || 'none')));
      select.value = now;
      return labelled(input.name, select);
    })];
  }
  showPad(): void {
    this.padName.textContent = this.gamepads.name || 'None is there; press a button on it.';
  }

  private put(key: string, text: string, bad = false): void {
    const cell = this.rows.get(key)!;
    if (cell.textContent !== text) cell.textContent = text;
    cell.classList.toggle('bad', bad);
  }
  showStatistics({step, wall, wake, overruns, given_up, steps}: Statistics, period: number): void {
    for (const key of ['p50', 'p99_9', 'max'] as const) this.put(key, microseconds(step?.[key]), step?.[key] > period);
    this.put('wall', microseconds(wall?.p99_9), wall?.p99_9 > period);
    this.put('wake', microseconds(wake?.p99_9));
    this.put('overruns', `${overruns} of ${steps}`, overruns > 0);
    this.put('given_up', `${digits(given_up, 3)} s`, given_up > 0);
  }
  showPicture(latency: Latency, framesPerSecond: number, script: number): void {
    this.put('latency', milliseconds(latency.toFrame));
    this.put('screen', milliseconds(latency.toScreen));
    this.put('rate', `${digits(framesPerSecond, 2)} a second`);
    this.put('script', milliseconds(Number(script.toPrecision(2))));
  }
}

function section(title: string, open: boolean, ...content: HTMLElement[]): HTMLElement {
  return h('details', {open}, h('summary', {}, title), h('div', {class: 'content'}, ...content));
}
