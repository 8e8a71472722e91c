import type { SentRows } from '#domain/weather/sent-rows.js';
import type { Clock } from '../../ports/clock.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { sift } from './sift.js';
import type { NumberedRows } from './sifted-rows.js';

/** The checked rows, as a write would store them. */
export interface Preview extends NumberedRows {
  /** For each row a byte with the bits of `FAULT`; 0 for a row that would be stored. */
  readonly faults: Uint8Array;
}

/** Checks rows and converts their units as a write does, without writing them. */
export class PreviewRows {
  readonly #clock: Clock;
  readonly #directory: StationDirectory;

  constructor(clock: Clock, directory: StationDirectory) {
    this.#clock = clock;
    this.#directory = directory;
  }

  /** @throws DomainError REQUEST_INVALID for an unknown variable or unit; STATION_UNKNOWN */
  async execute(sent: SentRows): Promise<Preview> {
    const directory = await this.#directory.current();
    const { stations, times, values, faults } = await sift(sent, directory, this.#clock.now());
    return { stations, times, values, faults };
  }
}
