import { DomainError } from '../../domain/domain-error.js';
import { MILLISECONDS } from '../../domain/time.js';
import type { Clock } from '../ports/clock.js';
import type { EraseRange, ObservationStore } from '../ports/observation-store.js';
import { unknownStation } from '../stations/find-station.js';
import type { StationDirectory } from '../stations/station-directory.js';

/** Which rows are too old. */
export interface RetentionRequest {
  /** Milliseconds for which rows are kept. The setting for all stations if undefined. */
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
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  /** @param setting seconds for which rows are kept; undefined if they are kept for ever */
  constructor(
    setting: number | undefined,
    clock: Clock,
    directory: StationDirectory,
    observations: ObservationStore,
  ) {
    this.#setting = setting;
    this.#clock = clock;
    this.#directory = directory;
    this.#observations = observations;
  }

  /**
   * Whole UTC days are too old, so that a station has old rows once a day and not at every look.
   *
   * @returns a range for each station that has such rows, by rising number
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID if neither the request nor the setting has a period
   */
  async execute({ period, stations }: RetentionRequest): Promise<readonly EraseRange[]> {
    const kept = period ?? (this.#setting === undefined ? undefined : this.#setting * 1000);
    if (kept === undefined) {
      throw new DomainError(
        'REQUEST_INVALID',
        'Nothing says how long observations are kept: set WEATHERD_OBSERVATION_RETENTION, or give --older-than.',
      );
    }
    const to = Math.floor((this.#clock.now() - kept) / MILLISECONDS.day) * MILLISECONDS.day;
    const numbers = await this.#numbers(stations);
    const ranges: EraseRange[] = [];
    for (let from = 0; from < numbers.length; from += STATIONS) {
      const part = numbers.slice(from, from + STATIONS);
      const inventories = await this.#observations.inventory(part);
      for (const [index, station] of part.entries()) {
        const first = inventories[index]?.first ?? null;
        if (first !== null && first < to) ranges.push({ station, from: first, to });
      }
    }
    return ranges;
  }

  /** Whether the setting limits how long observations are kept. */
  get hasSetting(): boolean {
    return this.#setting !== undefined;
  }

  async #numbers(ids: readonly string[] | undefined): Promise<number[]> {
    const { list, byId } = await this.#directory.current();
    const stations = ids?.map((id) => {
      const station = byId.get(id);
      if (station === undefined) throw unknownStation(id);
      return station;
    });
    return (stations ?? list).map(({ number }) => number).sort((a, b) => a - b);
  }
}
