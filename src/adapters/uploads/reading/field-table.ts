import type { Device, Gauge, RainCounter, RainPeriod, Reading, UploadField } from '#domain/uploads/upload.js';
import { isSecret } from '../request/secret-mask.js';
import { type BatteryKind, batteryState } from './battery.js';
import { isMissing, sentNumber } from './sent-number.js';

/**
 * A field, its variable and its unit. Without a unit, the value has the stored unit of the variable. `counter` marks a value that
 * only rises, until it starts again.
 */
export type ReadingField = readonly [field: string, variable: string, unit?: string, kind?: 'counter'];

/**
 * A field with a rain counter: its gauge, its period, and the number of millimeters in one unit of the field (25.4 for a field in
 * inches).
 */
export type CounterField = readonly [field: string, gauge: Gauge, period: RainPeriod, millimeters: number];

export const INCH = 25.4;

/**
 * The fields of a dialect, which is a protocol in which stations send values. Names are exact.
 *
 * A field that is in no part of the table is unmapped: it has no variable. Its value is only listed in the status of the upload
 * key, until the owner assigns the field to a variable.
 */
export interface FieldTable {
  /**
   * If several fields have the same variable, the first field with a value is used. The others count as unmapped: their values
   * are not stored, but listed in the status of the upload key.
   */
  readonly readings: readonly ReadingField[];
  readonly counters: readonly CounterField[];
  readonly batteries: ReadonlyMap<string, BatteryKind>;
  /** Fields that are not stored: fields of the protocol, and derived values. */
  readonly ignored: ReadonlySet<string>;
  /**
   * Texts that mean an absent value, by the name of the field, for example `255` for `lightning`. Texts such as `--` mean an
   * absent value in all fields.
   */
  readonly missing?: Readonly<Record<string, readonly string[]>>;
  /**
   * Units of unmapped fields, for example °F. An unmapped field has no variable, and its value is only listed in the status of
   * the upload key. Units that are unknown, or in which this service stores values itself (such as °C), are left out.
   */
  readonly units?: ReadonlyMap<string, string>;
  /** Correct names by misspelled name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

export interface FieldValues {
  readonly readings: readonly Reading[];
  readonly counters: readonly RainCounter[];
  readonly fields: readonly UploadField[];
  readonly batteries: Device['batteries'];
}

/**
 * Limits for the unmapped fields of an upload, which have no variable and are only listed:
 *
 * - `MAX_FIELDS`: number of fields
 * - `MAX_NAME`: characters of the name of a field
 * - `MAX_TEXT`: characters of the text of a field
 */
const MAX_FIELDS = 256;
const MAX_NAME = 48;
const MAX_TEXT = 64;

/** Reads the fields of an upload with the table of its dialect, which is the protocol of the station. */
export function readFields(sent: ReadonlyMap<string, string>, table: FieldTable): FieldValues {
  const remaining = new Map(
    [...sent]
      .filter(([name, text]) => !isLeftOut(name, text, table))
      .map(([name, text]) => [ownValue(table.aliases, name) ?? name, text]),
  );
  const readings: Reading[] = [];
  const known = new Set<string>();
  for (const [field, variable, unit, kind] of table.readings) {
    const value = sentNumber(remaining.get(field));
    if (value === undefined || known.has(variable)) continue;
    known.add(variable);
    remaining.delete(field);
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
    const value = sentNumber(remaining.get(field));
    if (value === undefined) continue;
    remaining.delete(field);
    counters.push({ gauge, period, amount: withoutError(value * millimeters) });
  }
  const states: [string, string][] = [];
  for (const [field, text] of remaining) {
    const kind = table.batteries.get(field);
    if (kind === undefined) continue;
    remaining.delete(field);
    states.push([field, batteryState(kind, text)]);
  }
  return {
    readings,
    counters,
    fields: unmapped(remaining, table),
    batteries: Object.fromEntries(states),
  };
}

/** Rounding to twelve digits removes the error of the multiplication, as in other conversions of units. */
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

/** Returns an own property only, because a sender may use the name `constructor`. */
function ownValue<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function unmapped(remaining: ReadonlyMap<string, string>, { units, readings }: FieldTable): UploadField[] {
  return [...remaining]
    .filter(([name]) => name.length <= MAX_NAME)
    .slice(0, MAX_FIELDS)
    .map(([name, text]) => {
      const value = sentNumber(text);
      if (value === undefined) return { name, value: text.trim().slice(0, MAX_TEXT) };
      const unit = units?.get(name) ?? readings.find(([field]) => field === name)?.[2];
      return { name, value, ...(unit !== undefined && { unit }) };
    });
}

/** Splits names that are separated by spaces. */
export function words(text: string): string[] {
  return text.split(' ');
}

/** Names of the channels of a sensor: `channels((n) => `temp${n}f`, 8)`. */
export function channels(name: (channel: number) => string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => name(index + 1));
}

/** Pairs of the name of a battery and its encoding, for several batteries with the same encoding. */
export function batteries(kind: BatteryKind, names: readonly string[]): [string, BatteryKind][] {
  return names.map((name) => [name, kind]);
}

/** Pairs of the name of a field and its unit, for several fields with the same unit. */
export function inUnit(unit: string, names: readonly string[]): [string, string][] {
  return names.map((name) => [name, unit]);
}
