// Gamepads: axes and buttons to inputs. The first mapping is a guess by what the inputs are; a menu changes it.
import {isBrake, isSteer, isThrottle, type Input} from './inputs';

const deadZone = 0.12;

/** `axis 0`, `axis 0 reversed`, `button 7`; empty: none. */
export type Source = string;

/** Outside of the dead zone, from 0 there to 1 at the end; null inside. */
export function outsideDeadZone(value: number, zone = deadZone): number | null {
  const size = Math.abs(value);
  return size <= zone ? null : Math.sign(value) * Math.min(1, (size - zone) / (1 - zone));
}

/** Axes count to the right and down, inputs to the left and up. */
function firstSources(inputs: Input[]): Map<Input, Source> {
  const sources = new Map<Input, Source>();
  const free = {level: [0, 2], upright: [1, 3]};
  for (const input of inputs) {
    if (isThrottle(input.name)) sources.set(input, 'button 7');
    else if (isBrake(input.name)) sources.set(input, 'button 6');
    else if (isSteer(input.name)) sources.set(input, `axis ${free.level.shift() ?? 0} reversed`);
  }
  const ahead = (input: Input) => (input.springsBack ? 0 : 1); // levers first, then sliders
  for (const input of [...inputs].sort((a, b) => ahead(a) - ahead(b))) {
    if (sources.has(input) || input.kind === 'field') continue;
    const axis = (input.sideways ? free.level.shift() : undefined) ?? free.upright.shift() ?? free.level.shift();
    if (axis === undefined) break;
    sources.set(input, `axis ${axis} reversed`);
  }
  return sources;
}

export class Gamepads {
  readonly sources: Map<Input, Source>;
  /** Of the one in use; empty: none. */
  name = '';
  axes = 4;
  buttons = 17;

  constructor(private readonly inputs: Input[], private readonly changed: () => void) {
    this.sources = firstSources(inputs);
    for (const event of ['gamepadconnected', 'gamepaddisconnected']) window.addEventListener(event, () => this.changed());
  }

  /** Everything that a menu may offer. */
  choices(): Source[] {
    return [
      ...Array.from({length: this.axes}, (_, i) => [`axis ${i}`, `axis ${i} reversed`]).flat(),
      ...Array.from({length: this.buttons}, (_, i) => `button ${i}`),
    ];
  }
  choose(input: Input, source: Source): void {
    if (source === '') this.sources.delete(input);
    else this.sources.set(input, source);
    input.pad = null;
  }

  /** Asks the first gamepad that is there where its sticks are. */
  poll(): void {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((one) => one?.connected);
    const name = pad?.id ?? '';
    if (name !== this.name) {
      this.name = name;
      if (pad) [this.axes, this.buttons] = [pad.axes.length, pad.buttons.length];
      this.changed();
    }
    for (const input of this.inputs) {
      const source = this.sources.get(input);
      input.pad = pad && source ? readSource(pad, source) : null;
    }
  }
}

function readSource(pad: Gamepad, source: Source): number | null {
  const [, sort, index, reversed] = /^(axis|button) (\d+)( reversed)?$/.exec(source) ?? [];
  const value = sort === 'axis' ? pad.axes[Number(index)] : pad.buttons[Number(index)]?.value;
  return value === undefined ? null : outsideDeadZone(reversed ? -value : value);
}
