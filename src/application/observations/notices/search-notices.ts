import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { DatedTableBuilder } from '#domain/weather/quality/notices/dated-table.js';
import type { NoticeSpan } from '#domain/weather/quality/notices/notice-check.js';
import { HourTableBuilder } from '#domain/weather/quality/notices/hour-table.js';
import type { NeighborHours } from '#domain/weather/quality/notices/notice-check.js';
import { renewedNotices } from '#domain/weather/quality/notices/renewed-notices.js';
import { type Notice, touches } from '#domain/weather/quality/notices/notice.js';
import { stationAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { isCheckable } from '#domain/weather/stations/stored-station.js';
import { V } from '#domain/weather/variables.js';
import type { NoticeFinder } from '../../ports/notice-finder.js';
import { readableSpan } from '../read/observation-query.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { Neighbors } from '../recheck/neighbors.js';
import { GRID } from './due-searches.js';
import type { TimeRange } from './notice-records.js';

/** Time before and after a range whose values are compared, in ms: twice the days of the longest window. */
const MARGIN = 4 * GRID;
/** Maximum length in ms of a range that is searched at once. It limits the memory for the hours of neighbors. */
const MAX_RANGE = 12 * GRID;
/** Shortest time in ms between the first and the last value of a station whose years are compared. */
const MIN_YEARS = 900 * MILLISECONDS.day;
/** Years of a station that are compared with each other. They limit the memory. */
const MAX_YEARS = 80 * 366 * MILLISECONDS.day;
/** The range of the values of a station without values. */
const NO_VALUES: TimeRange = { from: Infinity, to: -Infinity };
const DAILY_VARIABLES = [V.dailyMaximum, V.dailyMinimum, V.dailyPrecipitation, V.dailySnow];
const VARIABLES_OF_YEARS = [
  V.temperature,
  V.dewPoint,
  V.pressure,
  V.seaLevelPressure,
  V.precipitation,
  ...DAILY_VARIABLES,
];
const VARIABLES_OF_WEEKS = [
  V.temperature,
  V.dewPoint,
  V.humidity,
  V.pressure,
  V.seaLevelPressure,
  V.windSpeed,
  V.precipitation,
  V.radiation,
  ...DAILY_VARIABLES,
];
/** Maximum number of neighbors, the nearest ones. */
const MAX_NEIGHBORS = 10;

/** Maximum number of kept tables. A table of a year takes half a megabyte. */
const MAX_KEPT = 64;

/** The hours and the published daily values of a station. */
type StationTables = Omit<NeighborHours, 'number'>;

/** Keeps the values of neighbors during a round, because near stations share neighbors. */
export class NeighborHoursCache {
  readonly #tables = new Map<string, StationTables>();

  async of(
    number: number,
    { from, to }: TimeRange,
    read: () => Promise<StationTables>,
  ): Promise<StationTables> {
    const key = `${number} ${from} ${to}`;
    const tables = this.#tables.get(key) ?? (await read());
    // A table that is used again becomes the newest one.
    this.#tables.delete(key);
    this.#tables.set(key, tables);
    const [oldest] = this.#tables.keys();
    if (this.#tables.size > MAX_KEPT && oldest !== undefined) this.#tables.delete(oldest);
    return tables;
  }
}

export interface SearchOptions {
  /** Called between pieces of the work. */
  readonly pause: () => Promise<void>;
  /** Keeps the hours of neighbors for the searches of other stations. */
  readonly hours?: NeighborHoursCache;
}

export interface SearchNoticesDependencies {
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly neighbors: Neighbors;
  readonly finder: NoticeFinder;
}

/** Finds the notices of a station from its stored values and those of its neighbors. */
export class SearchNotices {
  readonly #with: SearchNoticesDependencies;

  constructor(dependencies: SearchNoticesDependencies) {
    this.#with = dependencies;
  }

  /**
   * Searches the notices that touch a range.
   *
   * @param before the notices that were found earlier
   * @param spans which checks are run
   * @returns `before` with the notices of the range replaced; an empty list for an unknown station
   */
  async execute(
    number: number,
    before: readonly Notice[],
    range: TimeRange,
    spans: readonly NoticeSpan[],
    { pause, hours = new NeighborHoursCache() }: SearchOptions,
  ): Promise<readonly Notice[]> {
    const directory = await this.#with.directory.current();
    const station = directory.byNumber.get(number);
    const [inventory] = station === undefined ? [] : await this.#with.observations.inventory([number]);
    if (station === undefined || !isCheckable(station)) return [];
    const { first, last } = inventory === undefined ? { first: null, last: null } : readableSpan(inventory);
    const all =
      first === null || last === null ? NO_VALUES : { from: Math.max(first, last - MAX_YEARS), to: last + 1 };
    // The notices of values that were removed.
    const isWithout = ({ since, until }: Notice) => since >= all.to || (until ?? Infinity) <= all.from;
    let notices = before.filter((notice) => !(touches(notice, range) && isWithout(notice)));
    if (spans.includes('years')) {
      const found = await this.#years(station, all, range);
      notices = renewedNotices(notices, found, { range, begin: all.from, spans: ['years'] });
    }
    if (!spans.includes('weeks')) return notices;
    const begin = Math.max(range.from, Math.floor(all.from / GRID) * GRID);
    const end = Math.min(range.to, all.to);
    for (let from = begin; from < end; from += MAX_RANGE) {
      await pause();
      const part = { from, to: Math.min(range.to, from + MAX_RANGE) };
      const found = await this.#weeks(station, part, pause, hours);
      notices = renewedNotices(notices, found, { range: part, begin: from - MARGIN, spans: ['weeks'] });
    }
    return notices;
  }

  async #years(station: Station, all: TimeRange, range: TimeRange): Promise<readonly Notice[]> {
    if (all.to - all.from < MIN_YEARS) return [];
    return await this.#find(station, all, range, 'years', VARIABLES_OF_YEARS, []);
  }

  async #weeks(
    station: Station,
    range: TimeRange,
    pause: () => Promise<void>,
    hours: NeighborHoursCache,
  ): Promise<readonly Notice[]> {
    const window = { from: range.from - MARGIN, to: range.to + MARGIN };
    const neighbors: NeighborHours[] = [];
    if (isWhereItIsNow(station, window.from)) {
      const { byNumber } = await this.#with.directory.current();
      for (const { number } of (await this.#with.neighbors.of(station)).slice(0, MAX_NEIGHBORS)) {
        const neighbor = byNumber.get(number);
        if (neighbor === undefined || !isCheckable(neighbor) || !isWhereItIsNow(neighbor, window.from))
          continue;
        const read = async () => await this.#read(neighbor, window, VARIABLES_OF_WEEKS);
        const { table, published } = await hours.of(number, window, read);
        if (table.columns.size + published.columns.size > 0) neighbors.push({ number, table, published });
        await pause();
      }
    }
    return await this.#find(station, window, range, 'weeks', VARIABLES_OF_WEEKS, neighbors);
  }

  async #find(
    station: Station,
    window: TimeRange,
    range: TimeRange,
    span: NoticeSpan,
    variables: readonly number[],
    neighbors: readonly NeighborHours[],
  ): Promise<readonly Notice[]> {
    const { table, published } = await this.#read(station, window, variables);
    const { latitude, longitude } = stationAt(station, window.from);
    const input = { own: table, neighbors, published, position: { latitude, longitude } };
    return await this.#with.finder.findNotices({ input, range, span });
  }

  /** Reads the hours and the published daily values of a station. Damaged rows end the reading, so that the rest of the hours is absent. */
  async #read(
    station: Station,
    { from, to }: TimeRange,
    variables: readonly number[],
  ): Promise<StationTables> {
    const { number } = station;
    const hours = new HourTableBuilder(from, to);
    const days = new DatedTableBuilder(from, to, stationAt(station, from).longitude);
    try {
      for await (const part of this.#with.observations.read({ stations: [number], from, to, variables })) {
        hours.add(part);
        days.add(part);
      }
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
    }
    return { table: hours.table(), published: days.table() };
  }
}

function isWhereItIsNow(station: Station, time: number): boolean {
  const then = stationAt(station, time);
  return then.latitude === station.latitude && then.longitude === station.longitude;
}
