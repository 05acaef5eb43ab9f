// Strip plots: the last seconds of some columns, each in a lane of one canvas. The memory is what it is from the start on.
import {digits, h} from '../dom';
import {palette} from '../look';
import {unitOfSize} from './large_units';

export const stripSeconds = 20; // of simulated time
const samples = 600; // of a strip
const laneHeight = 54; // CSS pixels
const roomForNumbers = 46;

/** The newest samples of one column, in a ring. */
export class Strip {
  readonly t = new Float64Array(samples);
  readonly v = new Float64Array(samples);
  private next = 0;
  length = 0;

  constructor(readonly column: string, readonly index: number, readonly unit: string) {}

  add(time: number, value: number): void {
    const last = this.newest;
    if (this.length > 0 && time < last) this.length = 0; // went back
    // Samples that come faster than the strip can show them take the place of the newest.
    if (this.length > 1 && time - this.t[this.at(this.length - 2)]! < stripSeconds / samples) this.next = this.at(this.length - 1);
    else this.length = Math.min(samples, this.length + 1);
    this.t[this.next] = time;
    this.v[this.next] = value;
    this.next = (this.next + 1) % samples;
  }
  /** The place of the i-th sample, the oldest being 0. */
  at(i: number): number {
    return (this.next - this.length + i + samples) % samples;
  }
  get newest(): number {
    return this.length > 0 ? this.t[this.at(this.length - 1)]! : NaN;
  }
  /** Lowest and highest of what is shown. */
  limits(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < this.length; ++i) {
      const value = this.v[this.at(i)]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (!(high >= low)) return [-1, 1];
    const margin = Math.max(0.08 * (high - low), 1e-3 * Math.max(Math.abs(low), Math.abs(high)), 1e-6);
    return [low - margin, high + margin];
  }
}

export class Strips {
  readonly canvas = h('canvas', {class: 'strips', role: 'img', 'aria-label': 'The last 20 s of the outputs chosen'});
  strips: Strip[] = [];
  private readonly pen = this.canvas.getContext('2d');

  set(strips: Strip[]): void {
    this.strips = strips.map((strip) => this.strips.find((old) => old.column === strip.column) ?? strip);
    this.canvas.hidden = strips.length === 0;
    this.canvas.style.height = `${laneHeight * strips.length}px`;
    this.canvas.setAttribute('aria-label', `The last ${stripSeconds} s of ${strips.map(({column}) => column).join(', ') || 'nothing'}`);
  }
  add(time: number, values: Float64Array): void {
    for (const strip of this.strips) strip.add(time, values[strip.index]!);
  }

  draw(): void {
    const {canvas, pen} = this;
    if (!pen || this.strips.length === 0 || canvas.clientWidth === 0) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = canvas.clientWidth;
    const height = laneHeight * this.strips.length;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const style = getComputedStyle(canvas);
    const [text, muted, line] = ['--text', '--muted', '--line'].map((name) => style.getPropertyValue(name));
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = '11px system-ui, sans-serif';
    const end = Math.max(...this.strips.map((strip) => strip.newest).filter(Number.isFinite), 0);
    this.strips.forEach((strip, lane) => {
      const top = lane * laneHeight;
      const [low, high] = strip.limits();
      const {unit, over} = unitOfSize(strip.unit, Math.max(-low, high));
      const x = (time: number) => roomForNumbers + (width - roomForNumbers - 2) * (1 - (end - time) / stripSeconds);
      const y = (value: number) => top + laneHeight - 4 - ((laneHeight - 20) * (value - low)) / (high - low);
      pen.strokeStyle = line!;
      pen.strokeRect(roomForNumbers + 0.5, top + 15.5, width - roomForNumbers - 2, laneHeight - 19);
      pen.fillStyle = muted!;
      pen.textAlign = 'right';
      pen.fillText(digits(high / over, 3), roomForNumbers - 4, top + 23, roomForNumbers - 6);
      pen.fillText(digits(low / over, 3), roomForNumbers - 4, top + laneHeight - 4, roomForNumbers - 6);
      pen.textAlign = 'left';
      pen.fillStyle = text!;
      pen.fillText(`${strip.column}${unit ? `, ${unit}` : ''}`, roomForNumbers, top + 11, width - roomForNumbers);
      pen.strokeStyle = `#${palette[lane % palette.length]!.toString(16).padStart(6, '0')}`;
      pen.lineWidth = 1.5;
      pen.beginPath();
      for (let i = 0; i < strip.length; ++i) {
        const k = strip.at(i);
        if (end - strip.t[k]! > stripSeconds) continue;
        pen.lineTo(x(strip.t[k]!), y(strip.v[k]!));
      }
      pen.stroke();
      pen.lineWidth = 1;
    });
  }
}
