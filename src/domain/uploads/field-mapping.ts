import { DomainError } from '../domain-error.js';
import { converter } from '../weather/units.js';
import { variableNamed } from '../weather/variables.js';
import type { Reading } from './upload.js';

/**
 * A field of a sender and the variable that gets its values: value of the variable = field × scale + offset, in `unit`. It
 * replaces what the service would do with the field otherwise.
 *
 * @param S a station: its id where people read or write it, its number where it is stored
 */
export interface FieldMapping<S = string> {
  /** Name of the field as the sender gives it: `temp3f`. */
  readonly field: string;
  /** Name of the variable. */
  readonly variable: string;
  /** The unit of the values after scale and offset. Left out: the unit that the sender's protocol has, or else the stored one. */
  readonly unit?: string;
  /** 1 if left out. */
  readonly scale?: number;
  /** 0 if left out. */
  readonly offset?: number;
  /** Whether the field is a counter that only rises until it begins anew; the variable gets its increase. */
  readonly counter?: boolean;
  /** The station that gets the values. Left out: that of the key. */
  readonly station?: S;
}

/** Largest number of mappings of a key. */
export const MAX_MAPPINGS = 64;

/** Checks mappings. @throws DomainError REQUEST_INVALID with the rule that is broken */
export function acceptMappings<S>(mappings: readonly FieldMapping<S>[]): void {
  must(mappings.length <= MAX_MAPPINGS, `A key has at most ${MAX_MAPPINGS} mappings.`);
  const fields = new Set<string>();
  const targets = new Set<string>();
  for (const { field, variable, unit, scale = 1, offset = 0, counter = false, station } of mappings) {
    must(/^[\x21-\x7e]{1,64}$/.test(field), 'The name of a field has 1 to 64 printable ASCII characters.');
    must(!fields.has(field), `The field ${field} is mapped twice.`);
    fields.add(field);
    const known = variableNamed(variable);
    if (known === undefined) {
      throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(variable)}.`);
    }
    const target = JSON.stringify([variable, station ?? null]);
    must(!targets.has(target), `Two fields are mapped to ${variable} of the same station.`);
    targets.add(target);
    if (unit !== undefined) converter(known, unit, 'unit');
    must(
      Number.isFinite(scale) && scale !== 0 && Number.isFinite(offset),
      `Scale and offset of ${field} are numbers, and the scale is not 0.`,
    );
    must(!counter || known.aggregation === 'sum', `Only sums can come from a counter, not ${variable}.`);
    must(!counter || offset === 0, `A counter has no offset (${field}).`);
  }
}

/** The reading that a mapping makes of a value. @param unit of the value, where the sender's protocol has one */
export function mappedReading<S>(mapping: FieldMapping<S>, value: number, unit?: string): Reading {
  const { field, variable, scale = 1, offset = 0, counter = false } = mapping;
  const mappedUnit = mapping.unit ?? unit;
  return {
    field,
    variable,
    value: value * scale + offset,
    ...(mappedUnit !== undefined && { unit: mappedUnit }),
    ...(counter && { counter }),
  };
}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new DomainError('REQUEST_INVALID', rule);
}
