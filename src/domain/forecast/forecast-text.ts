import { MILLISECONDS } from '../time.js';
import { publishedValues } from './correct.js';
import type { IssuedForecast } from './forecast.js';
import { forecastVariable } from './forecast-variables.js';
import { LEADS } from './leads.js';
import { packedNumbers, unpackedNumbers } from './packed-numbers.js';

/** A stored forecast. Keys are short, because there are thousands. Columns are by number of the variable. */
interface StoredForecast {
  /** Time of issue, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly i: number;
  /** Number of hours, and the hours since 1970 minus their index, so that hours that follow each other are equal. */
  readonly n: number;
  readonly t: string;
  /** The forecast. */
  readonly v: Readonly<Record<string, string>>;
  /** The corrected values minus the forecast, and the bounds minus the published values. */
  readonly c: Readonly<Record<string, string>>;
  readonly l: Readonly<Record<string, string>>;
  readonly h: Readonly<Record<string, string>>;
  /** For each class of leads 1 if the corrected values are published, otherwise 0. */
  readonly p: Readonly<Record<string, string>>;
  /** 1 for an imported forecast. */
  readonly f?: 1;
}

/** Rounds the columns of a forecast to the decimals that are stored, so that what is published is what is stored. */
export function roundedForecast(forecast: IssuedForecast): IssuedForecast {
  const round = (columns: ReadonlyMap<number, Float64Array>) =>
    new Map(
      [...columns].map(([number, column]) => {
        const scale = 10 ** forecastVariable(number).decimals;
        return [number, column.map((value) => Math.round(value * scale) / scale)];
      }),
    );
  return {
    ...forecast,
    values: round(forecast.values),
    corrected: round(forecast.corrected),
    low: round(forecast.low),
    high: round(forecast.high),
  };
}

/** @param forecast rounded, see `roundedForecast`; its hours are whole hours */
export function forecastText(forecast: IssuedForecast): string {
  const { issued, times, values, corrected, low, high, published, isImported } = forecast;
  const texts = (columns: ReadonlyMap<number, Float64Array>, base?: ReadonlyMap<number, Float64Array>) =>
    Object.fromEntries(
      [...columns].map(([number, column]) => {
        const from = base?.get(number);
        const shown =
          from === undefined ? column : column.map((value, index) => value - (from[index] as number));
        return [number, packedNumbers(shown, forecastVariable(number).decimals)];
      }),
    );
  const shown = new Map([...corrected.keys()].map((number) => [number, publishedValues(forecast, number)]));
  const stored: StoredForecast = {
    i: issued,
    n: times.length,
    t: packedNumbers(
      times.map((time, index) => time / MILLISECONDS.hour - index),
      0,
    ),
    v: texts(values),
    c: texts(corrected, values),
    l: texts(low, shown),
    h: texts(high, shown),
    p: Object.fromEntries([...published].map(([number, leads]) => [number, leads.map(Number).join('')])),
    ...(isImported && { f: 1 }),
  };
  return JSON.stringify(stored);
}

/** The time of issue of a stored forecast, without reading its columns. NaN for another text. */
export function issuedIn(text: string): number {
  return Number(/^\{"i":(\d{1,16})\b/.exec(text)?.[1] ?? Number.NaN);
}

/** @throws Error if the text is not the result of `forecastText` */
export function forecastIn(text: string): IssuedForecast {
  return readForecast(text);
}

/** The columns of one variable of a stored forecast. @throws Error if the text is not the result of `forecastText` */
export function forecastOfVariable(text: string, number: number): IssuedForecast {
  return readForecast(text, number);
}

/** Largest number of hours of a stored forecast. It limits the memory that a damaged number can ask for. */
const MAX_HOURS = 100_000;

/** @param only number of the only variable whose columns are read; by default all are */
function readForecast(text: string, only?: number): IssuedForecast {
  const { i: issued, n: length, t, v, c, l, h, p, f } = JSON.parse(text) as StoredForecast;
  if (!Number.isSafeInteger(issued) || !Number.isSafeInteger(length) || length < 1 || length > MAX_HOURS)
    throw new Error('the time or the number of hours is damaged');
  const columns = (texts: Readonly<Record<string, string>>, base?: ReadonlyMap<number, Float64Array>) =>
    new Map(
      Object.entries(only === undefined ? texts : { [only]: texts[only] }).flatMap(([key, packed]) => {
        if (packed === undefined) return [];
        const { number, decimals } = forecastVariable(Number(key));
        const [column, from] = [unpackedNumbers(packed, decimals, length), base?.get(number)];
        if (from === undefined) return [[number, column] as const];
        const scale = 10 ** decimals;
        const added = column.map(
          (value, index) => Math.round((value + (from[index] as number)) * scale) / scale,
        );
        return [[number, added] as const];
      }),
    );
  const times = unpackedNumbers(t, 0, length).map((hours, index) => (hours + index) * MILLISECONDS.hour);
  if (!times.every((time, index) => time > (times[index - 1] ?? -Infinity)))
    throw new Error('the hours are damaged');
  const values = columns(v);
  const forecast = {
    issued,
    isImported: f === 1,
    times,
    values,
    corrected: columns(c, values),
    published: new Map(Object.entries(p).map(([key, leads]) => [Number(key), leadsIn(leads)])),
  };
  const shown = new Map(
    [...forecast.corrected.keys()].map((number) => [number, publishedValues(forecast, number)]),
  );
  return { ...forecast, low: columns(l, shown), high: columns(h, shown) };
}

/** For each class of leads, whether the corrected values are published. */
function leadsIn(text: string): readonly boolean[] {
  if (text.length !== LEADS.length || !/^[01]*$/.test(text))
    throw new Error('the classes of leads are damaged');
  return Array.from(text, (one) => one === '1');
}
