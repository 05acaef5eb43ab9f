// How the page of accuracies reads the studies' files and writes numbers, tables and sentences that follow from them.

/** Rows of a CSV file as objects; quoted cells may hold commas and quotes. */
export function parseCsv(text) {
  const rows = [];
  let row = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (c === '"') {
      quoted = true;
    } else if (c === ',' || c === '\n') {
      row.push(cell);
      cell = '';
      if (c === '\n') rows.push(row), (row = []);
    } else {
      cell += c;
    }
  }
  const [head, ...lines] = rows;
  return lines.map((line) => Object.fromEntries(head.map((name, i) => [name, line[i]])));
}

/** So many digits, with an exponent below a thousandth. */
export function digits(value, count = 2) {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return '';
  const text = number !== 0 && Math.abs(number) < 1e-3 ? number.toExponential(count - 1) : Number(number.toPrecision(count)).toString();
  return text.replaceAll('-', '−');
}
export const fixed = (value, count) => (value !== '' && Number.isFinite(Number(value)) ? Number(value).toFixed(count).replace('-', '−') : '');
export const minus = (text) => text.replace('-', '−');
/** 1e9, 1e−5 */
export const power = (value) => minus(Number(value).toExponential(0).replace('+', ''));
/** All of its digits: of numbers that were chosen. */
export const chosen = (value) => minus(Number(value).toExponential().replace('+', ''));
export const code = (name) => `\`${name}\``;
export const ok = (row) => row.status === 'ok';
export const isPowerOfTen = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 0.01;

/** "a", "a and b", "a, b and c" */
export const list = (words) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`);
/** "2", or "2 to 5": the range of some numbers, so many digits. */
export function range(values, count = 2) {
  const finite = values.map(Number).filter(Number.isFinite);
  if (!finite.length) return 'none';
  const [least, most] = [Math.min(...finite), Math.max(...finite)].map((v) => digits(v, count));
  return least === most ? least : `${least} to ${most}`;
}
export const unique = (values) => [...new Set(values)];

/** `columns`: [title, function of a row, 'left' or nothing]. */
export function table(rows, columns) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([title]) => title)),
    line(columns.map(([, , align]) => (align === 'left' ? '---' : '--:'))),
    ...rows.map((row) => line(columns.map(([, text]) => text(row)))),
    '',
  ].join('\n');
}
export const formulation = ['formulation', (r) => code(r.formulation), 'left'];
export const step = ['step, s', (r) => r.step];
