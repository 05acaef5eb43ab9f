// A summary in plain words with units, one row for each thing it says. Keys and units: docs/output.md.
import {digits} from './dom';

export interface SummaryRow {
  label: string;
  lines: string[];
}
type Values = Record<string, unknown>;

/** Words and unit of a key; keys not listed are shown under their own names. */
const known: Record<string, [label: string, unit?: string]> = {
  start: ['start from'],
  step: ['step asked for', 's'],
  duration: ['time reached', 's'],
  step_smallest: ['smallest step', 's'],
  step_largest: ['largest step', 's'],
  evaluations: ['evaluations of the equations'],
  iterations: ['iterations of Newton'],
  repartitions: ['changes of independent coordinates'],
  cpu_seconds: ['processor time', 's'],
  real_time_factor: ['speed relative to real time'],
  'energy.initial': ['energy at the start', 'J'],
  'energy.final': ['energy at the end', 'J'],
  'energy.max_error': ['largest energy error', 'J'],
  'error.estimate': ['estimated error, in sizes of the mechanism or rad'],
  'error.body': ['largest at body'],
  'error.time': ['largest at', 's'],
  'error.step': ['step for an error of 1e-3', 's'],
  'constraint_violation.position': ['largest violation, position'],
  'constraint_violation.velocity': ['largest violation, velocity (relative)'],
  'constraint_violation.acceleration': ['largest violation, acceleration (relative)'],
  redundant: ['names of redundant constraints'],
  stagnated_steps: ['steps that stagnated'],
  event_count: ['how often events happened'],
  driven: ['of them driven'],
  allocations: ['heap allocations'],
  'penalty.smallest': ['smallest penalty factor'],
  'penalty.largest': ['largest penalty factor'],
};

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function words(path: string): string {
  return path.replace(/\./g, ', ').replace(/_/g, ' ');
}
function shown(value: unknown, unit = ''): string {
  if (value === null || value === undefined) return 'unknown';
  return typeof value === 'number' ? `${digits(value)}${unit && ` ${unit}`}` : String(value);
}
function eventLine(event: Values): string {
  const freedom = event.degrees_of_freedom;
  const parts = [
    event.energy === undefined ? '' : `energy changed by ${shown(event.energy, 'J')}`,
    freedom === undefined ? '' : `then ${shown(freedom)} degree${freedom === 1 ? '' : 's'} of freedom`,
  ].filter(Boolean);
  return `${shown(event.name)} at ${shown(event.time, 's')}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`;
}
function listLine(item: unknown): string {
  if (!isValues(item)) return shown(item);
  return Object.entries(item).map(([key, value]) => `${words(key)} ${isValues(value) ? listLine(value) : shown(value)}`).join(', ');
}

/** Everything in a summary but the keys left out and what is empty. */
export function summaryRows(summary: object, leftOut: string[] = []): SummaryRow[] {
  const rows: SummaryRow[] = [];
  const all = summary as Values;
  const inner = (key: string, name: string) => (isValues(all[key]) ? all[key][name] : undefined);
  /** When and where a largest value was. */
  const circumstances = (path: string): string => {
    const [group = '', name = ''] = path.split('.');
    if (path === 'energy.max_error') {
      const time = inner('energy', 'max_error_time');
      return time === undefined ? '' : ` at ${shown(time, 's')}`;
    }
    const worst = inner(`${group}_worst`, name);
    return isValues(worst) && worst.constraint ? ` at ${shown(worst.time, 's')} (${shown(worst.constraint)})` : '';
  };
  const told = (path: string) =>
    (path === 'energy.max_error_time' && inner('energy', 'max_error') !== undefined) || (path === 'constraint_violation_worst' && isValues(all.constraint_violation));
  const add = (value: unknown, path: string): void => {
    if (value === '' || leftOut.includes(path) || told(path)) return;
    const [label = words(path), unit = ''] = known[path] ?? [];
    if (Array.isArray(value)) {
      if (value.length > 0) rows.push({label, lines: value.map((item) => (path === 'events' && isValues(item) ? eventLine(item) : listLine(item)))});
    } else if (isValues(value)) {
      if (typeof value.asked === 'string' && typeof value.used === 'string') {
        rows.push({label, lines: [value.used === value.asked || value.used === '' ? value.asked : `${value.used} (asked for: ${value.asked})`]});
      } else for (const [key, item] of Object.entries(value)) add(item, path ? `${path}.${key}` : key);
    } else rows.push({label, lines: [shown(value, unit) + circumstances(path)]});
  };
  add(summary, '');
  return rows;
}

/** A reason as a sentence of its own. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed && trimmed[0]!.toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
}
