import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Forecast } from '#domain/forecast/forecast.js';
import { FORECAST_VARIABLES, forecastVariableNamed } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS, parseInstant } from '#domain/time.js';
import { converter } from '#domain/weather/units.js';

/** Number of forecasts that are handed over at once. */
const FORECASTS_AT_ONCE = 500;

/** No quantity of the weather is larger in its unit. The largest is a visibility in meters. */
const LARGEST = 1e6;

interface Column {
  readonly number: number;
  readonly stored: (value: number) => number;
}

/** A forecast that is being read. */
interface OpenForecast {
  readonly issued: number;
  readonly hours: Map<number, readonly number[]>;
}

/**
 * Reads a CSV file of past forecasts, whose first line is `issued,time,VARIABLE[:UNIT],…`. A file whose rows of one
 * forecast stand together is read fastest.
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z. A forecast that is issued later is refused
 * @throws Error that names the file and the line
 */
export async function* readForecastFile(file: string, now = Date.now()): AsyncGenerator<readonly Forecast[]> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let columns: readonly Column[] | undefined;
  let open: OpenForecast | undefined;
  let [number, ready]: [number, Forecast[]] = [0, []];
  for await (const line of lines) {
    number += 1;
    const cells = line
      .replace(/^\uFEFF/, '')
      .split(',')
      .map((cell) => cell.trim());
    const fail = (reason: string) => new Error(`${file}, line ${number}: ${reason}`);
    if (columns === undefined) {
      columns = columnsOf(cells, fail);
      continue;
    }
    if (line.trim() === '') continue;
    const [issued, time] = [parseInstant(cells[0] ?? ''), parseInstant(cells[1] ?? '')];
    if (Number.isNaN(issued) || Number.isNaN(time))
      throw fail(
        'the first two cells are the time of issue and the time of the forecast, such as 2026-11-27T06:00:00Z.',
      );
    if (time % MILLISECONDS.hour !== 0) throw fail(`${cells[1]} is not a whole hour.`);
    if (cells.length !== columns.length + 2)
      throw fail(`there are ${cells.length} cells instead of ${columns.length + 2}.`);
    const values = columns.map(({ stored }, index) => {
      const text = cells[index + 2] ?? '';
      const value = text === '' ? Number.NaN : Number(text);
      if (text !== '' && !Number.isFinite(value)) throw fail(`${JSON.stringify(text)} is not a number.`);
      if (Math.abs(value) > LARGEST) throw fail(`${text} is too large for a value of the weather.`);
      return stored(value);
    });
    if (open !== undefined && open.issued !== issued) {
      ready.push(forecastOf(open, columns));
      open = undefined;
      if (ready.length >= FORECASTS_AT_ONCE) {
        yield ready;
        ready = [];
      }
    }
    if (issued > now) throw fail(`${cells[0]} is later than now.`);
    open ??= { issued, hours: new Map() };
    open.hours.set(time, values);
  }
  if (columns === undefined) throw new Error(`${file} is empty.`);
  if (open !== undefined) ready.push(forecastOf(open, columns));
  if (ready.length > 0) yield ready;
}

function columnsOf(
  [issued, time, ...headings]: readonly string[],
  fail: (reason: string) => Error,
): readonly Column[] {
  if (issued !== 'issued' || time !== 'time' || headings.length === 0)
    throw fail('the first line is issued,time and the names of variables: issued,time,air_temperature:°C.');
  return headings.map((heading) => {
    const [name = '', unit] = heading.split(':');
    const variable = forecastVariableNamed(name);
    if (variable === undefined)
      throw fail(
        `${JSON.stringify(name)} is not a variable of forecasts. The variables are ${FORECAST_VARIABLES.map((one) => one.name).join(', ')}.`,
      );
    const convert = converter(variable, unit ?? variable.unit, 'stored');
    return { number: variable.number, stored: (value) => (Number.isNaN(value) ? value : convert(value)) };
  });
}

function forecastOf({ issued, hours }: OpenForecast, columns: readonly Column[]): Forecast {
  const rows = [...hours].toSorted(([a], [b]) => a - b);
  return {
    issued,
    times: Float64Array.from(rows, ([time]) => time),
    values: new Map(
      columns.map(({ number }, index) => [
        number,
        Float64Array.from(rows, ([, values]) => values[index] ?? Number.NaN),
      ]),
    ),
  };
}
