import { damagedData } from '#domain/weather/damaged-data.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import { assertNumbers, type StationDirectory } from '../../stations/station-directory.js';

/** Reads the newest rows of stations, which are given by number. */
export class GetNewestRows {
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  constructor(directory: StationDirectory, observations: ObservationStore) {
    this.#directory = directory;
    this.#observations = observations;
  }

  /**
   * Returns the newest row of each station, in rising order of the numbers. Stations without observations, and stations whose newest
   * row may be damaged, are omitted.
   *
   * @param numbers the stations; undefined means all
   * @throws DomainError STATION_UNKNOWN for a number that no station has; DATA_DAMAGED if `numbers` has only one station and the
   *   newest row of this station may be damaged
   */
  async execute(numbers: readonly number[] | undefined): Promise<ObservationBatch> {
    const directory = await this.#directory.current();
    if (numbers !== undefined) assertNumbers(directory, numbers);
    const asked = [...new Set(numbers ?? directory.byNumber.keys())].sort((a, b) => a - b);
    const newest = await this.#observations.newest(asked);
    const [one] = newest;
    if (numbers !== undefined && asked.length === 1 && one?.hiddenSince !== undefined) {
      throw damagedData(directory.byNumber.get(one.station)?.id ?? '', one.hiddenSince);
    }
    return toRows(newest.filter(({ lastSeen }) => lastSeen !== null));
  }
}

/** Converts newest values to rows. A value that is older than the newest row of its station is left out. */
function toRows(newest: readonly Newest[]): ObservationBatch {
  const rows = newest.length;
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  for (const [row, one] of newest.entries()) {
    one.each((variable, time, value, flag) => {
      if (time !== one.lastSeen) return;
      if (!values.has(variable)) values.set(variable, new Float64Array(rows).fill(Number.NaN));
      (values.get(variable) as Float64Array)[row] = value;
      if (flag === 0) return;
      if (!flags.has(variable)) flags.set(variable, new Uint8Array(rows));
      (flags.get(variable) as Uint8Array)[row] = flag;
    });
  }
  return {
    stations: Uint32Array.from(newest, ({ station }) => station),
    times: Float64Array.from(newest, ({ lastSeen }) => lastSeen as number),
    values,
    flags,
  };
}
