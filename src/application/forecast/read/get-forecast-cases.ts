import { publishedValues } from '#domain/forecast/correct.js';
import type { ForecastVariable } from '#domain/forecast/forecast-variables.js';
import { leadBounds } from '#domain/forecast/leads.js';
import { observedHours } from '#domain/forecast/observed-hours.js';
import { REACH } from '#domain/weather/summaries/at-times.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import type { Series } from '#domain/weather/series.js';
import { reportingIntervalAt } from '#domain/weather/station-history.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { variableNamed } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Clock } from '../../ports/clock.js';
import type { ForecastProvider } from '../../ports/forecast-provider.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import { namingDamage } from '../damaged-forecasts.js';
import { unknownForecast } from '../forecast-orders.js';
import type { ForecastRecords } from '../forecast-records.js';
import type { FindShownSeries } from './shown-series.js';

/** Milliseconds after which observations are compared. Then late reports are there, and their quality is checked. */
const FINAL_AFTER = 90 * MILLISECONDS.minute;
/** Most days of a reply. Each of them costs the reading of one forecast. */
export const MAX_CASE_DAYS = 92;
/** Seconds between two rows of a station whose interval is unknown, for the expected number of rows. */
const SHORT_INTERVAL = 60;
/** Numbers of a forecast that is read, about: columns of one variable and 240 hours. */
const FORECAST_CELLS = 2000;

/** Which cases are read. */
export interface CaseRequest {
  /** A variable that is compared with observations. */
  readonly variable: ForecastVariable;
  /** Index in `LEADS`. */
  readonly lead: number;
  /** Hour of the local day, from 0 to 23. */
  readonly hour: number;
  /** Number of days up to now, at most `MAX_CASE_DAYS`. */
  readonly days: number;
}

/** What a request may hold and do: the part of a permit of the read gate that this read needs. */
export interface CasesPermit {
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Resolves when the read may begin. @param cells expected number of values in memory */
  acquire(cells: number): Promise<void>;
  /** Resolves in a later turn of the event loop. */
  turn(): Promise<void>;
}

/** A forecast of one hour, and what was observed. */
export interface ForecastCase {
  readonly time: number;
  readonly issued: number;
  /** The value of the provider, and the published one. */
  readonly raw: number;
  readonly published: number;
  /** The published bounds; NaN if there are none. */
  readonly low: number;
  readonly high: number;
  readonly observed: number;
}

/** The cases of a station, in the order of time. Days without a forecast or an observation that passed are left out. */
export interface ForecastCases {
  readonly station: Station;
  readonly provider: Pick<ForecastProvider, 'name' | 'attribution'>;
  readonly cases: readonly ForecastCase[];
}

export interface GetForecastCasesDependencies {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly stations: StationStore;
  readonly observations: ObservationStore;
  readonly records: ForecastRecords;
  readonly shown: FindShownSeries;
}

/** Reads single forecasts beside what was observed: for each of the last days, the newest forecast of a class of leads for one hour. */
export class GetForecastCases {
  readonly #with: GetForecastCasesDependencies;

  constructor(dependencies: GetForecastCasesDependencies) {
    this.#with = dependencies;
  }

  /**
   * @throws DomainError STATION_UNKNOWN, also if the audience does not see the station; FORECAST_UNKNOWN; DATA_DAMAGED; RATE_LIMITED or
   *   SERVICE_UNAVAILABLE if there are too many reads (`CasesPermit.acquire`)
   */
  async execute(
    id: string,
    request: CaseRequest,
    audience: Audience,
    permit: CasesPermit,
  ): Promise<ForecastCases> {
    const { stations, records, shown } = this.#with;
    const station = stationFor(audience, await findStation(stations, id));
    if (station === undefined) throw unknownStation(id);
    const found = await namingDamage(id, () => shown.execute(station.number));
    if (found === undefined) throw unknownForecast(id);
    const { series, provider } = found;
    const hours = this.#hours(station, request);
    const interval = reportingIntervalAt(station, hours[0] ?? 0) ?? SHORT_INTERVAL;
    await permit.acquire((request.days * MILLISECONDS.day) / 1000 / interval + FORECAST_CELLS);
    const observed = await this.#observed(station, request.variable, hours);
    const { from, to } = leadBounds(request.lead);
    const { number } = request.variable;
    const cases: ForecastCase[] = [];
    for (const [index, time] of hours.entries()) {
      const value = observed[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      if (permit.signal?.aborted === true) break;
      // oxlint-disable-next-line no-await-in-loop -- one forecast in memory at a time
      const forecast = await namingDamage(id, () => records.newest(series, time - from, to - from, number));
      const row = forecast?.times.indexOf(time) ?? -1;
      if (forecast === undefined || row < 0) continue;
      const raw = forecast.values.get(number)?.[row] ?? Number.NaN;
      if (Number.isNaN(raw)) continue;
      cases.push({
        time,
        issued: forecast.issued,
        raw,
        published: publishedValues(forecast, number)[row] as number,
        low: forecast.low.get(number)?.[row] ?? Number.NaN,
        high: forecast.high.get(number)?.[row] ?? Number.NaN,
        observed: value,
      });
      // oxlint-disable-next-line no-await-in-loop -- other requests continue between two forecasts
      await permit.turn();
    }
    return { station, provider, cases };
  }

  /** The whole hours next to the local hour of each day, whose observations are final. */
  #hours({ timeZone }: Station, { hour, days }: CaseRequest): Float64Array {
    const { calendar, clock } = this.#with;
    const end = clock.now() - FINAL_AFTER;
    const starts = calendar
      .buckets('day', timeZone, hour * 60, end - (days + 1) * MILLISECONDS.day, end)
      .map(({ start }) => Math.round(start / MILLISECONDS.hour) * MILLISECONDS.hour)
      .filter((time) => time <= end);
    return Float64Array.from(starts.slice(-days));
  }

  /** What was observed at the hours. NaN if there is no value that passed. */
  async #observed(station: Station, { number, name }: ForecastVariable, hours: Float64Array) {
    const [first, last] = [hours[0] ?? 0, hours.at(-1) ?? 0];
    const batches: Series[] = [];
    const query = {
      stations: [station.number],
      from: first - MILLISECONDS.hour - REACH,
      to: last + REACH + 1,
      variables: [variableNamed(name)?.number as number],
    };
    for await (const batch of this.#with.observations.read(query)) batches.push(batch);
    const observed = observedHours(concatenate(batches), hours, reportingIntervalAt(station, first));
    return observed.get(number) as Float64Array;
  }
}
