import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { publishedDays } from '#domain/weather/quality/notices/dated-table.js';
import type { NoticeSpan } from '#domain/weather/quality/notices/notice-check.js';
import { type HourTable, HourTableBuilder } from '#domain/weather/quality/notices/hour-table.js';
import type { NeighborHours } from '#domain/weather/quality/notices/notice-check.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import { stationAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { isCheckable } from '#domain/weather/stations/stored-station.js';
import { V } from '#domain/weather/variables.js';
import type { NoticeFinder } from '../../ports/notice-finder.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { Neighbors } from '../recheck/neighbors.js';
import type { TimeRange } from './notice-records.js';

/** Time before and after a range whose values are compared, in ms: twice the days of the longest window, and some more. */
const MARGIN = 130 * MILLISECONDS.day;
/** Maximum length in ms of a range that is searched at once. It limits the memory for the hours of neighbors. */
const MAX_RANGE = 366 * MILLISECONDS.day;
/** Years of a station that are compared with each other. They limit the memory. */
const MAX_YEARS = 80 * 366 * MILLISECONDS.day;
const VARIABLES_OF_YEARS = [
  V.temperature,
  V.dewPoint,
  V.pressure,
  V.seaLevelPressure,
  V.dailyMaximum,
  V.dailyMinimum,
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
];
/** Maximum number of neighbors, the nearest ones. */
const MAX_NEIGHBORS = 10;

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
   * @param range the notices that begin in this range are found
   * @param pause called between pieces of the work
   * @returns the notices in order of their begin; an empty list for an unknown station
   */
  async execute(number: number, range: TimeRange, pause: () => Promise<void>): Promise<readonly Notice[]> {
    const directory = await this.#with.directory.current();
    const station = directory.byNumber.get(number);
    const [inventory] = station === undefined ? [] : await this.#with.observations.inventory([number]);
    const { first = null, last = null } = inventory ?? {};
    if (station === undefined || !isCheckable(station) || first === null || last === null) return [];
    const all = { from: Math.max(first, last - MAX_YEARS), to: last + 1 };
    const found: Notice[] = [...(await this.#years(station, all, range))];
    const end = Math.min(range.to, all.to);
    for (let from = Math.max(range.from, all.from); from < end; from += MAX_RANGE) {
      await pause();
      found.push(...(await this.#weeks(station, { from, to: Math.min(end, from + MAX_RANGE) }, all, pause)));
    }
    return found.sort((a, b) => a.since - b.since || a.variable - b.variable);
  }

  async #years(station: Station, all: TimeRange, range: TimeRange): Promise<readonly Notice[]> {
    if (all.to - all.from < MAX_RANGE) return [];
    return await this.#find(station, all, range, 'years', VARIABLES_OF_YEARS, []);
  }

  async #weeks(
    station: Station,
    range: TimeRange,
    all: TimeRange,
    pause: () => Promise<void>,
  ): Promise<readonly Notice[]> {
    const window = { from: Math.max(all.from, range.from - MARGIN), to: Math.min(all.to, range.to + MARGIN) };
    const neighbors: NeighborHours[] = [];
    if (isWhereItIsNow(station, window.from)) {
      const { byNumber } = await this.#with.directory.current();
      for (const { number } of (await this.#with.neighbors.of(station)).slice(0, MAX_NEIGHBORS)) {
        const neighbor = byNumber.get(number);
        if (neighbor === undefined || !isCheckable(neighbor) || !isWhereItIsNow(neighbor, window.from))
          continue;
        const { table } = await this.#read(number, window, VARIABLES_OF_WEEKS);
        if (table.columns.size > 0) neighbors.push({ number, table });
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
    const { table, published } = await this.#read(station.number, window, variables);
    const { latitude, longitude } = stationAt(station, window.from);
    const input = { own: table, neighbors, published, position: { latitude, longitude } };
    return await this.#with.finder.findNotices({ input, range, span });
  }

  /** Reads the hours of a station. Damaged rows end the reading, so that the rest of the hours is absent. */
  async #read(
    number: number,
    { from, to }: TimeRange,
    variables: readonly number[],
  ): Promise<{ table: HourTable; published: (readonly [number, number, number])[] }> {
    const builder = new HourTableBuilder(from - 1, to);
    const published: (readonly [number, number, number])[] = [];
    try {
      for await (const part of this.#with.observations.read({ stations: [number], from, to, variables })) {
        builder.add(part);
        published.push(...publishedDays(part));
      }
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
    }
    return { table: builder.table(), published };
  }
}

function isWhereItIsNow(station: Station, time: number): boolean {
  const then = stationAt(station, time);
  return then.latitude === station.latitude && then.longitude === station.longitude;
}
