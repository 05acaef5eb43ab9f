// The inputs on the screen: wheel, pedals, levers, sliders, fields. Each follows the pointer that took hold of it, so that several fingers
// may each have one.
import {digits, h} from '../dom';
import {isBrake, type Input} from './inputs';
import {keySign, keyWords, type KeyPair} from './key_map';

const wheelTurn = 135; // degrees from the middle to the end
const dragOfField = 200; // pixels for the whole range

export class Control {
  readonly element: HTMLElement;
  private readonly handle: HTMLElement;
  private readonly value = h('output', {class: 'control-value'});
  private readonly field: HTMLInputElement | null = null;
  private shown = NaN;

  /** `moved` gets the time stamp of the event. */
  constructor(readonly input: Input, keys: KeyPair | undefined, private readonly moved: (at: number) => void) {
    const {kind, name, info} = input;
    const upright = kind === 'pedal' || (kind === 'lever' && !input.sideways);
    this.handle = kind === 'wheel' ? wheel() : kind === 'field' ? h('span', {class: 'drag'}, '⇔') : h('div', {class: `track ${upright ? 'upright' : 'level'}`}, h('span', {class: 'fill'}), h('span', {class: 'knob'}));
    const limits = kind === 'field' ? {} : {'aria-valuemin': input.min, 'aria-valuemax': input.max};
    for (const [key, value] of Object.entries({role: 'slider', tabindex: 0, 'aria-label': name, 'aria-orientation': upright ? 'vertical' : 'horizontal', ...limits})) {
      this.handle.setAttribute(key, String(value));
    }
    if (kind === 'field') {
      this.field = h('input', {type: 'number', step: 'any', 'aria-label': `${name}${info.unit ? `, ${info.unit}` : ''}`, onchange: (event: Event) => {
        input.set(Number(this.field!.value));
        this.moved(event.timeStamp);
      }});
    }
    const spring = h('button', {type: 'button', class: 'spring', 'aria-pressed': String(input.springsBack), 'aria-label': `${name} springs back when let go`, title: 'Springs back when let go', onclick: () => {
      input.springsBack = !input.springsBack;
      spring.setAttribute('aria-pressed', String(input.springsBack));
    }}, '⟲');
    this.element = h('div', {class: `control ${kind}`, 'data-input': name},
      h('div', {class: 'control-head'}, h('span', {class: 'control-name', title: name}, name), kind !== 'field' && kind !== 'slider' && spring),
      kind === 'field' ? h('div', {class: 'control-field'}, this.field, this.handle) : this.handle,
      h('div', {class: 'control-foot'}, this.value, keys && keyHint(keys)));
    // As in a machine: the wheel, brake before throttle, levers, then the rest.
    this.element.style.order = String(['wheel', 'pedal', 'lever', 'slider', 'field'].indexOf(kind) * 2 - (isBrake(name) ? 1 : 0));
    if (kind === 'field') this.dragBy();
    else if (kind === 'wheel') this.turn();
    else this.dragTo(upright);
    this.listenToKeys();
    this.show();
  }

  private set(value: number, at: number): void {
    this.input.set(value);
    this.moved(at);
    this.show();
  }

