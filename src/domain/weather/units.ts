import { DomainError } from '../domain-error.js';
import { MILLISECONDS } from '../time.js';
import { roundTo, usualDecimals } from './usual-decimals.js';
import { type Variable, VARIABLES } from './variables.js';

/** The systems of units of a reply. Values are stored in `metric` units. */
export const UNIT_SYSTEMS = ['metric', 'imperial', 'si'] as const;
export type UnitSystem = (typeof UNIT_SYSTEMS)[number];

/**
 * Converts a stored value: value in the unit = stored value × factor + offset. Factors are from NIST SP 811. All are exact
 * except inHg (at 0 °C).
 */
interface Conversion {
  readonly factor: number;
  readonly offset: number;
}

/** For each stored unit, the units of the same dimension into which its values can be converted. */
const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  '°C': { '°C': by(1), '°F': by(1.8, 32), K: by(1, 273.15) },
  hPa: {
    hPa: by(1),
    mbar: by(1),
    Pa: by(100),
    kPa: by(0.1),
    inHg: by(1 / 33.86388640341),
    mmHg: by(1 / 1.33322387415),
  },
  'm/s': { 'm/s': by(1), 'km/h': by(3.6), mph: by(1 / 0.44704), kt: by(3600 / 1852) },
  mm: { mm: by(1), cm: by(0.1), in: by(1 / 25.4), m: by(0.001) },
  'mm/h': { 'mm/h': by(1), 'in/h': by(1 / 25.4), 'm/s': by(1 / MILLISECONDS.hour) },
  '%': { '%': by(1), '1': by(0.01) },
  m: {
    m: by(1),
    km: by(0.001),
    cm: by(100),
    mm: by(1000),
    mi: by(1 / 1609.344),
    nmi: by(1 / 1852),
    ft: by(1 / 0.3048),
    in: by(1 / 0.0254),
  },
  s: { s: by(1), min: by(1 / 60), h: by(1 / 3600) },
  'µg/m³': { 'µg/m³': by(1), 'kg/m³': by(1e-9) },
  ppm: { ppm: by(1), '1': by(1e-6) },
  kPa: { kPa: by(1), Pa: by(1000), hPa: by(10), mbar: by(10), inHg: by(1 / 3.386388640341) },
  'g/m³': { 'g/m³': by(1), 'kg/m³': by(0.001) },
  'g/kg': { 'g/kg': by(1), '1': by(0.001) },
};

/**
 * For single variables, units of another dimension, or units that others do not have: the sky has eight oktas. Precipitation can be a
 * mass on an area: 1 kg/m² of water is 1 mm deep. The same
 * mass of new snow is about 10 mm deep, but its density is unknown, so depths of snow are not accepted in kg/m².
 */
const EQUIVALENTS: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  precipitation_amount: { 'kg/m²': by(1) },
  daily_precipitation_amount: { 'kg/m²': by(1) },
  multiday_precipitation_amount: { 'kg/m²': by(1) },
  cloud_area_fraction: { okta: by(0.08) },
};

/** The units of `imperial` and of `si` that differ from the stored units, by stored unit. */
const IMPERIAL: Readonly<Record<string, string>> = {
  '°C': '°F',
  hPa: 'inHg',
  'm/s': 'mph',
  mm: 'in',
  'mm/h': 'in/h',
  kPa: 'inHg',
};
const SI: Readonly<Record<string, string>> = {
  '°C': 'K',
  hPa: 'Pa',
  mm: 'm',
  'mm/h': 'm/s',
  '%': '1',
  'µg/m³': 'kg/m³',
  ppm: '1',
  kPa: 'Pa',
  'g/m³': 'kg/m³',
  'g/kg': '1',
};
/** Imperial units that depend on the variable: miles for distances, inches for depths, feet for heights. */
const IMPERIAL_LENGTHS: Readonly<Record<string, string>> = {
  visibility_in_air: 'mi',
  surface_snow_thickness: 'in',
  estimated_cloud_base: 'ft',
};

function by(factor: number, offset = 0): Conversion {
  return { factor, offset };
}

/** A variable or a derived quantity whose values are converted. */
export type QuantityInUnit = Pick<Variable, 'name' | 'unit'>;

/** The unit of a variable in a unit system. */
export function unitIn(system: UnitSystem, { name, unit }: QuantityInUnit): string {
  if (system === 'metric') return unit;
  if (system === 'si') return SI[unit] ?? unit;
  return IMPERIAL_LENGTHS[name] ?? IMPERIAL[unit] ?? unit;
}

/** The units in which values of a variable are accepted. */
export function unitsOf({ name, unit }: QuantityInUnit): readonly string[] {
  return Object.keys({ ...(CONVERSIONS[unit] ?? { [unit]: null }), ...EQUIVALENTS[name] });
}

function conversionInto({ name, unit: stored }: QuantityInUnit, unit: string): Conversion | undefined {
  return unit === stored ? by(1) : (CONVERSIONS[stored]?.[unit] ?? EQUIVALENTS[name]?.[unit]);
}

/**
 * Returns a function that converts stored values to `unit`, or values in `unit` to stored values. Rounding to 12 digits removes
 * the error of the conversion, so that 39.02 °F is 3.9 °C and not 3.9000000000000004.
 *
 * @throws DomainError REQUEST_INVALID if values of the variable cannot be converted to the unit
 */
