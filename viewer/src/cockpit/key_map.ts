// Which keys move which input: arrows for steer, throttle and brake, pairs of letters for the others.
import {isBrake, isSteer, isThrottle, type Input} from './inputs';

export interface KeyPair {
  plus: string; // as KeyboardEvent.key has it, in lower case
  minus: string | null;
}
/** R and C are commands, as are digits, space and the signs. */
const upright: KeyPair[] = [['arrowup', 'arrowdown'], ['w', 's'], ['i', 'k'], ['t', 'g'], ['y', 'h'], ['u', 'j'], ['o', 'l'], ['p', 'm']].map(([plus, minus]) => ({plus: plus!, minus: minus!}));
const level: KeyPair[] = [['arrowleft', 'arrowright'], ['a', 'd'], ['j', 'l'], ['f', 'h'], ['v', 'b'], ['q', 'e'], ['z', 'x']].map(([plus, minus]) => ({plus: plus!, minus: minus!}));

export class KeyMap {
  readonly pairs = new Map<Input, KeyPair>();
  private readonly byKey = new Map<string, {input: Input; sign: 1 | -1}>();

  constructor(inputs: Input[]) {
    const give = (input: Input | undefined, plus: string, minus: string | null) => {
      if (!input) return;
      this.pairs.set(input, {plus, minus});
      this.byKey.set(plus, {input, sign: 1});
      if (minus !== null) this.byKey.set(minus, {input, sign: -1});
    };
    give(inputs.find(({name}) => isSteer(name)), 'arrowleft', 'arrowright');
    const throttle = inputs.find(({name}) => isThrottle(name));
    const brake = inputs.find(({name}) => isBrake(name));
    give(throttle, 'arrowup', throttle && !brake && throttle.min < throttle.rest ? 'arrowdown' : null);
    give(brake, 'arrowdown', null);
    for (const input of [...inputs].sort((a, b) => Number(b.springsBack) - Number(a.springsBack))) { // what is always at hand first
      if (this.pairs.has(input)) continue;
      const pair = (input.sideways ? [...level, ...upright] : [...upright, ...level]).find(({plus, minus}) => !this.byKey.has(plus) && !this.byKey.has(minus!));
      if (pair) give(input, pair.plus, pair.minus);
    }
  }

  at(key: string): {input: Input; sign: 1 | -1} | undefined {
    return this.byKey.get(key.toLowerCase());
  }
}

const signs: Record<string, string> = {arrowup: '↑', arrowdown: '↓', arrowleft: '←', arrowright: '→'};
/** As it is written on the key. */
export function keySign(key: string): string {
  return signs[key] ?? key.toUpperCase();
}
/** In words, for those who do not see the signs. */
export function keyWords(key: string): string {
  return key.startsWith('arrow') ? `arrow ${key.slice(5)}` : key.toUpperCase();
}
