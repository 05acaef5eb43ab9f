// What the page and `cardan drive` say to each other; docs/drive.md has the same in words.

export interface InputInfo {
  name: string;
  start: number;
  min: number | null;
  max: number | null;
  unit: string;
  value: number;
}
export interface DriveInfo {
  model: string;
  step: number; // s
  formulation: string;
  integrator: string;
  places: number; // for saved states
  columns: string[];
  outputs: string[];
  inputs: InputInfo[];
}

export const modes = ['runs', 'paused', 'failed', 'done'] as const;
export type Mode = (typeof modes)[number];

export interface Frame {
  mode: Mode;
  step: number;
  stamp: number;
  time: number; // s
  scale: number;
  values: Float64Array; // as many as there are columns
}

export interface Statistics {
  steps: number;
  overruns: number;
  given_up: number;
  step: Times; // of the processor
  wall: Times; // by the clock
  wake: Times;
}
/** s */
export interface Times {
  p50: number;
  p99: number;
  p99_9: number;
  max: number;
}

export type Command = 'pause' | 'go_on' | 'single_step' | 'reset' | 'end';
export type NumberedCommand = 'scale' | 'save' | 'go_back';

const magic = 0x46445243;
const headerBytes = 48;
const bigEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 0;

/** Null for what is no frame of so many columns. The values are those of the buffer itself. */
export function readFrame(buffer: ArrayBuffer, columns: number): Frame | null {
  if (buffer.byteLength !== headerBytes + 8 * columns) return null;
  const view = new DataView(buffer);
  const mode = modes[view.getUint32(4, true)];
  if (view.getUint32(0, true) !== magic || mode === undefined || view.getUint32(40, true) !== columns) return null;
  return {
    mode,
    step: Number(view.getBigInt64(8, true)),
    stamp: Number(view.getBigUint64(16, true)),
    time: view.getFloat64(24, true),
    scale: view.getFloat64(32, true),
    values: bigEndian ? swapped(view, columns) : new Float64Array(buffer, headerBytes, columns),
  };
}
function swapped(view: DataView, count: number): Float64Array {
  return Float64Array.from({length: count}, (_, i) => view.getFloat64(headerBytes + 8 * i, true));
}

const number = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []);

/** Throws when the answer is no drive. */
export function readInfo(source: unknown): DriveInfo {
  const given = (source ?? {}) as Record<string, unknown>;
  if (!Array.isArray(given.columns) || !Array.isArray(given.inputs)) throw new Error('api/drive: the answer is no drive of Cardan.');
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    model: text(given.model),
    step: number(given.step) ? given.step : 0.001,
    formulation: text(given.formulation),
    integrator: text(given.integrator),
    places: number(given.places) ? given.places : 9,
    columns: strings(given.columns),
    outputs: strings(given.outputs),
    inputs: (given.inputs as Record<string, unknown>[]).filter((input) => typeof input?.name === 'string').map((input) => {
      const start = number(input.start) ? input.start : 0;
      return {
        name: String(input.name), start, unit: text(input.unit), value: number(input.value) ? input.value : start,
        min: number(input.min) ? input.min : null, max: number(input.max) ? input.max : null,
      };
    }),
  };
}

/** What the program says besides frames. */
export interface Said {
  statistics?: Statistics;
  message?: string;
  error?: string;
}
export function readSaid(text: string): Said {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Said) : {};
  } catch {
    return {};
  }
}
