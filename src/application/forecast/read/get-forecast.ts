import { publishedValues } from '#domain/forecast/correct.js';
import { isDomainError } from '#domain/domain-error.js';
import { type DayAhead, daysAhead, type MeasuredDay } from '#domain/forecast/days-ahead.js';
import type { IssuedForecast } from '#domain/forecast/forecast.js';
import type { LearnedErrors } from '#domain/forecast/learned-errors.js';
import { MILLISECONDS } from '#domain/time.js';
import { verdictOf } from '#domain/weather/series.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { variableNamed } from '#domain/weather/variables.js';
import { zoneOf } from '../../asked-zone.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Clock } from '../../ports/clock.js';
import type { ForecastProvider } from '../../ports/forecast-provider.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import { namingDamage, unlessDamaged } from '../damaged-forecasts.js';
import { unknownForecast } from '../forecast-orders.js';
import type { ForecastRecords, ForecastSeries } from '../forecast-records.js';
import type { FindShownSeries } from './shown-series.js';

/** Milliseconds after its issue for which a forecast is shown if the provider gives no newer one. */
export const FORECAST_MAX_AGE = 2 * MILLISECONDS.day;
/** Milliseconds before an asked time of issue that are searched. */
const REACH = 30 * MILLISECONDS.day;

const TEMPERATURE = variableNamed('air_temperature')?.number as number;

/** A forecast as it is shown. */
export interface ShownForecast {
  readonly station: Station;
  readonly provider: Pick<ForecastProvider, 'name' | 'title' | 'model' | 'attribution' | 'isSimulated'>;
  readonly forecast: IssuedForecast;
  /** The published values, by number of the variable of forecasts. */
  readonly published: ReadonlyMap<number, Float64Array>;
  /** Number of cases that were learned, by number of the variable of forecasts; empty if they are damaged. */
  readonly cases: ReadonlyMap<number, number>;
  /** The local days of the asked time zone, from the day on in which the forecast is shown. */
  readonly days: readonly DayAhead[];
}

export interface GetForecastDependencies {
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly stations: StationStore;
  readonly observations: ObservationStore;
  readonly records: ForecastRecords;
  readonly shown: FindShownSeries;
}

/** Reads the newest forecast of a station, or the one that was shown at a time. */
export class GetForecast {
  readonly #with: GetForecastDependencies;

  constructor(dependencies: GetForecastDependencies) {
    this.#with = dependencies;
  }

  /** Time of issue of the forecast that is shown of a station now; null if there is none. */
  async issueOf({ number }: Pick<Station, 'number'>): Promise<number | null> {
    const { clock, records, shown } = this.#with;
    const found = await unlessDamaged(shown.ordered(number));
    return (found && (await records.newestIssue(found.series, clock.now(), FORECAST_MAX_AGE))) ?? null;
  }

  /**
   * @param issued a time, for the newest forecast that was issued up to it; undefined for the newest one
   * @param timeZone of the days: as in `zoneOf`
   * @throws DomainError STATION_UNKNOWN, also if the audience does not see the station; FORECAST_UNKNOWN if there is no forecast, or only
   *   one that is too old; DATA_DAMAGED if the forecast of the asked time is damaged, or all that are new enough;
   *   REQUEST_INVALID for a name that is not a time zone
   */
  async execute(
    id: string,
    issued: number | undefined,
    audience: Audience = 'everybody',
    timeZone = 'station',
  ): Promise<ShownForecast> {
    const { clock, calendar, stations, records, shown } = this.#with;
    const station = stationFor(audience, await findStation(stations, id));
    if (station === undefined) throw unknownStation(id);
    const zone = zoneOf(calendar, station, timeZone);
    const found = await namingDamage(id, () => shown.execute(station.number));
    // After the order was removed, only the forecasts of the past are shown.
    if (found === undefined || (issued === undefined && !found.isOrdered)) throw unknownForecast(id);
    const { series, provider } = found;
    const now = issued ?? clock.now();
    const forecast = await namingDamage(id, () =>
      issued === undefined ? this.#current(series, now) : records.newest(series, issued, REACH),
    );
    if (forecast === undefined) throw unknownForecast(id);
    // The published values are those of the issue, so a forecast is also shown if what was learned is damaged.
    const learned = await unlessDamaged(records.learned(series));
    const published = new Map(
      [...forecast.values.keys()].map((number) => [number, publishedValues(forecast, number)]),
    );
    const end = (forecast.times.at(-1) ?? forecast.issued) + 1;
    const days = now < end ? calendar.buckets('day', zone, 0, now, end) : [];
    const measured = days[0] && (await this.#measured(station, days[0].start, now));
    return {
      station,
      provider,
      forecast,
      published,
      days: daysAhead(forecast.times, published, days, { ...station, now, measured }),
      cases: new Map(
        [...(learned?.learned.errors ?? [])].map(([number, errors]) => [number, casesOf(errors)]),
      ),
    };
  }

  /** The newest forecast that can be read. @throws DamagedForecasts if only damaged ones are new enough */
  async #current(series: ForecastSeries, now: number): Promise<IssuedForecast | undefined> {
    const { records } = this.#with;
    return (
      (await records.newestReadable(series, now, FORECAST_MAX_AGE)) ??
      (await records.newest(series, now, FORECAST_MAX_AGE))
    );
  }

  /** The extremes of the temperatures that passed; undefined if there are none, or if some are damaged. */
  async #measured({ number }: Station, from: number, to: number): Promise<MeasuredDay | undefined> {
    let [until, minimum, maximum] = [-Infinity, Infinity, -Infinity];
    try {
      for await (const { times, values, flags } of this.#with.observations.read({
        stations: [number],
        from,
        to,
        variables: [TEMPERATURE],
      }))
        for (const [row, value] of values.get(TEMPERATURE)?.entries() ?? []) {
          if (Number.isNaN(value) || verdictOf(flags.get(TEMPERATURE)?.[row] ?? 0) !== 'pass') continue;
          until = times[row] as number;
          minimum = Math.min(minimum, value);
          maximum = Math.max(maximum, value);
        }
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
      return undefined;
    }
    return until === -Infinity ? undefined : { until, minimum, maximum };
  }
}

function casesOf(errors: LearnedErrors): number {
  return errors.reduce((sum, { cases }) => sum + cases, 0);
}
