// Samples in memory, column by column, and what plots need of them.

export type Column = Float64Array | Float32Array;

/** Where a time lies: between the rows `row` and `row` + 1, at the fraction `part`. */
export interface Place {
  table: Table;
  row: number;
  part: number;
}

export interface Curve {
  t: Float64Array;
  values: Float64Array[];
}

export class Table {
  length = 0;
  /** Number of each row in the whole result, when not all rows are here. */
  rows: Column | undefined;
  readonly columns: Column[];

  constructor(width: number) {
    this.columns = Array.from({length: width}, () => new Float64Array(16));
  }

  static of(columns: Column[], rows?: Column): Table {
    const table = new Table(0);
    table.columns.push(...columns);
    table.length = columns[0]?.length ?? 0;
    table.rows = rows;
    return table;
  }

  get t(): Column {
    return this.columns[0]!;
  }
  get start(): number {
    return this.length > 0 ? this.t[0]! : NaN;
  }
  get end(): number {
    return this.length > 0 ? this.t[this.length - 1]! : NaN;
  }

  append(row: ArrayLike<number>): void {
    this.reserve(this.length + 1);
    this.columns.forEach((column, c) => (column[this.length] = row[c]!));
    ++this.length;
  }

  appendColumns(columns: Column[]): void {
    const added = columns[0]?.length ?? 0;
    this.reserve(this.length + added);
    this.columns.forEach((column, c) => column.set(columns[c]!, this.length));
    this.length += added;
  }

  private reserve(length: number): void {
    for (let c = 0; c < this.columns.length; ++c) {
      const old = this.columns[c]!;
      if (old.length >= length) continue;
      const wider = new Float64Array(Math.max(length, 2 * old.length));
      wider.set(old.subarray(0, this.length));
      this.columns[c] = wider;
    }
  }

  /** The last row at or before `time`; times that are not numbers are passed over as if they were late. */
  rowAt(time: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.t[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  locate(time: number): Place {
    const row = this.rowAt(time);
    if (row + 1 >= this.length) return {table: this, row, part: 0};
    const step = this.t[row + 1]! - this.t[row]!;
    const part = step > 0 ? (time - this.t[row]!) / step : 0;
    return {table: this, row, part: Math.min(1, Math.max(0, part || 0))};
  }

  /** Lowest and highest value of each of `count` stretches between two times, in their order; fewer rows come whole. */
  curve(columns: number[], from: number, to: number, count: number): Curve {
    const first = this.rowAt(from);
    const last = Math.min(this.length, this.rowAt(to) + 2);
    const rows = Math.max(0, last - first);
    if (rows <= 2 * count) {
      const slice = (column: Column | undefined) => Float64Array.from(column?.subarray(first, last) ?? []);
      return {t: slice(this.columns[0]), values: columns.map((c) => slice(this.columns[c]))};
    }
    const t = new Float64Array(2 * count);
    const values = columns.map(() => new Float64Array(2 * count));
    for (let i = 0; i < count; ++i) {
      const begin = first + Math.floor((i * rows) / count);
      const end = first + Math.floor(((i + 1) * rows) / count);
      t[2 * i] = this.t[begin]!;
      t[2 * i + 1] = (this.t[begin]! + this.t[end - 1]!) / 2;
      columns.forEach((c, k) => {
        const column = this.columns[c]!;
        let low = NaN;
        let high = NaN;
        let lowFirst = true;
        for (let r = begin; r < end; ++r) {
          const v = column[r]!;
          if (!(v >= low)) if (v === v) (low = v), (lowFirst = false);
          if (!(v <= high)) if (v === v) (high = v), (lowFirst = true);
        }
        values[k]![2 * i] = lowFirst ? low : high;
        values[k]![2 * i + 1] = lowFirst ? high : low;
      });
    }
    return {t, values};
  }
}

/** A value between two rows. */
export function valueAt(place: Place, column: number): number {
  const values = place.table.columns[column];
  if (!values || place.table.length === 0) return NaN;
  const a = values[place.row]!;
  if (place.part === 0) return a;
  return a + (values[place.row + 1]! - a) * place.part;
}
