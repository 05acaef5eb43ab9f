// The inputs of a model as things to take hold of: what each is drawn as, how it moves while a key is held, and whether it
// springs back. No pictures here.
import type {InputInfo} from './protocol';

export type Kind = 'wheel' | 'pedal' | 'lever' | 'slider' | 'field';

/** Parts of a subsystem are called `part/name`. */
function lastName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase();
}
export const isSteer = (name: string) => /^steer(ing)?(_wheel)?$/.test(lastName(name));
export const isThrottle = (name: string) => /^(throttle|gas|accelerator)(_pedal)?$/.test(lastName(name));
export const isBrake = (name: string) => /^brakes?(_pedal)?$/.test(lastName(name));
/** What goes left and right rather than up and down; to the left is positive, as angles about the vertical are. */
export const isSideways = (name: string) => isSteer(name) || /swing|slew|turn|yaw|pan|sideways/.test(lastName(name));

export function kindOf({name, min, max}: InputInfo): Kind {
  if (min === null || max === null || !(max > min)) return 'field';
  if (isSteer(name)) return 'wheel';
  if (isThrottle(name) || isBrake(name) || /pedal|clutch/.test(lastName(name))) return 'pedal';
  if (/lever|joystick/.test(lastName(name))) return 'lever';
  return 'slider';
}

/** Seconds from the place of rest to the end with a key held, and back after it is let go. */
const press: Record<Kind, number> = {wheel: 0.55, pedal: 0.35, lever: 0.25, slider: 4, field: 4};
const release: Record<Kind, number> = {wheel: 0.3, pedal: 0.15, lever: 0.12, slider: 0.5, field: 0.5};
const firstMove = 0.008; // s of it happen when the key goes down, so that it is felt at once

export class Input {
  readonly kind: Kind;
  readonly sideways: boolean;
  readonly rest: number;
  value: number;
  springsBack: boolean;
  /** −1, 0, 1: the keys held. */
  keys = 0;
  /** Of a gamepad, −1 to 1 (pedals 0 to 1); null inside of the dead zone. */
  pad: number | null = null;
  /** A pointer has it. */
  held = false;

  constructor(readonly info: InputInfo) {
    this.kind = kindOf(info);
    this.sideways = isSideways(info.name);
    this.value = info.value;
    this.rest = this.kind === 'field' || this.within(0) === 0 ? 0 : info.start;
    if (this.kind === 'slider' || this.kind === 'field') this.rest = info.start;
    this.springsBack = this.kind !== 'slider' && this.kind !== 'field';
  }

  get name(): string {
    return this.info.name;
  }
  get min(): number {
    return this.info.min ?? -Infinity;
  }
  get max(): number {
    return this.info.max ?? Infinity;
  }
  /** What a key moves in `press` seconds; of inputs without limits a guess by what they are. */
  get range(): number {
    const range = this.max - this.min;
    return Number.isFinite(range) ? range : Math.max(1, 2 * Math.abs(this.info.start), Math.abs(this.value));
  }
  within(value: number): number {
    return Math.min(this.max, Math.max(this.min, value));
  }
  /** From 0 to 1 between the limits. */
  get part(): number {
    const range = this.max - this.min;
    return Number.isFinite(range) ? (this.value - this.min) / range : 0.5;
  }

  set(value: number): void {
    if (Number.isFinite(value)) this.value = this.within(value);
  }
  /** To the start of the model. */
  reset(): void {
    this.set(this.info.start);
  }
  /** Nobody holds it any more, and nobody is there to see it spring back. */
  letGo(): void {
    this.keys = 0;
    this.pad = null;
    this.held = false;
    if (this.springsBack) this.value = this.rest;
  }

  pressKeys(direction: number): void {
    this.keys = direction;
    if (direction !== 0) this.tick(firstMove);
  }

  /** So many seconds later. Answers whether it has moved. */
  tick(seconds: number): boolean {
    const before = this.value;
    if (this.held) return false;
    if (this.keys !== 0) this.value = this.within(before + this.keys * this.rate(press[this.kind]) * seconds);
    else if (this.pad !== null && this.springsBack) this.value = this.within(this.ofPad(this.pad));
    else if (this.pad !== null) this.value = this.within(before + this.pad * this.rate(press[this.kind]) * seconds);
    else if (this.springsBack) this.value = approach(before, this.rest, this.rate(release[this.kind]) * seconds);
    return this.value !== before;
  }
  private rate(time: number): number {
    const reach = this.springsBack && Number.isFinite(this.range) ? Math.max(this.max - this.rest, this.rest - this.min) : this.range;
    return (Number.isFinite(reach) ? reach : this.range) / time;
  }
  /** From the place of rest to either end. */
  private ofPad(pad: number): number {
    const end = pad > 0 ? this.max : this.min;
    return Number.isFinite(end) ? this.rest + Math.abs(pad) * (end - this.rest) : this.rest + pad * this.range;
  }
}

function approach(value: number, goal: number, by: number): number {
  return Math.abs(goal - value) <= by ? goal : value + Math.sign(goal - value) * by;
}

/** All of them, and what has changed since it was last sent. */
export class Inputs {
  readonly all: Input[];
  private readonly sent = new Map<Input, number>();

  constructor(infos: InputInfo[]) {
    this.all = infos.map((info) => new Input(info));
    for (const input of this.all) this.sent.set(input, input.value);
  }
  find(name: string): Input | undefined {
    return this.all.find((input) => input.name === name);
  }

  tick(seconds: number): void {
    for (const input of this.all) input.tick(seconds);
  }
  /** Names and values that the program does not have yet. */
  changes(): Map<string, number> {
    const changed = new Map<string, number>();
    for (const input of this.all) {
      if (this.sent.get(input) === input.value) continue;
      this.sent.set(input, input.value);
      changed.set(input.name, input.value);
    }
    return changed;
  }
  /** The program has forgotten, or is another one: everything is sent again. */
  forget(): void {
    this.sent.clear();
  }

  values(): number[] {
    return this.all.map((input) => input.value);
  }
  setAll(values: number[]): void {
    this.all.forEach((input, i) => input.set(values[i] ?? input.value));
  }
}
