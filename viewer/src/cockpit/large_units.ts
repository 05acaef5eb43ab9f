// Units of large numbers: 34 MPa instead of 3.4e+7 Pa.

const takesPrefix = /^(N|Pa|W|J|N m)$/;
const prefixes: [number, string][] = [[1e7, 'M'], [1e4, 'k']]; // from these sizes on

/** The unit in which numbers up to `size` are short, and what they are divided by. */
export function unitOfSize(unit: string, size: number): {unit: string; over: number} {
  const [, prefix] = (takesPrefix.test(unit) && prefixes.find(([from]) => size >= from)) || [0, ''];
  return {unit: prefix + unit, over: prefix === 'M' ? 1e6 : prefix === 'k' ? 1e3 : 1};
}
