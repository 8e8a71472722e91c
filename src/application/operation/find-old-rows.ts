import { DomainError } from '#domain/domain-error.js';
import type { Station } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { EraseRange, ObservationStore } from '../ports/observation-store.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from '../stations/find-station.js';
import type { StationDirectory } from '../stations/station-directory.js';

/** Which rows are too old. */
export interface RetentionRequest {
  /** Milliseconds for which rows are kept. If undefined, the period of the station, or else the setting for all stations. */
  readonly period?: number | undefined;
  /** Ids of stations. All if undefined. */
  readonly stations?: readonly string[] | undefined;
}

/** Number of stations whose totals are asked at once. */
const STATIONS = 1000;

/** Finds the rows that are older than they are kept. */
export class FindOldRows {
  readonly #setting: number | undefined;
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #stations: StationStore;
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  /** @param setting seconds for which rows are kept; undefined if they are kept for ever */
  constructor(
    setting: number | undefined,
    clock: Clock,
    calendar: Calendar,
    stations: StationStore,
    directory: StationDirectory,
    observations: ObservationStore,
  ) {
    this.#setting = setting;
    this.#clock = clock;
    this.#calendar = calendar;
    this.#stations = stations;
    this.#directory = directory;
    this.#observations = observations;
  }

  /**
   * Whole months of a station, in its time zone, are too old: tables of days, which are kept, belong to months.
   *
   * @returns a range for each station that has such rows, by rising number. It begins with the month of the oldest row
   * @throws DomainError STATION_UNKNOWN; DATA_DAMAGED for a damaged station that is named; REQUEST_INVALID if nothing says how long the rows of these stations are kept
   */
  async execute({ period, stations }: RetentionRequest): Promise<readonly EraseRange[]> {
    const periods = await this.#stations.periods();
    const asked = await this.#asked(stations);
    const keptFor = ({ number }: Station) => {
      const own = periods.get(number);
      return period ?? (own === undefined ? this.#default : own);
    };
    if (period === undefined && this.#setting === undefined && periods.size === 0) {
      throw new DomainError(
        'REQUEST_INVALID',
        'Nothing says how long observations are kept: set WEATHERD_RETENTION, or give --older-than.',
      );
    }
    const ranges: EraseRange[] = [];
    for (let from = 0; from < asked.length; from += STATIONS) {
      const part = asked.slice(from, from + STATIONS);
      const inventories = await this.#observations.inventory(part.map(({ number }) => number));
      for (const [index, station] of part.entries()) {
        const first = inventories[index]?.first ?? null;
        const kept = keptFor(station);
        const range =
          first === null || typeof kept !== 'number' ? undefined : this.#rangeOf(station, first, kept);
        if (range !== undefined) ranges.push(range);
      }
    }
    return ranges;
  }

  /** Whether something limits how long observations are kept. */
  async hasPeriod(): Promise<boolean> {
    return this.#setting !== undefined || (await this.#stations.periods()).size > 0;
  }

  /** Milliseconds for which rows of a station without a period of its own are kept. */
  get #default(): number | undefined {
    return this.#setting === undefined ? undefined : this.#setting * 1000;
  }

  #rangeOf({ number, timeZone }: Station, first: number, kept: number): EraseRange | undefined {
    const limit = this.#clock.now() - kept;
    if (first >= limit) return undefined;
    const [month] = this.#calendar.buckets('month', timeZone, 0, first, first + 1);
    const [last] = this.#calendar.buckets('month', timeZone, 0, limit, limit + 1);
    if (month === undefined || last === undefined || month.start >= last.start) return undefined;
    return { station: number, from: month.start, to: last.start, isExpiry: true };
  }

  async #asked(ids: readonly string[] | undefined): Promise<Station[]> {
    const { list, byId } = await this.#directory.current();
    const stations = ids?.map((id) => {
      const station = byId.get(id);
      if (station === undefined) throw unknownStation(id);
      assertReadable(station);
      return station;
    });
    // Old rows of a damaged station are removed after its repair.
    return [...(stations ?? list.filter(({ damaged }) => damaged === undefined))].sort(
      (a, b) => a.number - b.number,
    );
  }
}
