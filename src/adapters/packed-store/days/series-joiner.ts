import { mergeAll } from '#domain/weather/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { isDaily } from '#domain/weather/variables.js';
import { stationOf } from './daily-series.js';

/** Rows of a series. Parts are in the order of the stations, and the parts of a station are in the order of time. */
export type SeriesPart = readonly [series: number, rows: Series];

/** Puts the daily values of some stations into the rows of their reports, so that values of the same time are in one row. */
export class SeriesJoiner {
  readonly #days: AsyncIterator<SeriesPart>;
  /** The daily values that were read and not used yet. Undefined at the end. */
  #next: SeriesPart | undefined;
  #isStarted = false;

  /** @param days daily values, by number of the series */
  constructor(days: AsyncIterable<SeriesPart>) {
    this.#days = days[Symbol.asyncIterator]();
  }

  /** Adds the next reports. Yields them with the daily values up to their last row, after daily values that come before them. */
  async *add([station, reports]: SeriesPart): AsyncGenerator<SeriesPart> {
    const last = reports.times.at(-1);
    if (last === undefined) return;
    yield* this.#before(station);
    let joined = reports;
    while (stationOf((await this.#peek())?.[0] ?? -1) === station) {
      const [series, rows] = this.#next as SeriesPart;
      const end = lowerBound(rows.times, last + 1);
      joined = joinSeries(joined, sliceSeries(rows, 0, end));
      if (end < rows.times.length) {
        this.#next = [series, sliceSeries(rows, end, rows.times.length)];
        break;
      }
      await this.#advance();
    }
    yield [station, joined];
  }

  /** Yields the daily values that are left. */
  rest(): AsyncGenerator<SeriesPart> {
    return this.#before(Infinity);
  }

  async *#before(station: number): AsyncGenerator<SeriesPart> {
    for (let part = await this.#peek(); part !== undefined; part = await this.#peek()) {
      const own = stationOf(part[0]);
      if (own >= station) return;
      if (part[1].times.length > 0) yield [own, part[1]];
      await this.#advance();
    }
  }

  async #peek(): Promise<SeriesPart | undefined> {
    if (!this.#isStarted) await this.#advance();
    return this.#next;
  }

  async #advance(): Promise<void> {
    this.#isStarted = true;
    const { done, value } = await this.#days.next();
    this.#next = done === true ? undefined : value;
  }
}

/**
 * Joins reports and daily values of a station. Values of the same time are in one row. Usually there is a report at the end of
 * each day. The columns of the reports are then used without a copy.
 */
export function joinSeries(reports: Series, days: Series): Series {
  const { times } = reports;
  if (days.times.length === 0) return reports;
  const rows: number[] = [];
  for (const time of days.times) {
    const row = lowerBound(times, time, (rows.at(-1) ?? -1) + 1);
    if (times[row] !== time) return mergeAll([reports, days]);
    rows.push(row);
  }
  const spread = <T extends Float64Array | Uint8Array>(column: T, target: T): T => {
    for (const [index, row] of rows.entries()) target[row] = column[index] as number;
    return target;
  };
  // The rows of a commit have the columns of both series, so daily values may come with empty columns of reports.
  const values = new Map(reports.values);
  for (const [variable, column] of days.values)
    if (isDaily(variable))
      values.set(variable, spread(column, new Float64Array(times.length).fill(Number.NaN)));
  const flags = new Map(reports.flags);
  for (const [variable, column] of days.flags)
    if (isDaily(variable)) flags.set(variable, spread(column, new Uint8Array(times.length)));
  return { times, values, flags };
}
