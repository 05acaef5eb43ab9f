// Reading trajectory.csv in the page (dropped files). The server reads its own; see remote.ts.
import {Table} from './table';

export interface CsvResult {
  columns: string[];
  table: Table;
  problems: string[];
}

/** The first line, RFC 4180 quoting. */
export function parseHeader(line: string): string[] {
  const names: string[] = [''];
  let quoted = false;
  for (let i = 0; i < line.length; ++i) {
    const c = line[i]!;
    if (quoted) {
      if (c !== '"') names[names.length - 1] += c;
      else if (line[i + 1] === '"') names[names.length - 1] += line[++i];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') names.push('');
    else names[names.length - 1] += c;
  }
  return names;
}

/** A field of a row; "nan" and "inf" as the program writes them, undefined for what is no number. */
export function parseNumber(text: string): number | undefined {
  const value = Number(text);
  if (text.trim() !== '' && !Number.isNaN(value)) return value;
  if (text === 'nan') return NaN;
  if (text === 'inf') return Infinity;
  if (text === '-inf') return -Infinity;
  return undefined;
}

export function parseCsv(text: string): CsvResult {
  const problems: string[] = [];
  let end = text.indexOf('\n');
  if (end < 0) {
    if (text.length === 0) return {columns: [], table: new Table(0), problems: ['trajectory.csv is empty.']};
    problems.push('trajectory.csv ends within its first line.');
    end = text.length;
  }
  const columns = parseHeader(text.slice(0, end).replace(/\r$/, ''));
  if (columns[0] !== 't') problems.push(`The first column of trajectory.csv is '${columns[0]}', not 't'.`);
  const table = new Table(columns.length);
  const row = new Float64Array(columns.length);
  let bad = 0;
  let firstBad = 0;
  let line = 2;
  let at = end + 1;
  while (at < text.length) {
    let stop = text.indexOf('\n', at);
    if (stop < 0) {
      problems.push(`The last line of trajectory.csv (line ${line}) is cut off and left out: the run may have been interrupted.`);
      break;
    }
    const fields = text.slice(at, text[stop - 1] === '\r' ? stop - 1 : stop).split(',');
    let good = fields.length === columns.length;
    for (let c = 0; c < row.length; ++c) {
      const value = c < fields.length ? parseNumber(fields[c]!) : undefined;
      if (value === undefined) good = false;
      row[c] = value ?? NaN;
    }
    if (!good && bad++ === 0) firstBad = line;
    table.append(row);
    at = stop + 1;
    ++line;
  }
  if (bad > 0) problems.push(brokenLines(bad, firstBad));
  return {columns, table, problems};
}

export function brokenLines(count: number, first: number): string {
  const lines = count === 1 ? `Line ${first} of trajectory.csv is` : `${count} lines of trajectory.csv are`;
  return `${lines} broken${count === 1 ? '' : `, the first is line ${first}`}: a field is missing, extra or no number.`;
}
