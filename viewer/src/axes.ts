// Ranges, ticks and labels of plot axes.

type Range = [number, number];

const flat = 1e-9; // of the magnitude: what varies by less is rounding of a constant
const decadesShown = 12;

/** The range for values that do not differ: zero and the value both in it. Null where they do differ. */
export function flatRange(min: number, max: number): Range | null {
  const size = Math.max(Math.abs(min), Math.abs(max));
  if (max - min > flat * size) return null;
  if (size === 0) return [-1, 1];
  return max > 0 ? [0, 2 * max] : [2 * min, 0];
}

/** A little more than the data and enough for two labels, but no further down than anybody reads. */
export function logRange(min: number, max: number): Range {
  const low = Math.max(min, max * 10 ** -decadesShown);
  const margin = Math.max(1.25, Math.sqrt((5 * low) / max));
  return [low / margin, max * margin];
}

/** In steps of 1, 2 or 5 times a power of ten, whatever the magnitude; no more than `count` steps. */
export function evenTicks(min: number, max: number, count: number): number[] {
  if (!(max > min)) return [];
  const rough = (max - min) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((first) => first * power >= rough * (1 - 1e-9))!;
  const ticks: number[] = [];
  for (let k = Math.ceil(min / step - 1e-9); k <= max / step + 1e-9; ++k) ticks.push(Number((k * step).toPrecision(14)));
  return ticks;
}

/** Powers of ten, as many as have `space` each on an axis of `length`; with 2 and 5 between them where those have room. */
export function logTicks(min: number, max: number, length: number, space: number): number[] {
  if (!(min > 0) || !(max > min)) return [];
  const decades = Math.log10(max / min);
  const every = Math.max(1, Math.ceil((decades * space) / length));
  const firsts = decades <= 2.3 && (Math.log10(2) * length) / decades >= space ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); ++power) {
    if (power % every !== 0) continue;
    for (const first of firsts) {
      const v = Number(`${first}e${power}`);
      if (v >= min && v <= max) ticks.push(v);
    }
  }
  // Looked at closely there may be no power of ten in sight.
  return ticks.length >= 2 || decades > 1 ? ticks : evenTicks(min, max, Math.max(2, length / (2 * space)));
}

export function logLabels(ticks: number[]): string[] {
  const short = (v: number, power: number) => Number((v / 10 ** power).toPrecision(3));
  const powers = ticks.map((v) => Math.floor(Math.log10(v) + 1e-9));
  if (ticks.some((v, i) => short(v, powers[i]!) % 1 !== 0)) return linearLabels(ticks);
  return ticks.map((v, i) => (Math.abs(powers[i]!) <= 3 ? String(Number(v.toPrecision(2))) : `${short(v, powers[i]!)}e${String(powers[i]).replace('-', '−')}`));
}

/** Digits behind the point that tell the multiples of a step apart: 0.25 takes two. */
function decimalsOf(step: number): number {
  const [mantissa, power] = step.toExponential(3).split('e') as [string, string];
  return Math.max(0, mantissa.replace(/\.?0+$/, '').replace(/^\d\.?/, '').length - Number(power));
}

/** As many digits as tell the ticks apart; very large and very small ones with a power of ten that all of them share. */
export function linearLabels(ticks: number[]): string[] {
  const size = Math.max(...ticks.map(Math.abs));
  const steps = ticks.slice(1).map((v, i) => Math.abs(v - ticks[i]!)).filter((step) => step > 0);
  if (ticks.length === 0 || size === 0) return ticks.map(() => '0');
  const step = steps.length > 0 ? Math.min(...steps) : size;
  const power = size >= 1e5 || size < 1e-2 ? Math.floor(Math.log10(size) + 1e-9) : 0;
  const decimals = Math.min(20, decimalsOf(step / 10 ** power));
  return ticks.map((v) => {
    if (Math.abs(v) < 1e-6 * step) return '0';
    const text = (v / 10 ** power).toFixed(decimals).replace('-', '−');
    return power === 0 ? text : `${text}e${String(power).replace('-', '−')}`;
  });
}

/** Sorted numbers with none twice, as plots need them along x: a later one goes just beside. */
export function rising(sorted: number[]): number[] {
  const result: number[] = [];
  for (const x of sorted) {
    const last = result.at(-1);
    result.push(last !== undefined && x <= last ? last + Math.abs(last) * 1e-12 + 1e-300 : x);
  }
  return result;
}

/** A power of ten by which values are divided to be drawn: uPlot finds ticks between about 1e-16 and 1e32 only. */
export function drawnUnit(values: Iterable<number | null>): number {
  let size = 0;
  for (const v of values) size = Math.max(size, Math.abs(v ?? 0));
  return size > 1e-300 && (size < 1e-9 || size > 1e15) ? Number(`1e${Math.floor(Math.log10(size))}`) : 1;
}

/** CSS pixels that labels of digits take. */
export function labelWidth(labels: (string | null)[], fontSize: number): number {
  return 0.58 * fontSize * Math.max(0, ...labels.map((text) => text?.length ?? 0));
}