export function converter(
  variable: QuantityInUnit,
  unit: string,
  to: 'unit' | 'stored',
): (value: number) => number {
  const conversion = conversionInto(variable, unit);
  if (conversion === undefined) {
    const known = unitsOf(variable).join(', ');
    throw new DomainError('REQUEST_INVALID', `${variable.name} cannot be in ${unit}, only in: ${known}.`);
  }
  const { factor, offset } = conversion;
  if (factor === 1 && offset === 0) return (value) => value;
  if (to === 'unit') return (value) => clean(value * factor + offset);
  if (offset === 0) return (value) => clean(value / factor);
  // Near 0, the rounding error of `value - offset` is among the first 12 digits: 273.151 - 273.15 is 0.0010000000000331966.
  // Rounding to 12 digits would keep this error. So a result below 1 is rounded to `OFFSET_DECIMALS` decimals instead.
  return (value) => {
    const stored = (value - offset) / factor;
    return Math.abs(stored) < 1 ? Number(stored.toFixed(OFFSET_DECIMALS)) : clean(stored);
  };
}

/**
 * Returns a function that converts values of a quantity to a unit. Differences of temperatures are converted without the offset of
 * the unit: 10 °C are 18 °F.
 *
 * @throws DomainError as `converter`
 */
export function quantityConverter(
  quantity: QuantityInUnit & { readonly isDifference?: true },
  unit: string,
): (value: number) => number {
  if (quantity.isDifference !== true) return converter(quantity, unit, 'unit');
  const factor = conversionOf(quantity.unit, unit)?.factor ?? 1;
  return (value) => clean(value * factor);
}

/** The requested number of decimals. `usual`: as people write the quantity. Undefined: all. */
export type Decimals = number | 'usual' | 'full' | undefined;

/** Number of decimals of a quantity in a unit; undefined if the values are not rounded. */
export function decimalsIn(variable: QuantityInUnit, unit: string, decimals: Decimals): number | undefined {
  if (decimals === 'full') return undefined;
  if (decimals !== 'usual') return decimals;
  return usualDecimals(variable.name, variable.unit, unit, conversionInto(variable, unit)?.factor);
}

/** Returns `convert`, with its results rounded to the requested decimals. */
export function withDecimals(
  convert: (value: number) => number,
  variable: QuantityInUnit,
  unit: string,
  decimals: Decimals,
): (value: number) => number {
  const count = decimalsIn(variable, unit, decimals);
  return count === undefined ? convert : (value) => roundTo(convert(value), count);
}

/** The conversion of stored values to a unit system, rounded to the requested decimals. */
export function shownIn(
  system: UnitSystem,
  variable: QuantityInUnit,
  decimals: Decimals,
): (value: number) => number {
  const unit = unitIn(system, variable);
  return withDecimals(converter(variable, unit, 'unit'), variable, unit, decimals);
}

/** The conversion from a stored unit to another unit; undefined if it does not exist. @param stored the unit of a variable */
export function conversionOf(stored: string, unit: string): Conversion | undefined {
  return CONVERSIONS[stored]?.[unit];
}

/** Number of decimals to which a stored value below 1 is rounded, if it was converted from a unit with an offset (°F or K). */
const OFFSET_DECIMALS = 11;
/**
 * Largest relative error that rounding to 12 significant digits removes. Half a unit of the twelfth digit is at least 5e-13 of a
 * number; this constant is smaller, to leave a margin.
 */
const SAME_NUMBER = 4e-13;

/**
 * Returns a function that converts stored values to a unit. A result has so many digits that `converter` can convert it back to
 * the same stored value. A stored value with more than 12 significant digits is an exception: `converter` rounds it to 12 digits.
 *
 * @throws DomainError REQUEST_INVALID if values of the variable cannot be converted to the unit
 */
export function reversibleConverter(variable: Variable, unit: string): (value: number) => number {
  const convert = converter(variable, unit, 'unit');
  const { factor, offset } = conversionInto(variable, unit) ?? by(1);
  if (factor === 1 && offset === 0) return convert;
  const absolute = offset === 0 ? 0 : 0.4 * 10 ** -OFFSET_DECIMALS;
  return (value) => {
    const short = convert(value);
    const error = Math.abs((short - offset) / factor - value);
    if (!(error > Math.max(SAME_NUMBER * Math.abs(value), absolute))) return short;
    return Number((value * factor + offset).toPrecision(15));
  };
}

function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/**
 * The heading of a CSV column: the name of the variable, and the unit if it is not the stored unit, for example `air_temperature
 * (°F)`.
 */
export function columnHeading({ name, unit: stored }: QuantityInUnit, unit: string): string {
  return unit === stored ? name : `${name} (${unit})`;
}

/** Name and unit of a heading in the form of `columnHeading`; the unit is undefined if the heading has none. */
export function readHeading(heading: string): { readonly name: string; readonly unit: string | undefined } {
  const match = /^(\S+) \(([^()]+)\)$/.exec(heading.trim());
  return { name: match?.[1] ?? heading.trim(), unit: match?.[2] };
}

/** The units of all variables in a unit system, by name. */
export function unitsIn(system: UnitSystem): Record<string, string> {
  return Object.fromEntries(VARIABLES.map((variable) => [variable.name, unitIn(system, variable)]));
}
