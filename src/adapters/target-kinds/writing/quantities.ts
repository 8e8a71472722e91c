import type { SentWeather } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { plain } from './written-fields.js';

/** Names of a quantity. The first one whose value is known is sent. */
type Quantity = readonly string[];

/** The measured pressure at sea level, otherwise the derived one. */
export const SEA_LEVEL_PRESSURE: Quantity = ['air_pressure_at_mean_sea_level', 'sea_level_pressure'];
/** The measured dew point, otherwise the derived one. */
export const DEW_POINT: Quantity = ['dew_point_temperature', 'dew_point'];

/** A field of a protocol. The stored unit is used if `unit` is undefined. */
export type SentField = readonly [
  field: string,
  quantity: Quantity,
  unit: string | undefined,
  decimals: number,
];

/** The value of a quantity in a unit; undefined if no value is known. */
export function quantityOf(weather: SentWeather, quantity: Quantity, unit?: string): number | undefined {
  for (const name of quantity) {
    const value = weather.value(name, unit);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Writes the fields whose values are known. @param factor by which every value is multiplied before it is rounded */
export function sentFields(
  weather: SentWeather,
  fields: readonly SentField[],
  factor = 1,
): readonly (readonly [field: string, text: string])[] {
  return fields.flatMap(([field, quantity, unit, decimals]) =>
    sentNumber(field, quantityOf(weather, quantity, unit), decimals, factor),
  );
}

/** Writes a number. An unknown number is not written. */
export function sentNumber(
  field: string,
  value: number | null | undefined,
  decimals: number,
  factor = 1,
): readonly (readonly [field: string, text: string])[] {
  return value === undefined || value === null ? [] : [[field, plain(value * factor, decimals)]];
}

/** The fields as numbers, for JSON. */
export function asNumbers(
  fields: readonly (readonly [field: string, text: string])[],
): Readonly<Record<string, number>> {
  return Object.fromEntries(fields.map(([field, text]) => [field, Number(text)]));
}

/** @throws TargetFailure that skips the row, if the service takes none of its values */
export function assertAnyValue(title: string, values: readonly unknown[]): void {
  if (values.length === 0) throw nothingFor(title);
}

/** The failure that skips a row of which the service takes no value. */
export function nothingFor(title: string): TargetFailure {
  return new TargetFailure(`The row has no value that ${title} takes.`, { permanent: true });
}
