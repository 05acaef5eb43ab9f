// Keys: those of the inputs while they are held, and commands when they are pressed.
import type {Input} from './inputs';
import type {KeyMap} from './key_map';

export interface KeyCommands {
  pause(): void;
  step(): void;
  reset(): void;
  camera(): void;
  faster(by: 1 | -1): void;
  save(place: number): void;
  goBack(place: number): void;
  help(): void;
}

/** What has keys of its own: fields, lists, and whatever a person came to by Tab. */
function hasOwnKeys(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('dialog[open]')) return true;
  if (target.matches('input:not([type=checkbox]), select, textarea')) return true;
  if (target.matches('[role=slider], summary')) return /^(arrow|home|end|page)/i.test(key) || (key === ' ' && target.matches('summary'));
  return key === ' ' && target.matches('button, input');
}

export class Keyboard {
  /** By the place of the key on the keyboard: what it writes may change while it is held. */
  private readonly down = new Map<string, {input: Input; sign: 1 | -1}>();

  /** `moved` gets the time stamp of the event. */
  constructor(private readonly map: KeyMap, private readonly commands: KeyCommands, private readonly moved: (at: number) => void) {
    document.addEventListener('keydown', (event) => this.press(event));
    document.addEventListener('keyup', (event) => this.release(event));
    window.addEventListener('blur', () => this.releaseAll(performance.now()));
  }

  private press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target, event.key)) return;
    const moves = this.map.at(event.key);
    if (moves) {
      event.preventDefault();
      if (event.repeat) return;
      this.down.set(event.code, moves);
      this.apply(moves.input, event.timeStamp);
    } else if (!event.repeat && this.command(event)) event.preventDefault();
  }
  private release(event: KeyboardEvent): void {
    const moves = this.down.get(event.code);
    if (!moves) return;
    this.down.delete(event.code);
    this.apply(moves.input, event.timeStamp);
  }
  private releaseAll(at: number): void {
    const held = new Set([...this.down.values()].map(({input}) => input));
    this.down.clear();
    for (const input of held) this.apply(input, at);
  }
  private apply(input: Input, at: number): void {
    let direction = 0;
    for (const held of this.down.values()) if (held.input === input) direction += held.sign;
    input.pressKeys(Math.sign(direction));
    this.moved(at);
  }

  private command(event: KeyboardEvent): boolean {
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
    if (digit) {
      if (event.shiftKey) this.commands.save(Number(digit[1]));
      else this.commands.goBack(Number(digit[1]));
      return true;
    }
    const actions: Record<string, () => void> = {
      ' ': () => this.commands.pause(),
      '.': () => this.commands.step(),
      r: () => this.commands.reset(),
      c: () => this.commands.camera(),
      '+': () => this.commands.faster(1),
      '=': () => this.commands.faster(1),
      '-': () => this.commands.faster(-1),
      '?': () => this.commands.help(),
    };
    const action = actions[event.key.toLowerCase()];
    action?.();
    return action !== undefined;
  }
}

export const commandKeys: [string, string][] = [
  ['Space', 'pause, go on'],
  ['.', 'a single step'],
  ['R', 'back to the start'],
  ['+ −', 'faster, slower'],
  ['1 … 9', 'return to the state saved there'],
  ['Shift 1 … 9', 'save the state there'],
  ['C', 'another camera'],
  ['?', 'this list'],
  ['Tab', 'goes from control to control; arrows, Page, Home and End then move the one that has the frame'],
  ['Mouse, touch', 'drag wheel, pedals, levers and sliders, several fingers at once; in the picture one finger turns, two move and zoom'],
];