  /** Calls back from where a pointer takes hold until it lets go. */
  private hold(down: (event: PointerEvent) => void, move: (event: PointerEvent) => void): void {
    const {handle, input} = this;
    let pointer: number | null = null;
    handle.addEventListener('pointerdown', (event) => {
      if (pointer !== null || event.button !== 0) return;
      event.preventDefault(); // keeps the keys where they are
      pointer = event.pointerId;
      handle.setPointerCapture(pointer);
      input.held = true;
      down(event);
    });
    handle.addEventListener('pointermove', (event) => {
      if (event.pointerId === pointer) move(event);
    });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      handle.addEventListener(type, (event) => {
        if (event.pointerId !== pointer) return;
        pointer = null;
        input.held = false;
        this.moved(event.timeStamp);
      });
    }
  }

  private dragTo(upright: boolean): void {
    const {handle, input} = this;
    const follow = (event: PointerEvent) => {
      const box = handle.getBoundingClientRect();
      const part = upright ? 1 - (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width;
      const along = input.sideways && input.kind === 'lever' ? 1 - part : part;
      this.set(input.min + Math.min(1, Math.max(0, along)) * (input.max - input.min), event.timeStamp);
    };
    this.hold(follow, follow);
  }
  private turn(): void {
    const {handle, input} = this;
    let last = 0;
    const angle = (event: PointerEvent) => {
      const box = handle.getBoundingClientRect();
      return Math.atan2(event.clientY - box.top - box.height / 2, event.clientX - box.left - box.width / 2);
    };
    this.hold((event) => (last = angle(event)), (event) => {
      const now = angle(event);
      const by = Math.atan2(Math.sin(now - last), Math.cos(now - last)); // clockwise, which is to the right
      last = now;
      this.set(input.value - ((by * 180) / Math.PI / wheelTurn) * this.reach(), event.timeStamp);
    });
  }
  private dragBy(): void {
    const {input} = this;
    let last = 0;
    this.hold((event) => (last = event.clientX), (event) => {
      this.set(input.value + ((event.clientX - last) / dragOfField) * input.range, event.timeStamp);
      last = event.clientX;
    });
  }
  private reach(): number {
    return Math.max(this.input.max - this.input.rest, this.input.rest - this.input.min);
  }

  /** For whoever came here by Tab. */
  private listenToKeys(): void {
    const {handle, input} = this;
    const steps: Record<string, number> = {ArrowUp: 0.01, ArrowRight: 0.01, ArrowDown: -0.01, ArrowLeft: -0.01, PageUp: 0.1, PageDown: -0.1};
    handle.addEventListener('keydown', (event) => {
      const ends: Record<string, number> = {Home: input.min, End: input.max};
      const step = steps[event.key];
      if (step === undefined && !(event.key in ends)) return;
      event.preventDefault();
      if (event.key in ends) return this.set(ends[event.key]!, event.timeStamp);
      if (!input.springsBack) return this.set(input.value + step! * input.range, event.timeStamp);
      if (!event.repeat) input.pressKeys(Math.sign(step!));
      this.moved(event.timeStamp);
    });
    handle.addEventListener('keyup', () => input.springsBack && input.pressKeys(0));
    handle.addEventListener('blur', () => input.pressKeys(0));
  }

  show(): void {
    const {input, handle} = this;
    if (input.value === this.shown) return;
    this.shown = input.value;
    const text = digits(Math.abs(input.value) < 1e-4 * input.range ? 0 : input.value, 3);
    const unit = input.info.unit;
    this.value.textContent = unit && input.kind !== 'field' ? `${text} ${unit}` : input.kind === 'field' ? unit : text;
    handle.setAttribute('aria-valuenow', String(Number(input.value.toPrecision(4))));
    handle.setAttribute('aria-valuetext', `${text} ${unit}`.trim());
    if (this.field) {
      if (document.activeElement !== this.field) this.field.value = String(Number(input.value.toPrecision(5)));
    } else if (input.kind === 'wheel') {
      handle.style.transform = `rotate(${((-(input.value - input.rest) / this.reach()) * wheelTurn).toFixed(1)}deg)`;
    } else {
      const turned = input.sideways && input.kind === 'lever';
      const place = (part: number) => (turned ? 1 - part : part);
      const rest = place((input.rest - input.min) / (input.max - input.min));
      const here = place(input.part);
      handle.style.setProperty('--here', `${(100 * here).toFixed(1)}%`);
      handle.style.setProperty('--from', `${(100 * Math.min(here, rest)).toFixed(1)}%`);
      handle.style.setProperty('--size', `${(100 * Math.abs(here - rest)).toFixed(1)}%`);
    }
  }
}

function keyHint({plus, minus}: KeyPair): HTMLElement {
  const words = minus === null ? keyWords(plus) : `${keyWords(plus)} for more, ${keyWords(minus)} for less`;
  return h('span', {class: 'control-keys', 'aria-label': `Keys: ${words}`, role: 'note'}, ...[plus, minus].filter((key) => key !== null).map((key) => h('kbd', {}, keySign(key))));
}

function wheel(): HTMLElement {
  const element = h('div', {class: 'steering'});
  const make = (tag: string, attributes: Record<string, string>) => {
    const shape = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    return shape;
  };
  const svg = make('svg', {viewBox: '-50 -50 100 100', 'aria-hidden': 'true'});
  svg.append(
    make('circle', {r: '42', class: 'rim'}),
    make('path', {d: 'M-38 0H38M0 0V38', class: 'spokes'}),
    make('circle', {r: '11', class: 'hub'}),
    make('path', {d: 'M0 -48V-36', class: 'top'}));
  element.append(svg);
  return element;
}
