import { readHeading } from '#domain/weather/units.js';
import { type Variable, variableNamed } from '#domain/weather/variables.js';
import { splitHeading } from './unit-names.js';

/**
 * Words of headings with their variable. The word "pressure" alone is not in the list, because the pressure may be at the station
 * or at sea level.
 */
const WORDS: readonly (readonly [pattern: RegExp, variable: string, quantity: string])[] = [
  [
    /^(?:outdoor |outside |out |air )?temp(?:erature|eratur)?(?: (?:out|outdoor|outside|aussen|außen))?$/,
    'air_temperature',
    'temperature',
  ],
  [/^dew ?p(?:oint|t)?\.?(?: temp(?:erature)?)?$|^taupunkt$/, 'dew_point_temperature', 'temperature'],
  [
    /^(?:outdoor |outside |out |rel(?:ative|\.)? )?(?:hum(?:idity)?\.?|rh|(?:luft)?feuchte|luftfeuchtigkeit)(?: (?:out|outdoor|aussen|außen))?$/,
    'relative_humidity',
    'humidity',
  ],
  [/^(?:avg |average |mean )?wind(?: ?speed)?$|^wind(?:geschwindigkeit|spd)$/, 'wind_speed', 'wind'],
  [/^(?:wind )?gusts?(?: ?speed)?$|^wind ?gusts?$|^böen?$/, 'wind_speed_of_gust', 'wind'],
  [/^(?:wind )?gust ?dir(?:ection)?$|^böenrichtung$/, 'wind_gust_from_direction', 'direction'],
  [/^wind ?dir(?:ection)?$|^windrichtung$/, 'wind_from_direction', 'direction'],
  [
    /^(?:sea.level|rel(?:ative|\.)?|msl) ?(?:air )?press(?:ure)?$|^pressure msl$|^mslp$|^slp$/,
    'air_pressure_at_mean_sea_level',
    'pressure',
  ],
  [/^(?:abs(?:olute|\.)?|station|surface) ?(?:air )?press(?:ure)?$/, 'surface_air_pressure', 'pressure'],
  [/^(?:rain|rainfall|precip(?:itation)?|niederschlag|regen)(?: amount)?$/, 'precipitation_amount', 'rain'],
  [/^(?:rain|precip(?:itation)?) rate$/, 'rainfall_rate', 'rain rate'],
  [
    /^(?:solar|global|shortwave) rad(?:iation)?\.?$/,
    'surface_downwelling_shortwave_flux_in_air',
    'radiation',
  ],
  [/^uv(?: ?i(?:ndex)?)?$/, 'ultraviolet_index', 'UV index'],
  [/^visibility$/, 'visibility_in_air', 'visibility'],
];
/** Quantities with only one unit, which a heading may omit. */
const UNITLESS: Readonly<Record<string, string>> = {
  direction: 'degree',
  'UV index': '1',
  humidity: '%',
  radiation: 'W/m²',
};

/** The meaning of a column, concluded from its heading. */
export interface GuessedColumn {
  readonly variable: Variable;
  /** Undefined if neither the heading nor the quantity determines the unit. */
  readonly unit: string | undefined;
  /** The word for the quantity, such as `temperature`, with which the user is asked for a unit that the heading does not name. */
  readonly quantity: string;
  /** Whether the heading is the name of a variable, so that the meaning is certain. */
  readonly isSure: boolean;
}

/**
 * Concludes the meaning of a column from its heading.
 *
 * @param samples texts of the column. A wind column is taken for a direction instead of a speed if one of these texts is
 *   compass letters such as `NNE`
 */
export function guessColumn(heading: string, samples: readonly string[] = []): GuessedColumn | undefined {
  const named = readHeading(heading);
  const exact = variableNamed(named.name);
  if (exact !== undefined) {
    return { variable: exact, unit: named.unit ?? exact.unit, quantity: named.name, isSure: true };
  }
  const { name, unit } = splitHeading(heading);
  const words = name
    .replace(/[_\s]+/g, ' ')
    .replace(/ (?:2|10)m$/, '')
    .trim()
    .toLowerCase();
  const match = WORDS.find(([pattern]) => pattern.test(words));
  const variable = match === undefined ? undefined : variableNamed(match[1]);
  if (match === undefined || variable === undefined) return undefined;
  const direction = variableNamed('wind_from_direction');
  if (match[2] === 'wind' && direction !== undefined && samples.some((text) => /^[NESW]{1,3}$/.test(text))) {
    return { variable: direction, unit: direction.unit, quantity: 'direction', isSure: false };
  }
  return { variable, unit: unit ?? UNITLESS[match[2]], quantity: match[2], isSure: false };
}
