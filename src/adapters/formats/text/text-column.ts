import { roundTo } from '#domain/weather/usual-decimals.js';
import { reversibleConverter } from '#domain/weather/units.js';
import { variableNumbered } from '#domain/weather/variables.js';

export type TimeStyle = 'iso' | 'unix';

/** A column of a reply. It is plain data, so that it can be sent to another thread. */
export interface TextColumn {
  /** Key of the column in `Series.values`. */
  readonly number: number;
  readonly name: string;
  /** Heading of the CSV column. Undefined means the name. */
  readonly heading?: string;
  /** The conversion of the values. Undefined means that the stored values are written. */
  readonly conversion?: Conversion;
}

/** How the values of a column are converted. */
export interface Conversion {
  /** The unit of the written values. Without `decimals` they have enough digits to be converted back to the stored values. */
  readonly unit?: string;
  /** Number of decimals to which the values are rounded. */
  readonly decimals?: number | undefined;
}

/** The function that converts stored values to the values of the reply; undefined if both are the same. */
export function cellConversion({ number, conversion }: TextColumn): ((value: number) => number) | undefined {
  if (conversion === undefined) return undefined;
  const convert = unitConversion(number, conversion.unit);
  const { decimals } = conversion;
  if (decimals === undefined) return convert;
  return convert === undefined
    ? (value) => roundTo(value, decimals)
    : (value) => roundTo(convert(value), decimals);
}

function unitConversion(number: number, unit: string | undefined): ((value: number) => number) | undefined {
  if (unit === undefined) return undefined;
  const variable = variableNumbered(number);
  return unit === variable.unit ? undefined : reversibleConverter(variable, unit);
}
