import { MILLISECONDS } from '../time.js';
import { sineOfAltitude, sunAt } from '../weather/derived/solar.js';
import { saturationVaporPressure } from '../weather/derived/vapor.js';
import type { Correction, Forecast, IssuedForecast } from './forecast.js';
import { F, FORECAST_VARIABLES, type ForecastVariable, forecastVariable } from './forecast-variables.js';
import { MIN_CASES, type LearnedErrors, type LeadErrors } from './learned-errors.js';
import { leadClass, LEADS, PARTS_OF_DAY, partOfDay } from './leads.js';
import { withoutError } from './link.js';
import { NINETY_PERCENT } from './scores.js';
import { calibrated, isCalibrationPublished, type LearnedChance } from './rain-chance.js';

/** Where a forecast is for. Degrees north and east. */
export interface ForecastPlace {
  readonly latitude: number;
  readonly longitude: number;
}

/** What is known at the time of issue. Columns are by number of the variable of forecasts. */
export interface Knowledge {
  readonly learned: ReadonlyMap<number, LearnedErrors>;
  readonly chance: LearnedChance;
  /** The newest observations that passed, at most an hour old. */
  readonly newest: ReadonlyMap<number, number>;
}

/** Times of `ForecastVariable.memory` after which the newest error is forgotten altogether. */
const MEMORIES = 4;

/** Corrects a forecast with what was known at its issue. A pure function, so that every published number can be computed again. */
export function correct(forecast: Forecast, place: ForecastPlace, knowledge: Knowledge): Correction {
  const corrected = new Map<number, Float64Array>();
  const [low, high] = [new Map<number, Float64Array>(), new Map<number, Float64Array>()];
  const published = new Map<number, readonly boolean[]>();
  for (const variable of FORECAST_VARIABLES) {
    const { number } = variable;
    const values = correctedValues(variable, forecast, place, knowledge, corrected);
    if (values === undefined) continue;
    const raw = forecast.values.get(number) as Float64Array;
    const learned = knowledge.learned.get(number);
    const isPublished = LEADS.map((_, lead) => learned?.[lead]?.isPublished ?? false);
    corrected.set(number, values);
    published.set(number, isPublished);
    const bounds = forecast.times.map((time) => {
      const lead = leadClass(time - forecast.issued);
      return lead < 0 ? Number.NaN : halfWidth(learned?.[lead]);
    });
    const shown = values.map((value, index) => {
      const lead = leadClass((forecast.times[index] as number) - forecast.issued);
      return isPublished[lead] === true ? value : (raw[index] as number);
    });
    low.set(
      number,
      shown.map((value, index) => bounded(variable, value - (bounds[index] as number))),
    );
    high.set(
      number,
      shown.map((value, index) => bounded(variable, value + (bounds[index] as number))),
    );
  }
  const chances = forecast.values.get(F.rainChance);
  if (chances !== undefined) {
    corrected.set(
      F.rainChance,
      chances.map((percent) => 100 * calibrated(knowledge.chance, percent / 100)),
    );
    published.set(
      F.rainChance,
      LEADS.map(() => isCalibrationPublished(knowledge.chance)),
    );
  }
  return { corrected, low, high, published };
}

/** The values that are published: the corrected values of the classes of leads in which they are better, otherwise the forecast. */
export function publishedValues(
  { issued, times, values, corrected, published }: Omit<IssuedForecast, 'low' | 'high'>,
  number: number,
): Float64Array {
  const raw = values.get(number) ?? new Float64Array(times.length).fill(Number.NaN);
  const [own, leads] = [corrected.get(number), published.get(number)];
  if (leads?.includes(true) !== true) return raw;
  return raw.map((value, index) =>
    leads?.[leadClass((times[index] as number) - issued)] === true ? (own?.[index] ?? value) : value,
  );
}

function halfWidth(errors: LeadErrors | undefined): number {
  if (errors === undefined || errors.cases < MIN_CASES) return Number.NaN;
  return NINETY_PERCENT * Math.sqrt(errors.square) * errors.spread;
}

/** @param earlier the corrected values of temperature and dew point @returns undefined for a variable that is not corrected */
function correctedValues(
  variable: ForecastVariable,
  forecast: Forecast,
  place: ForecastPlace,
  { learned, newest }: Knowledge,
  earlier: ReadonlyMap<number, Float64Array>,
): Float64Array | undefined {
  const { number, link, unit, memory } = variable;
  const raw = forecast.values.get(number);
  if (raw === undefined) return undefined;
  if (number === F.humidity) return humidities(raw, earlier);
  if (link === undefined) return undefined;
  const errors = learned.get(number);
  const values = raw.map((value, index) => {
    const time = forecast.times[index] as number;
    const lead = leadClass(time - forecast.issued);
    const filter = errors?.[lead]?.biases[biasPart(variable, time, place)];
    if (filter === undefined || Number.isNaN(value)) return value;
    return bounded(variable, withoutError(link, unit, value, filter.bias));
  });
  const observed = newest.get(number);
  if (memory === undefined || observed === undefined) return values;
  const error = observed - valueAt(forecast.times, values, forecast.issued);
  if (Number.isNaN(error)) return values;
  return values.map((value, index) => {
    const hours = ((forecast.times[index] as number) - forecast.issued) / MILLISECONDS.hour;
    if (hours < 0 || hours > MEMORIES * memory) return value;
    return bounded(variable, value + error * Math.exp(-hours / memory));
  });
}

/** The index of the bias that a forecast value has. */
export function biasPart(
  { biasBy = 'part' }: ForecastVariable,
  time: number,
  { latitude, longitude }: ForecastPlace,
): number {
  if (biasBy === 'height') {
    const sine = sineOfAltitude(sunAt(time - MILLISECONDS.hour / 2, longitude), latitude);
    return Math.min(PARTS_OF_DAY - 1, Math.max(0, Math.floor(sine * PARTS_OF_DAY)));
  }
  return partOfDay(time, longitude);
}

/** Relative humidity of corrected temperatures and dew points. */
function humidities(raw: Float64Array, corrected: ReadonlyMap<number, Float64Array>): Float64Array {
  const [temperatures, dewPoints] = [corrected.get(F.temperature), corrected.get(F.dewPoint)];
  return raw.map((value, index) => {
    const [temperature, dewPoint] = [temperatures?.[index] ?? Number.NaN, dewPoints?.[index] ?? Number.NaN];
    const humidity = (100 * saturationVaporPressure(dewPoint)) / saturationVaporPressure(temperature);
    return Number.isNaN(humidity) ? value : bounded(forecastVariable(F.humidity), humidity);
  });
}

/** The value at a time between two hours. NaN if it is outside of the forecast. */
function valueAt(times: Float64Array, values: Float64Array, time: number): number {
  const after = times.findIndex((one) => one >= time);
  if (after < 0) return Number.NaN;
  const [end, value] = [times[after] as number, values[after] as number];
  if (end === time || after === 0) return end - time <= MILLISECONDS.hour ? value : Number.NaN;
  const [begin, before] = [times[after - 1] as number, values[after - 1] as number];
  return before + ((value - before) * (time - begin)) / (end - begin);
}

function bounded({ min = -Infinity, max = Infinity }: ForecastVariable, value: number): number {
  return Number.isNaN(value) ? value : Math.min(max, Math.max(min, value));
}
