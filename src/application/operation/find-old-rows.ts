import { DomainError } from '#domain/domain-error.js';
import type { Station } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { EraseRange, ObservationStore } from '../ports/observation-store.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from '../stations/find-station.js';
import { readableSpan } from '../observations/read/observation-query.js';
import type { StationDirectory } from '../stations/station-directory.js';

/** Selects the rows that are older than a retention period. */
export interface RetentionRequest {
  /** Retention period in milliseconds; undefined means the period of the station, or else the setting for all stations. */
  readonly period?: number | undefined;
  /** Ids of stations; undefined means all. */
  readonly stations?: readonly string[] | undefined;
}

/** Number of stations whose inventories (times of the first and the last row, and number of rows) are read at once. */
const STATIONS_AT_ONCE = 1000;

/** Finds rows that are older than their retention period. */
export class FindOldRows {
  readonly #setting: number | undefined;
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #stations: StationStore;
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  /**
   * @param setting retention period in seconds of stations without their own period; undefined means that their rows are kept
   *   permanently
   */
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
   * Finds the months in which all rows are older than the retention period of their station. Only whole months in the time zone
   * of the station are found: the daily aggregates of expired rows are kept, and they are computed for whole months.
   *
   * @returns a range for each station with such months, in rising order of the station numbers. The range starts with the month
   *   of the oldest row.
   * @throws DomainError STATION_UNKNOWN; DATA_DAMAGED for a named station that is damaged; REQUEST_INVALID if there is no
   *   retention period
   */
  async execute({ period, stations }: RetentionRequest): Promise<readonly EraseRange[]> {
    const periods = await this.#stations.periods();
    const asked = await this.#asked(stations);
    const periodOf = ({ number }: Station) => {
      const own = periods.get(number);
      return period ?? (own === undefined ? this.#default : own);
    };
    if (period === undefined && this.#setting === undefined && periods.size === 0) {
      throw new DomainError(
        'REQUEST_INVALID',
        'There is no retention period: set WEATHERD_RETENTION, or use --older-than.',
      );
    }
    const ranges: EraseRange[] = [];
    for (let from = 0; from < asked.length; from += STATIONS_AT_ONCE) {
      const part = asked.slice(from, from + STATIONS_AT_ONCE);
      const inventories = await this.#observations.inventory(part.map(({ number }) => number));
      for (const [index, station] of part.entries()) {
        const inventory = inventories[index];
        const first = inventory === undefined ? null : readableSpan(inventory).first;
        const ownPeriod = periodOf(station);
        const range =
          first === null || typeof ownPeriod !== 'number'
            ? undefined
            : this.#rangeOf(station, first, ownPeriod);
        if (range !== undefined) ranges.push(range);
      }
    }
    return ranges;
  }

  /** Whether a retention period is set for all stations or for at least one station. */
  async hasPeriod(): Promise<boolean> {
    return this.#setting !== undefined || (await this.#stations.periods()).size > 0;
  }

  /** Retention period of a station without its own period, in milliseconds. */
  get #default(): number | undefined {
    return this.#setting === undefined ? undefined : this.#setting * 1000;
  }

  #rangeOf({ number, timeZone }: Station, first: number, period: number): EraseRange | undefined {
    const limit = this.#clock.now() - period;
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
    // Without ids, damaged stations are skipped. Their old rows are removed after the repair.
    return [...(stations ?? list.filter(({ damaged }) => damaged === undefined))].sort(
      (a, b) => a.number - b.number,
    );
  }
}
