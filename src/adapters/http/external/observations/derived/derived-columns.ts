import type { DerivedPage } from '#application/observations/read/derived/derive.js';
import type { QuantityDescription } from '#domain/weather/derived/quantity.js';
import type { Series } from '#domain/weather/series.js';
import {
  columnHeading,
  type Decimals,
  decimalsIn,
  quantityConverter,
  unitIn,
  type UnitSystem,
} from '#domain/weather/units.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { TextRows } from '#adapters/formats/text/observation-text.js';
import type { TimeStyle } from '#adapters/formats/text/text-column.js';

/** Number of decimals of a quantity, in its own unit, if the description of the quantity has no number of decimals. */
const DEFAULT_DECIMALS = 2;

/** The format of the columns of a reply. */
export interface DerivedStyle {
  readonly units: UnitSystem;
  readonly time: TimeStyle;
  /** If undefined, each quantity has the number of decimals that fits the accuracy of its formula. */
  readonly decimals: Decimals;
}

/** The unit of each quantity in a reply. A page has the rows of one reply. */
export function derivedUnits({ quantities }: DerivedPage, system: UnitSystem): Record<string, string> {
  return Object.fromEntries(quantities.map((quantity) => [quantity.name, unitIn(system, quantity)]));
}

/** The description of each quantity in a reply. */
export function derivedFormulas({ quantities, stored }: DerivedPage) {
  const formulas = quantities.map((quantity, index) => {
    const { name, formula, validity, standardName = null, inputs, stored: variable, aliasOf } = quantity;
    const fields = {
      ...(aliasOf !== undefined && { quantity: aliasOf }),
      formula,
      validity,
      standard_name: standardName,
      inputs: inputs.map((number) => variableNumbered(number).name),
      ...(variable !== undefined && {
        stored: { variable: variableNumbered(variable).name, rows: stored[index] },
      }),
    };
    return [name, fields] as const;
  });
  return Object.fromEntries(formulas);
}

/**
 * Converts the rows of a reply to rows for the text writer. Values are converted to the units of the reply before they are
 * rounded.
 */
export function derivedRows({ quantities, parts }: DerivedPage, style: DerivedStyle): TextRows {
  const { units, time, decimals } = style;
  const converters = quantities.map((quantity) => quantityConverter(quantity, unitIn(units, quantity)));
  const columns = quantities.map((quantity, number) => ({
    number,
    name: quantity.name,
    heading: columnHeading(quantity, unitIn(units, quantity)),
    conversion: {
      decimals:
        decimals === 'full'
          ? undefined
          : (decimalsIn(quantity, unitIn(units, quantity), decimals) ??
            decimalsOf(quantity, converters[number] as Converter)),
    },
  }));
  const converted = units === 'metric' ? parts : parts.map((part) => convert(part, converters));
  return { parts: converted, columns, format: time };
}

type Converter = (value: number) => number;

function convert({ times, values, flags }: Series, converters: readonly Converter[]): Series {
  const columns = [...values].map(([index, column]): [number, Float64Array] => [
    index,
    column.map((value) => (Number.isNaN(value) ? value : (converters[index] as Converter)(value))),
  ]);
  return { times, values: new Map(columns), flags };
}

/** Number of decimals in the unit of the reply: one decimal more for a unit that is ten times as large, and never less than 0. */
function decimalsOf({ decimals = DEFAULT_DECIMALS }: QuantityDescription, toUnit: Converter): number {
  const factor = toUnit(1) - toUnit(0);
  return Math.max(0, decimals + Math.ceil(-Math.log10(factor) - 1e-9));
}
