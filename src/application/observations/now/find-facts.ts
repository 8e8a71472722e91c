import { MILLISECONDS } from '#domain/time.js';
import { compareWithUsual, type Unusual, type Usual } from '#domain/weather/climate/unusual.js';
import { isRaining, isGauged, lastRainSpell, type RainSpell } from '#domain/weather/current/rain-spell.js';
import { DEFAULT_REPORTING_INTERVAL, isStale, SILENT_INTERVALS } from '#domain/weather/current/silence.js';
import { temperatureNow, type TemperatureNow } from '#domain/weather/current/temperature-now.js';
import { TREND_TIME } from '#domain/weather/current/trend.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { EMPTY_SERIES, lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { reportingIntervalAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { recordedYear } from '#domain/weather/stations/demo.js';
import { isEnough } from '#domain/weather/summaries/completeness.js';
import { RoutineReports } from '#domain/weather/summaries/routine-interval.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { MAX_YEARS, type ReadClimateDays } from '../climate/read-climate-days.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { expectedRows } from '../read/observation-query.js';
import { ResultsByVersion } from '../read/results-by-version.js';
import type { FindLastRain } from './find-last-rain.js';

/** Milliseconds before the newest row in which a long spell of rain is searched. */
const MAX_SPELL = 10 * MILLISECONDS.day;
const VARIABLES = [V.temperature, V.precipitation];
/** Maximum number of stations whose facts are kept. */
const MAX_KEPT = 1000;

/** Whether a station reports: `waiting` before its first row, `silent` if its newest row is old. */
export type StationReports = 'live' | 'silent' | 'waiting';

/** The facts that are known about the present weather of a station. */
export interface Facts {
  readonly temperature: TemperatureNow | undefined;
  /** The present rain; undefined if it does not rain or if this is unknown. */
  readonly rain: RainSpell | undefined;
  /** The end of the last rain; undefined if it rains or if it is unknown. */
  readonly drySince: number | undefined;
  /** The comparison of the last 24 hours with the date in all years. */
  readonly usual: Usual | Unusual | undefined;
}

const NO_FACTS: Facts = {
  temperature: undefined,
  rain: undefined,
  drySince: undefined,
  usual: undefined,
};

/** Whether a station reports at the time of its snapshot. */
export function reportsOf({ station, inventory, asOf }: StationSnapshot): StationReports {
  const { last } = inventory;
  if (last === null) return 'waiting';
  return isStale((asOf - last) / MILLISECONDS.second, station.reportingInterval) ? 'silent' : 'live';
}

/** Finds the facts of the weather at the time of the newest row of a station. They are kept until the data of the station change. */
export class FindFacts {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #days: ReadClimateDays;
  readonly #lastRain: FindLastRain;
  readonly #kept = new ResultsByVersion<Facts>(MAX_KEPT);

