import { MILLISECONDS } from '#domain/time.js';
import { relativeHumidity } from '../derived/vapor.js';
import { windAtTenMeters } from '../derived/wind-profile.js';
import { type FireCodes, type FireWeather, nextFireWeather } from './fire-equations.js';
import { CONDITIONS, conditionsAt } from './hour-conditions.js';
import { type IndexRow, isStart, localDays, rowsOf } from './index-rows.js';
import type { IndexHours, IndexOfHours, YearStart } from './station-index.js';

export interface FireWeatherOptions {
  readonly start: YearStart;
  /** Moisture codes of the day before the start. */
  readonly codes: FireCodes;
}

/** Highest FWI of each class of the European Forest Fire Information System but the last. */
const EFFIS_BOUNDS = [5.2, 11.2, 21.3, 38, 50, 70] as const;
const EFFIS_CLASSES = [
  'very_low',
  'low',
  'moderate',
  'high',
  'very_high',
  'extreme',
  'very_extreme',
] as const;
const KILOMETERS_AN_HOUR = 3.6;
/** Hours before and after noon that stand for a missing noon. */
const NEAREST = [0, -1, 1] as const;
const HOURS_OF_RAIN = 24;

export const fireWeather: IndexOfHours<FireWeatherOptions> = {
  name: 'fire-weather',
  title: 'Fire weather (Canadian Fire Weather Index)',
  source:
    'Van Wagner and Pickett (1985), Canadian Forestry Service, technical report 33; Van Wagner (1987), technical report 35; the constant of the fine fuel moisture is 147.27723, as in the package cffdrs since 1.9, and not the rounded 147.2; day lengths by latitude as in cffdrs; classes: European Forest Fire Information System',
  rule: 'no day since the start is missing: temperature, humidity and wind at noon in standard time (or an hour from it), and the rain of each of the 24 hours to noon. A missing day keeps the codes of the day before',
  columns: [
    { name: 'fine_fuel_moisture_code', unit: '1', decimals: 2, description: 'FFMC' },
    { name: 'duff_moisture_code', unit: '1', decimals: 2, description: 'DMC' },
    { name: 'drought_code', unit: '1', decimals: 2, description: 'DC' },
    { name: 'initial_spread_index', unit: '1', decimals: 2, description: 'ISI' },
    { name: 'buildup_index', unit: '1', decimals: 2, description: 'BUI' },
    { name: 'fire_weather_index', unit: '1', decimals: 2, description: 'FWI' },
    { name: 'daily_severity_rating', unit: '1', decimals: 3, description: 'DSR' },
    { name: 'fire_danger', unit: '1', decimals: 0, description: 'class of the FWI', classes: EFFIS_CLASSES },
  ],
  leadDays: 1,
  hasStart: true,
  reads: 'hours',
  gives: 'days',
  inputs: [...CONDITIONS, 'precipitation'],
  compute: (hours, { start, codes: initial }) => {
    let codes = initial;
    let missing = 0;
    const rows = localDays(hours.dates).map(({ date }): IndexRow => {
      if (isStart(date, start)) [codes, missing] = [initial, 0];
      const noon = noonOf(hours, date);
      const weather = weatherAt(hours, noon);
      if (weather === undefined) {
        // The noon of the newest day may not be over.
        if (noon >= hours.starts.length) return { values: [], missing, valid: false };
        missing += 1;
        const { fineFuel, duff, drought } = codes;
        return { values: [fineFuel, duff, drought], missing, valid: false };
      }
      const month = new Date(date * MILLISECONDS.day).getUTCMonth();
      const result = nextFireWeather(codes, weather, { month, latitude: hours.siteAt(noon).latitude });
      codes = result;
      const { fineFuel, duff, drought, spread, buildup, index, severity } = result;
      const danger = EFFIS_BOUNDS.filter((bound) => index >= bound).length;
      return {
        values: [fineFuel, duff, drought, spread, buildup, index, severity, danger],
        missing,
        valid: missing === 0,
      };
    });
    return rowsOf(fireWeather.columns, rows);
  },
};

/** The hour that begins at noon in standard time of a date. It may be outside of the hours. */
function noonOf({ starts, standardOffset }: IndexHours, date: number): number {
  const noon = date * MILLISECONDS.day + MILLISECONDS.day / 2 - standardOffset;
  return Math.round((noon - (starts[0] ?? Number.NaN)) / MILLISECONDS.hour);
}

/** The weather at noon; undefined if a part of it is unknown. @param at the hour that begins at noon */
function weatherAt(hours: IndexHours, at: number): FireWeather | undefined {
  const { starts } = hours;
  const rain = hours.of('precipitation');
  if (at < HOURS_OF_RAIN || at >= starts.length) return undefined;
  const amount = rain.subarray(at - HOURS_OF_RAIN, at).reduce((sum, one) => sum + one, 0);
  if (Number.isNaN(amount)) return undefined;
  for (const distance of NEAREST) {
    const hour = at + distance;
    if (hour >= starts.length) continue;
    const conditions = conditionsAt(hours, hour);
    const { temperature, windHeight } = conditions;
    // A temperature belongs to the hour that begins at its time, a mean of wind to the hour that ends at its time.
    const windSpeed = hours.of('windSpeed')[hour - 1] as number;
    const weather = {
      temperature,
      humidity: relativeHumidity(conditions),
      wind: windAtTenMeters(windSpeed, windHeight) * KILOMETERS_AN_HOUR,
      rain: amount,
    };
    if (!Number.isNaN(temperature + weather.humidity + weather.wind)) return weather;
  }
  return undefined;
}
