// Gauges: a number with a bar between the lowest and highest value that was there, or around 0.
import {digits, h} from '../dom';

const rounding = 1e-9; // what is less is shown as 0

export class Gauge {
  readonly element: HTMLElement;
  private readonly number = h('span', {class: 'gauge-number'});
  private readonly fill = h('span', {class: 'gauge-fill'});
  private low = 0;
  private high = 0;
  private shown = '';

  /** `read` takes the values of all columns. */
  constructor(readonly name: string, readonly unit: string, private readonly read: (values: Float64Array) => number, most = 0) {
    this.high = most;
    this.element = h('div', {class: 'gauge', role: 'group', 'aria-label': name},
      h('span', {class: 'gauge-name', title: name}, name), this.number, h('span', {class: 'gauge-unit'}, unit),
      h('span', {class: 'gauge-bar', 'aria-hidden': 'true'}, this.fill));
  }

  show(values: Float64Array): void {
    const value = this.read(values);
    if (!Number.isFinite(value)) return;
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
    const size = Math.max(Math.abs(this.low), Math.abs(this.high));
    const text = digits(Math.abs(value) < Math.max(rounding, 5e-4 * size) ? 0 : value, 3);
    if (text !== this.shown) this.number.textContent = this.shown = text;
    // From 0 to the value, wherever 0 lies between the ends.
    const range = this.high - this.low || 1;
    const zero = -this.low / range;
    const here = (value - this.low) / range;
    this.fill.style.left = `${(100 * Math.min(zero, here)).toFixed(1)}%`;
    this.fill.style.width = `${(100 * Math.abs(here - zero)).toFixed(1)}%`;
  }
}
