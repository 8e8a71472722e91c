import { type Family, NONE, type TimeName, timeName, todaysName } from './names.js';
import type { Dimension } from './units.js';

/** How the value of a day follows from the values at its hours. */
export type DayMethod = 'max' | 'min' | 'mean' | 'sum' | 'hours' | 'dominant';

/** What is computed for a day from its date and the position alone. */
export type SkyName = 'sunrise' | 'sunset' | 'daylight_duration' | 'moonrise' | 'moonset' | 'moon_phase';

/** A name of Open-Meteo in `daily`. */
export type DailyName =
  | { readonly dimension: Dimension; readonly of: TimeName; readonly method: DayMethod }
  | { readonly dimension: Dimension; readonly sky: SkyName };

const SKY: Readonly<Record<SkyName, Dimension>> = {
  sunrise: 'time',
  sunset: 'time',
  daylight_duration: 'seconds',
  moonrise: 'time',
  moonset: 'time',
  moon_phase: 'number',
};

/** Names that are not the name of a time with a method. */
const SPECIAL: Readonly<Record<string, readonly [name: string, method: DayMethod, dimension?: Dimension]>> = {
  precipitation_hours: ['precipitation', 'hours', 'hours'],
  shortwave_radiation_sum: ['shortwave_radiation', 'sum', 'megajoules'],
  sunshine_duration: ['sunshine_duration', 'sum'],
  weather_code: ['weather_code', 'max'],
  wind_direction_10m_dominant: ['wind_direction_10m', 'dominant'],
  et0_fao_evapotranspiration: ['et0_fao_evapotranspiration', 'sum'],
};

/** Finds a name of `daily`; undefined if Open-Meteo does not have it. */
export function dailyName(name: string, family: Family): DailyName | undefined {
  if (family !== 'weather') return undefined;
  const today = todaysName(name);
  if (today === 'growing_degree_days_base_0_limit_50')
    return { dimension: 'degreeDays', of: { dimension: 'degreeDays', origin: NONE }, method: 'sum' };
  if (Object.hasOwn(SKY, today)) return { dimension: SKY[today as SkyName], sky: today as SkyName };
  const [, base = '', method] = /^(\w+)_(max|min|mean|sum)$/.exec(today) ?? [];
  const [of, how, dimension] = Object.hasOwn(SPECIAL, today)
    ? (SPECIAL[today] as (typeof SPECIAL)[string])
    : [base, method as DayMethod];
  const found = timeName(of, family);
  return found && { dimension: dimension ?? found.dimension, of: found, method: how };
}
