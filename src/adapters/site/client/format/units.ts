import { usualDecimals } from '#domain/weather/usual-decimals.js';

/**
 * Unit systems of the site. The site reads metric units from the API and converts them itself, so that the site can show the same
 * reply in every unit system. The factors are from NIST SP 811.
 */
export const UNIT_CHOICES = ['metric', 'kmh', 'uk', 'imperial', 'knots'] as const;
export type UnitChoice = (typeof UNIT_CHOICES)[number];

export interface DisplayUnit {
  readonly unit: string;
  /** Number of decimals to show. */
  readonly decimals: number;
  readonly convert: (metric: number) => number;
}

const same = (value: number) => value;
const scaled = (factor: number) => (value: number) => value * factor;
const SNOW = 'surface_snow_thickness';

/** @param stored unit in the API @param variable the variable, if its decimals are not those of all values in the unit */
function shownIn(stored: string, unit: string, convert = same, variable = ''): DisplayUnit {
  return { unit, decimals: usualDecimals(variable, stored, unit), convert };
}

const CELSIUS = shownIn('°C', '°C');
const FAHRENHEIT = shownIn('°C', '°F', (value) => value * 1.8 + 32);
const HECTOPASCAL = shownIn('hPa', 'hPa');
const INCH_OF_MERCURY = shownIn('hPa', 'inHg', scaled(1 / 33.86388640341));
const METERS_PER_SECOND = shownIn('m/s', 'm/s');
const KILOMETERS_PER_HOUR = shownIn('m/s', 'km/h', scaled(3.6));
const MILES_PER_HOUR = shownIn('m/s', 'mph', scaled(1 / 0.44704));
const KNOTS = shownIn('m/s', 'kn', scaled(3600 / 1852));
const MILLIMETERS = shownIn('mm', 'mm');
const INCHES = shownIn('mm', 'in', scaled(1 / 25.4));
const MILLIMETERS_PER_HOUR = shownIn('mm/h', 'mm/h');
const INCHES_PER_HOUR = shownIn('mm/h', 'in/h', scaled(1 / 25.4));
const KILOMETERS = shownIn('m', 'km', scaled(0.001));
const MILES = shownIn('m', 'mi', scaled(1 / 1609.344));
const CENTIMETERS = shownIn('m', 'cm', scaled(100), SNOW);
const PERCENT = shownIn('%', '%', scaled(100));
const SNOW_INCHES = shownIn('m', 'in', scaled(1 / 0.0254), SNOW);

/** Display units by metric unit and unit system. */
const UNITS: Readonly<Record<string, Readonly<Record<UnitChoice, DisplayUnit>>>> = {
  '°C': { metric: CELSIUS, kmh: CELSIUS, uk: CELSIUS, imperial: FAHRENHEIT, knots: CELSIUS },
  hPa: {
    metric: HECTOPASCAL,
    kmh: HECTOPASCAL,
    uk: HECTOPASCAL,
    imperial: INCH_OF_MERCURY,
    knots: HECTOPASCAL,
  },
  'm/s': {
    metric: METERS_PER_SECOND,
    kmh: KILOMETERS_PER_HOUR,
    uk: MILES_PER_HOUR,
    imperial: MILES_PER_HOUR,
    knots: KNOTS,
  },
  mm: { metric: MILLIMETERS, kmh: MILLIMETERS, uk: MILLIMETERS, imperial: INCHES, knots: MILLIMETERS },
  'mm/h': {
    metric: MILLIMETERS_PER_HOUR,
    kmh: MILLIMETERS_PER_HOUR,
    uk: MILLIMETERS_PER_HOUR,
    imperial: INCHES_PER_HOUR,
    knots: MILLIMETERS_PER_HOUR,
  },
};
const percent = { metric: PERCENT, kmh: PERCENT, uk: PERCENT, imperial: PERCENT, knots: PERCENT };
/** Display units of single variables. For these variables, the units replace the display units in `UNITS`. */
const OF_VARIABLES: Readonly<Record<string, Readonly<Record<UnitChoice, DisplayUnit>>>> = {
  visibility_in_air: { metric: KILOMETERS, kmh: KILOMETERS, uk: MILES, imperial: MILES, knots: KILOMETERS },
  volume_fraction_of_condensed_water_in_soil: percent,
  volume_fraction_of_condensed_water_in_soil_pores: percent,
  [SNOW]: {
    metric: CENTIMETERS,
    kmh: CENTIMETERS,
    uk: CENTIMETERS,
    imperial: SNOW_INCHES,
    knots: CENTIMETERS,
  },
};
/** The display unit of a variable. @param metric unit of the variable in the API */
export function displayUnit(variable: string, metric: string, choice: UnitChoice): DisplayUnit {
  return (
    OF_VARIABLES[variable]?.[choice] ??
    UNITS[metric]?.[choice] ?? {
      unit: metric === 'degree' ? '°' : metric,
      decimals: usualDecimals(variable, metric, metric),
      convert: same,
    }
  );
}

/** Converts a difference, without the offset of the unit: a change of 1 °C is 1.8 °F, not 33.8 °F. */
export function convertDifference({ convert }: DisplayUnit, difference: number): number {
  return convert(difference) - convert(0);
}

/** Converts a difference and rounds it to the decimals that are shown, so that the caller can leave out what is shown as 0. */
export function roundedDifference(unit: DisplayUnit, difference: number): number {
  return Number(convertDifference(unit, difference).toFixed(unit.decimals));
}
