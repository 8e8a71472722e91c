import type { Device, Gauge, RainCounter, RainPeriod, Reading, UploadField } from '#domain/uploads/upload.js';
import { isSecret } from '../request/secrets.js';
import { type BatteryKind, batteryState } from './battery.js';
import { isMissing, sentNumber } from './sent-number.js';

/**
 * A field, the variable that it has the value of, and the unit; without a unit it is the stored one. `counter`: the value only
 * rises until it begins anew.
 */
export type ReadingField = readonly [field: string, variable: string, unit?: string, kind?: 'counter'];

/** A field with a rain counter, and the millimeters in its unit. */
export type CounterField = readonly [field: string, gauge: Gauge, period: RainPeriod, millimeters: number];

export const INCH = 25.4;

/** What a dialect knows about its fields. A field that is in none of these is listed as unmapped. Names are exact. */
export interface FieldTable {
  /** Where several fields have the same variable, the first that has a value counts, and the others are listed as unmapped. */
  readonly readings: readonly ReadingField[];
  readonly counters: readonly CounterField[];
  readonly batteries: ReadonlyMap<string, BatteryKind>;
  /** Fields that are not taken: those of the protocol, and values that follow from others. */
  readonly ignored: ReadonlySet<string>;
  /** Values that mean "none" in a field, beyond those that mean it in every field. */
  readonly missing?: Readonly<Record<string, readonly string[]>>;
  /** Units of unmapped fields, where they are known and differ from those of the catalogue. */
  readonly units?: ReadonlyMap<string, string>;
  /** Misspelt names and the right ones. */
  readonly aliases?: Readonly<Record<string, string>>;
}

export interface FieldValues {
  readonly readings: readonly Reading[];
  readonly counters: readonly RainCounter[];
  readonly fields: readonly UploadField[];
  readonly batteries: Device['batteries'];
}

/** Largest number of unmapped fields and of batteries, and the largest length of their names and texts. */
const MAX_FIELDS = 256;
const MAX_NAME = 48;
const MAX_TEXT = 64;

/** Reads the fields of an upload by the table of its dialect. */
export function readFields(sent: ReadonlyMap<string, string>, table: FieldTable): FieldValues {
  const left = new Map(
    [...sent]
      .filter(([name, text]) => !isLeftOut(name, text, table))
      .map(([name, text]) => [ownValue(table.aliases, name) ?? name, text]),
  );
  const readings: Reading[] = [];
  const known = new Set<string>();
  for (const [field, variable, unit, kind] of table.readings) {
    const value = sentNumber(left.get(field));
    if (value === undefined || known.has(variable)) continue;
    known.add(variable);
    left.delete(field);
    readings.push({
      field,
      variable,
      ...(unit !== undefined && { unit }),
      value,
      ...(kind === 'counter' && { counter: true }),
    });
  }
  const counters: RainCounter[] = [];
  for (const [field, gauge, period, millimeters] of table.counters) {
    const value = sentNumber(left.get(field));
    if (value === undefined) continue;
    left.delete(field);
    counters.push({ gauge, period, amount: withoutError(value * millimeters) });
  }
  const states: [string, string][] = [];
  for (const [field, text] of left) {
    const kind = table.batteries.get(field);
    if (kind === undefined) continue;
    left.delete(field);
    states.push([field, batteryState(kind, text)]);
  }
  return { readings, counters, fields: unmapped(left, table), batteries: Object.fromEntries(states) };
}

/** Twelve digits remove the error of the multiplication, as in the other conversions of units. */
function withoutError(amount: number): number {
  return Number(amount.toPrecision(12));
}

function isLeftOut(name: string, text: string, { ignored, missing }: FieldTable): boolean {
  return (
    ignored.has(name) ||
    isSecret(name, text) ||
    isSecret('', name) ||
    isMissing(text) ||
    ownValue(missing, name)?.includes(text.trim()) === true
  );
}

/** Names are those of a sender: `constructor` must not be found. */
function ownValue<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function unmapped(left: ReadonlyMap<string, string>, { units, readings }: FieldTable): UploadField[] {
  return [...left]
    .filter(([name]) => name.length <= MAX_NAME)
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => {
      const value = sentNumber(text);
      if (value === undefined) return { name, value: text.trim().slice(0, MAX_TEXT) };
      const unit = units?.get(name) ?? readings.find(([field]) => field === name)?.[2];
      return { name, value, ...(unit !== undefined && { unit }) };
    });
}

/** Names that are written in one text, with spaces. */
export function words(text: string): string[] {
  return text.split(' ');
}

/** Names of the channels of a sensor: `channels((n) => `temp${n}f`, 8)`. */
export function channels(name: (channel: number) => string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => name(index + 1));
}

/** Batteries of one kind, for the table of a dialect. */
export function batteries(kind: BatteryKind, names: readonly string[]): [string, BatteryKind][] {
  return names.map((name) => [name, kind]);
}

/** One unit for many fields, for the table of a dialect. */
export function inUnit(unit: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, unit]);
}
