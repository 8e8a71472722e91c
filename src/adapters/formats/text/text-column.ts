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

/**
 * How the values of a column are converted: to another unit, with so many digits that they convert back to the stored values, or
 * by rounding them to a number of decimals.
 */
export type Conversion = { readonly unit: string } | { readonly decimals: number };

/** The function that converts stored values to the values of the reply; undefined if both are the same. */
export function cellConversion({ number, conversion }: TextColumn): ((value: number) => number) | undefined {
  if (conversion === undefined) return undefined;
  if ('decimals' in conversion) {
    const power = 10 ** conversion.decimals;
    // Adding 0 turns -0 into 0, because JSON has no -0.
    return (value) => Math.round(value * power) / power + 0;
  }
  const variable = variableNumbered(number);
  const { unit } = conversion;
  return unit === variable.unit ? undefined : reversibleConverter(variable, unit);
}
