// Gauges: a number with a bar between the lowest and highest value that was there, or around 0.
import {digits, h} from '../dom';
import {unitOfSize} from './large_units';

const rounding = 1e-9; // what is less is shown as 0

/** Where a name may be cut when there is no room for it: its end tells it from its neighbours. */
function inTwo(name: string): [string, string] {
  const at = Math.max(name.lastIndexOf('_'), name.lastIndexOf('/'), name.length - 12);
  return [name.slice(0, Math.max(0, at)), name.slice(Math.max(0, at))];
}

export class Gauge {
  readonly element: HTMLElement;
  private readonly number = h('span', {class: 'gauge-number'});
  private readonly fill = h('span', {class: 'gauge-fill'});
  private readonly unitShown = h('span', {class: 'gauge-unit'});
  private low = 0;
  private high = 0;
  private shown = '';

  /** `read` takes the values of all columns. */
  constructor(readonly name: string, readonly unit: string, private readonly read: (values: Float64Array) => number, most = 0) {
    this.high = most;
    const [head, tail] = inTwo(name);
    this.unitShown.textContent = unit;
    this.element = h('div', {class: 'gauge', role: 'group', 'aria-label': name},
      h('span', {class: 'gauge-name', title: name}, ...(head ? [h('span', {class: 'head'}, head)] : []), h('span', {}, tail)), this.number, this.unitShown,
      h('span', {class: 'gauge-bar', 'aria-hidden': 'true'}, this.fill));
  }

  show(values: Float64Array): void {
    const value = this.read(values);
    if (!Number.isFinite(value)) return;
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
    const size = Math.max(Math.abs(this.low), Math.abs(this.high));
    const {unit, over} = unitOfSize(this.unit, size);
    const text = digits(Math.abs(value) < Math.max(rounding, 5e-4 * size) ? 0 : value / over, 3);
    if (text !== this.shown) this.number.textContent = this.shown = text;
    if (unit !== this.unitShown.textContent) this.unitShown.textContent = unit;
    // From 0 to the value, wherever 0 lies between the ends.
    const range = Math.max(this.high - this.low, rounding);
    const zero = -this.low / range;
    const here = (value - this.low) / range;
    this.fill.style.left = `${(100 * Math.min(zero, here)).toFixed(1)}%`;
    this.fill.style.width = `${(100 * Math.abs(here - zero)).toFixed(1)}%`;
  }
}
