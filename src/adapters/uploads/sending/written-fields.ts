import { converter } from '#domain/weather/units.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { type FieldTable, INCH } from '../reading/field-table.js';

/** Decimals by unit, and in other units: finer than sensors are. */
export const DECIMALS: Readonly<Record<string, number>> = { '°F': 2, inHg: 4, mph: 2, 'in/h': 4 };
export const OTHER_DECIMALS = 3;
/** Of inches of rain. */
export const RAIN_DECIMALS = 4;

const BY_NAME = new Map(VARIABLES.map((variable) => [variable.name, variable]));

/**
 * Writes values as the fields of a dialect: the table by which its uploads are read, backwards. A variable with several fields
 * gets the first one. Variables without a field are left out.
 *
 * @param values by name of the variable, in stored units
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

/** Writes a sum of rain in inches. @param millimeters null or undefined if it is unknown */
export function writeRain(
  field: string,
  millimeters: number | null | undefined,
): readonly [field: string, text: string][] {
  if (millimeters === null || millimeters === undefined) return [];
  return [[field, plain(millimeters / INCH, RAIN_DECIMALS)]];
}

/** Without an exponent and without needless zeros; services read neither. @param decimals at most 6, beyond which JavaScript writes an exponent */
function plain(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}
