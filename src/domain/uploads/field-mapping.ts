import { DomainError } from '../domain-error.js';
import { converter } from '../weather/units.js';
import { variableNamed } from '../weather/variables.js';
import type { Reading } from './upload.js';

/**
 * A rule for one field in the uploads of a weather station: the variable `variable` gets the value of the field × `scale` +
 * `offset`, in `unit`. Without such a rule, the upload protocol decides whether the field is stored and as which variable.
 *
 * @param S type of a station: its id in requests and replies, its number in the store
 */
export interface FieldMapping<S = string> {
  /** Name of the field in the upload: `temp3f`. */
  readonly field: string;
  /** Name of the variable. */
  readonly variable: string;
  /**
   * Unit of the result of `scale` and `offset`. If absent: the unit of the field in the sender's protocol, or the stored
   * unit of the variable if the protocol has no unit.
   */
  readonly unit?: string;
  /** Factor of the value of the field. If absent: 1. */
  readonly scale?: number;
  /** Summand after the multiplication by `scale`. If absent: 0. */
  readonly offset?: number;
  /** Whether the field is a counter that increases until it is reset. The variable gets the increase. */
  readonly counter?: boolean;
  /** The station that gets the values. If absent: the station to which the upload key belongs. */
  readonly station?: S;
}

/** Largest number of mappings of an upload key. */
export const MAX_MAPPINGS = 64;

/** Checks the mappings of an upload key. @throws DomainError REQUEST_INVALID with the rule that a mapping breaks */
export function acceptMappings<S>(mappings: readonly FieldMapping<S>[]): void {
  assertRule(mappings.length <= MAX_MAPPINGS, `A key has at most ${MAX_MAPPINGS} mappings.`);
  const fields = new Set<string>();
  const targets = new Set<string>();
  for (const { field, variable, unit, scale = 1, offset = 0, counter = false, station } of mappings) {
    assertRule(
      /^[\x21-\x7e]{1,64}$/.test(field),
      'The name of a field has 1 to 64 printable ASCII characters.',
    );
    assertRule(!fields.has(field), `The field ${field} is mapped twice.`);
    fields.add(field);
    const known = variableNamed(variable);
    if (known === undefined) {
      throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(variable)}.`);
    }
    const target = JSON.stringify([variable, station ?? null]);
    assertRule(!targets.has(target), `Two fields are mapped to ${variable} of the same station.`);
    targets.add(target);
    if (unit !== undefined) converter(known, unit, 'unit');
    assertRule(
      Number.isFinite(scale) && scale !== 0 && Number.isFinite(offset),
      `Scale and offset of ${field} are numbers, and the scale is not 0.`,
    );
    assertRule(
      !counter || known.aggregation === 'sum',
      `The field ${field} cannot be a counter, because ${variable} is not a sum.`,
    );
    assertRule(!counter || offset === 0, `The counter ${field} cannot have an offset.`);
  }
}

/** Applies a mapping to the value of its field. @param unit unit of the value, if the sender's protocol has one */
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

function assertRule(isMet: boolean, rule: string): void {
  if (!isMet) throw new DomainError('REQUEST_INVALID', rule);
}
