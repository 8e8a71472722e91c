import { converter, reversibleConverter } from '../../../domain/weather/units.js';
import { variableNumbered } from '../../../domain/weather/variables.js';

export type TimeFormat = 'iso' | 'unix';

/** A column of a reply. It is plain data, so that another thread can write the column. */
export interface TextColumn {
  /** Key of the column in `Series.values`. */
  readonly number: number;
  readonly name: string;
  /** Heading of the CSV column; the name when left out. */
  readonly heading?: string;
  /** The conversion of the values; values are written as they are stored when left out. */
  readonly conversion?: Conversion;
}

/** To a unit of the variable whose number is that of the column, or to a number of decimals. */
export type Conversion =
  | {
      readonly unit: string;
      /** Whether the text converts back to the stored value. */ readonly isReversible: boolean;
    }
  | { readonly decimals: number };

/** The function that converts stored values to those of the reply, or undefined where they are the same. */
export function conversionOf({ number, conversion }: TextColumn): ((value: number) => number) | undefined {
  if (conversion === undefined) return undefined;
  if ('decimals' in conversion) {
    const power = 10 ** conversion.decimals;
    // JSON has no -0.
    return (value) => Math.round(value * power) / power + 0;
  }
  const variable = variableNumbered(number);
  const { unit, isReversible } = conversion;
  if (unit === variable.unit) return undefined;
  return isReversible ? reversibleConverter(variable, unit) : converter(variable, unit, 'unit');
}
