import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { DEFAULT_REPORTING_INTERVAL } from '#domain/weather/current/silence.js';
import { type Today, todayOf } from '#domain/weather/current/today.js';
import {
  TREND_TIME,
  TREND_TOLERANCE,
  TREND_VARIABLES,
  type Trend,
  trendOf,
} from '#domain/weather/current/trend.js';
import { orderRows } from '#domain/weather/row-order.js';
import { EMPTY_SERIES, type Series, sliceSeries } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import type { Permit } from '../gate/permit.js';

/** Number of stations that are summarized in one turn of the event loop, which takes about 10 ms. */
const STATIONS_OF_TURN = 8;

/** Totals of the current day and trends of the last hours of a station. */
export interface Recent {
  readonly today: Today;
  /** The trends by number of the variable; null if a trend is unknown. */
  readonly trends: ReadonlyMap<number, Trend | null>;
}

/**
 * Length of the time before `now` in which rows are read for trends, in ms. A trend is the change from an earlier value to the
 * newest value. The newest value may be up to `TREND_TIME` old, and the earlier value is `TREND_TIME` older, with a deviation of
 * at most `TREND_TOLERANCE`.
 */
const TREND_REACH = 2 * TREND_TIME + TREND_TOLERANCE;
/** Length of the longest day of a time zone, in ms. */
const MAX_DAY = 25 * MILLISECONDS.hour;
/** Number of variables of a station that the estimate in `cellsOf` assumes. */
const DEFAULT_VARIABLES = 12;

/** Reads the totals since local midnight and the trends of the last hours. */
export class ReadRecent {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;

  constructor(calendar: Calendar, observations: ObservationStore) {
    this.#calendar = calendar;
    this.#observations = observations;
  }

  /** Estimated number of cells (values of rows) that `execute` reads. */
  cellsOf(stations: readonly Station[]): number {
    const seconds = MAX_DAY / MILLISECONDS.second;
    return stations.reduce(
      (sum, { reportingInterval }) =>
        sum + Math.ceil(seconds / (reportingInterval ?? DEFAULT_REPORTING_INTERVAL)) * DEFAULT_VARIABLES,
      0,
    );
  }

  /**
   * @param now in milliseconds since 1970-01-01T00:00:00Z; later rows are ignored
   * @returns the totals and trends by number of the station
   * @throws DomainError DATA_DAMAGED if some of the rows are damaged
   */
  async execute(
    stations: readonly Station[],
    now: number,
    permit: Permit,
  ): Promise<ReadonlyMap<number, Recent>> {
    const midnightOf = this.#midnights(now);
    const starts = new Map(stations.map((station) => [station.number, midnightOf(station.timeZone)]));
    const from = Math.min(...starts.values(), now - TREND_REACH);
    const recent = (station: Station, parts: readonly Series[]): Recent => {
      const series = concatenate(parts);
      const trends = TREND_VARIABLES.map((variable) => [variable, trendOf(series, variable, now)] as const);
      const today = todayOf(series, station, starts.get(station.number) as number, now);
      return { today, trends: new Map(trends) };
    };
    const found = new Map(stations.map((station) => [station.number, recent(station, [EMPTY_SERIES])]));
    const byNumber = new Map(stations.map((station) => [station.number, station]));
    // The rows of a station are complete when the rows of the next station begin.
    let open: { readonly number: number; readonly parts: Series[] } | undefined;
    let closed = 0;
    const close = async () => {
      if (open === undefined) return;
      found.set(open.number, recent(byNumber.get(open.number) as Station, open.parts));
      closed += 1;
      if (closed % STATIONS_OF_TURN === 0) await permit.turn();
    };
    const query = { stations: [...byNumber.keys()], from, to: now + 1 };
    for await (const { stations: numbers, ...series } of this.#observations.read(query)) {
      permit.signal?.throwIfAborted();
      for (const { station: number, from: begin, to: end } of orderRows({ stations: numbers, ...series })
        .groups) {
        if (open?.number !== number) {
          await close();
          open = { number, parts: [] };
        }
        open.parts.push(sliceSeries(series, begin, end));
      }
      await permit.turn();
    }
    await close();
    return found;
  }

  /**
   * Reads the same as `execute`, but leaves out the stations with damaged rows. It finds these stations by dividing the list into
   * halves.
   */
  async readable(
    stations: readonly Station[],
    now: number,
    permit: Permit,
  ): Promise<ReadonlyMap<number, Recent>> {
    try {
      return await this.execute(stations, now, permit);
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
      if (stations.length <= 1) return new Map();
      const middle = stations.length >>> 1;
      const first = await this.readable(stations.slice(0, middle), now, permit);
      return new Map([...first, ...(await this.readable(stations.slice(middle), now, permit))]);
    }
  }

  /** Returns a function that finds the first instant of the current day in a time zone. */
  #midnights(now: number): (timeZone: string) => number {
    const known = new Map<string, number>();
    return (timeZone) => {
      const found = known.get(timeZone);
      if (found !== undefined) return found;
      const date = this.#calendar.format(now, timeZone).slice(0, 10);
      const start = this.#calendar.startOfDay(date, timeZone, 0);
      known.set(timeZone, start);
      return start;
    };
  }
}
