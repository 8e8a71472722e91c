import { converter } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { type FieldTable, INCH } from '#adapters/uploads/reading/field-table.js';

/**
 * Number of decimals of a value by unit. Other units have `OTHER_DECIMALS`. These decimals are finer than the resolution of
 * sensors.
 */
export const DECIMALS: Readonly<Record<string, number>> = { '°F': 2, inHg: 4, mph: 2, 'in/h': 4 };
export const OTHER_DECIMALS = 3;
/** Number of decimals of rain in inches. */
export const RAIN_DECIMALS = 4;

const BY_NAME = new Map(VARIABLES.map((variable) => [variable.name, variable]));

/**
 * Writes values as the fields of a dialect, which is a protocol for uploads. `readings` is the table with which uploads of the
 * dialect are read. A variable with several fields is written to the first of these fields. Variables without a field are left
 * out.
 *
 * @param values values by name of the variable, in stored units
 */
export function writeFields(
  values: Readonly<Record<string, number>>,
  { readings }: Pick<FieldTable, 'readings'>,
): [field: string, text: string][] {
  const written = new Set<string>();
  return readings.flatMap(([field, name, unit]): [string, string][] => {
    const [value, variable] = [values[name], BY_NAME.get(name)];
    if (value === undefined || variable === undefined || written.has(name)) return [];
    written.add(name);
    const sent = unit === undefined ? value : converter(variable, unit, 'unit')(value);
    return [[field, plain(sent, DECIMALS[unit ?? ''] ?? OTHER_DECIMALS)]];
  });
}

/** Writes a sum of rain in inches. An unknown sum is not written. @param millimeters null or undefined for an unknown sum */
export function writeRain(
  field: string,
  millimeters: number | null | undefined,
): readonly [field: string, text: string][] {
  if (millimeters === null || millimeters === undefined) return [];
  return [[field, plain(millimeters / INCH, RAIN_DECIMALS)]];
}

/**
 * Formats a number without an exponent, because services do not read exponents. Trailing zeros are left out.
 *
 * @param decimals at most 6, because a number below 0.000001 would get an exponent
 */
export function plain(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}
