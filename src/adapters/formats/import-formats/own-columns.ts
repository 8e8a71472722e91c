import { VARIABLES } from '#domain/weather/variables.js';
import type { ColumnPlan, FilePlan } from '../files/file-plan.js';

const NAMES = VARIABLES.map(({ name }) => name);

/**
 * The time is the first field in the records of `ownFields`. After it come the variables, in the order of the catalogue (the list
 * of all variables).
 */
export const OWN_TIME: FilePlan['time'] = { at: [0], headings: ['time'], formats: ['instant'], zone: 'utc' };
export const OWN_COLUMNS: readonly ColumnPlan[] = [
  ...VARIABLES.map(
    ({ name, unit }, index) =>
      ({ kind: 'value', at: index + 1, heading: name, variable: name, unit }) as const,
  ),
  {
    kind: 'left out',
    at: NAMES.length + 1,
    heading: 'quality',
    reason: 'the service repeats quality control',
  },
];
const KNOWN: ReadonlySet<string> = new Set(OWN_COLUMNS.map(({ heading }) => heading));

/** Whether names are the columns of an export of this service: the time and variables of the catalogue, and nothing else. */
export function areOwnNames(names: readonly string[]): boolean {
  return names.includes('time') && names.every((name) => name === 'time' || KNOWN.has(name));
}

/** The fields of a row in the order of `OWN_TIME` and `OWN_COLUMNS`. The texts of numbers convert back to exactly the same numbers. */
export function ownFields(row: Readonly<Record<string, unknown>>): string[] {
  return ['time', ...NAMES].map((name) => textOf(row[name]));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return typeof value === 'string' ? value : '';
}