  constructor(
    calendar: Calendar,
    observations: ObservationStore,
    days: ReadClimateDays,
    lastRain: FindLastRain,
  ) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#days = days;
    this.#lastRain = lastRain;
  }

  /** @throws DomainError DATA_DAMAGED; RATE_LIMITED or SERVICE_UNAVAILABLE if there are too many reads (`Permit.acquire`) */
  async execute(described: StationSnapshot, permit: Permit = UNLIMITED): Promise<Facts> {
    const { station, version } = described;
    return await this.#kept.findOrCompute(String(station.number), version, () =>
      this.#find(described, permit),
    );
  }

  async #find(described: StationSnapshot, permit: Permit): Promise<Facts> {
    const { station, inventory } = described;
    const at = inventory.last;
    if (at === null) return NO_FACTS;
    // The rows begin at a midnight, because the days before them are searched for the last rain.
    const yesterday = this.#calendar.format(at - MILLISECONDS.day, station.timeZone).slice(0, 10);
    const from = this.#calendar.startOfDay(yesterday, station.timeZone, 0);
    const rows = await this.#read(described, from, VARIABLES, permit);
    const interval = intervalOf(station, rows, at);
    return {
      temperature: temperatureNow(rows, at, Math.max(TREND_TIME, SILENT_INTERVALS * interval)),
      ...(await this.#rain(described, rows, from, interval, permit)),
      usual: await this.#compare(described, rows, interval, permit),
    };
  }

  async #rain(
    described: StationSnapshot,
    rows: Series,
    from: number,
    interval: number,
    permit: Permit,
  ): Promise<Pick<Facts, 'rain' | 'drySince'>> {
    const at = described.inventory.last as number;
    const unknown = { rain: undefined, drySince: undefined };
    let spell = lastRainSpell(rows, interval);
    if (spell !== undefined && isRaining(spell, at, interval)) {
      if (spell.from - from < MILLISECONDS.hour) {
        const more = await this.#read(described, at - MAX_SPELL, [V.precipitation], permit);
        spell = lastRainSpell(more, interval);
      }
      return { ...unknown, rain: spell };
    }
    if (!isGauged(rows, spell?.to ?? from, at, interval)) return unknown;
    return { ...unknown, drySince: spell?.to ?? (await this.#lastRain.execute(described, from, permit)) };
  }

  async #compare(
    described: StationSnapshot,
    rows: Series,
    interval: number,
    permit: Permit,
  ): Promise<Usual | Unusual | undefined> {
    const { station, inventory } = described;
    // All years of such a station have the values of the same recorded year.
    if (recordedYear(station) !== undefined) return undefined;
    const at = inventory.last as number;
    const mean = meanOfDay(station, rows, at, interval);
    if (mean === undefined) return undefined;
    const date = this.#calendar.format(at, station.timeZone).slice(0, 10);
    const year = Number(date.slice(0, 4));
    const input = {
      years: { from: year - MAX_YEARS + 1, to: year },
      dayStart: 0,
      source: 'observations',
    } as const;
    const found = await this.#days.find(described, input, ['mean'], permit);
    return found && compareWithUsual(found.days.dates, found.days.known('mean'), date, mean);
  }

  /** Reads the rows from a time to the newest row. */
  async #read(
    { station, inventory }: StationSnapshot,
    from: number,
    variables: readonly number[],
    permit: Permit,
  ): Promise<Series> {
    const range = { from, to: (inventory.last as number) + 1 };
    await permit.acquire(expectedRows(inventory, range) * variables.length);
    const parts: Series[] = [];
    for await (const { times, values, flags } of this.#observations.read({
      stations: [station.number],
      ...range,
      variables,
    })) {
      permit.signal?.throwIfAborted();
      parts.push({ times, values, flags });
    }
    return parts.length === 0 ? EMPTY_SERIES : concatenate(parts);
  }
}

/** The reporting interval of a station in milliseconds. If it is unknown, the interval between the rows is used. */
function intervalOf(station: Station, rows: Series, at: number): number {
  const configured = reportingIntervalAt(station, at);
  if (configured !== null) return configured * MILLISECONDS.second;
  const reports = new RoutineReports();
  reports.add(rows);
  return Math.max(DEFAULT_REPORTING_INTERVAL * MILLISECONDS.second, ...reports.intervals().values());
}

/** The mean temperature of the 24 hours to `at`, if values of enough of this time passed quality control. */
function meanOfDay(station: Station, rows: Series, at: number, interval: number): number | undefined {
  const day = { start: at - MILLISECONDS.day + 1, end: at + 1 };
  const summaries = new Summaries([day], {
    variables: [V.temperature],
    reportingInterval: interval / MILLISECONDS.second,
    station,
  });
  summaries.add(sliceSeries(rows, lowerBound(rows.times, day.start), rows.times.length));
  const { count, mean, covered } = summaries.statistics(V.temperature, 0);
  return count > 0 && isEnough(variableNumbered(V.temperature), covered, MILLISECONDS.day) ? mean : undefined;
}
