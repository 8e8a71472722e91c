import { MILLISECONDS } from '#domain/time.js';
import { movedRanges } from '#domain/weather/moved-times.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { lowerBound } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import type { Clock } from '../ports/clock.js';
import type { DemoRecording, RecordedRows } from '../ports/demo-recording.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { StationStore } from '../ports/station-store.js';
import type { RecordTogether } from '../observations/ingest/record-together.js';
import type { Directory, StationDirectory } from '../stations/station-directory.js';
import { recordedId } from './demo-stations.js';

/** Milliseconds before now at which the rows of a new station begin: a year, so that charts of a year are full. */
const BEHIND = 366 * MILLISECONDS.day;
/** Number of rows of a station that are written in one transaction. */
const ROWS_AT_ONCE = 2048;
/** Milliseconds between two calls of `ContinueDemo`. */
export const DEMO_INTERVAL = 10 * MILLISECONDS.second;

interface LiveStation {
  readonly station: Station;
  readonly recording: RecordedRows;
  /** Time of the newest row; the rows after it are written. */
  readonly after: number;
}

/**
 * Writes the rows of the live stations of the demo whose moved times have come. It continues after the newest stored row of each
 * station. So nothing is missing or written twice after the service did not run for some time.
 */
export class ContinueDemo {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;
  readonly #together: RecordTogether;
  readonly #recording: DemoRecording;
  /** The recording, while there are live stations. */
  #recorded: readonly RecordedRows[] | undefined;

  constructor(
    clock: Clock,
    stations: StationStore,
    directory: StationDirectory,
    observations: ObservationStore,
    together: RecordTogether,
    recording: DemoRecording,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#directory = directory;
    this.#observations = observations;
    this.#together = together;
    this.#recording = recording;
  }

  /** Whether there are live stations of the demo. */
  async isNeeded(): Promise<boolean> {
    const isNeeded = await this.#stations.hasLiveDemo();
    if (!isNeeded) this.#recorded = undefined;
    return isNeeded;
  }

  /** @returns the number of rows that were written */
  async execute(signal?: AbortSignal): Promise<number> {
    const now = this.#clock.now();
    const directory = await this.#directory.current();
    const live = await this.#live(directory, now);
    let from = live.reduce((min, { after }) => Math.min(min, after), Infinity);
    let count = 0;
    while (from < now) {
      if (signal?.aborted === true) break;
      const until = Math.min(from + ROWS_AT_ONCE * MILLISECONDS.hour, now);
      const parts = live.flatMap(({ station, recording, after }) =>
        movedRows(station.id, recording, Math.max(from, after), until),
      );
      if (parts.length > 0) {
        const { inserted, updated } = await this.#together.execute(parts, [], directory, now);
        count += inserted + updated;
      }
      from = until;
    }
    return count;
  }

  async #live({ list }: Directory, now: number): Promise<readonly LiveStation[]> {
    const stations = list.filter(({ demo }) => demo === 'live');
    if (stations.length === 0) return [];
    this.#recorded ??= await this.#recording.read();
    const recorded = this.#recorded;
    const newest = await this.#observations.newest(stations.map(({ number }) => number));
    return stations.flatMap((station, index) => {
      const recording = recorded.find((one) => one.station === recordedId(station.id));
      const { lastSeen = null, hiddenSince } = newest[index] ?? {};
      // If the newest row may be damaged, its time is unknown, so that it is unknown which rows are missing.
      if (recording === undefined || hiddenSince !== undefined) return [];
      return [{ station, recording, after: lastSeen ?? now - BEHIND }];
    });
  }
}

/** The rows of a station after a time, up to another time, as parts of a write. */
function movedRows(
  stations: string,
  recording: RecordedRows,
  after: number,
  until: number,
): readonly SentRows[] {
  return movedRanges(recording, after, until).flatMap((range) => {
    // Times are whole milliseconds, and the start of the range is not included.
    const from = lowerBound(recording.times, range.after + 1);
    const to = lowerBound(recording.times, range.until + 1);
    if (from === to) return [];
    return [
      {
        stations,
        times: recording.times.slice(from, to).map((time) => time + range.shift),
        atIntervalEnd: true,
        columns: recording.columns.map(({ values, ...column }) => ({
          ...column,
          values: values.slice(from, to),
        })),
      },
    ];
  });
}
