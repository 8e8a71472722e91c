import {
  type EarlierInterval,
  type ImportedTimesOfStation,
  SetLongerIntervals,
} from '#application/observations/imports/set-longer-intervals.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { RoutineDistances } from '#domain/weather/summaries/routine-interval.js';
import type { ReadChunk } from '#adapters/formats/tables/read-notes.js';
import type { ImportContext } from './import-context.js';

/**
 * Sets the unknown reporting intervals of stations to the interval between the routine reports of a file. Known reporting
 * intervals remain unchanged.
 *
 * @param ids ids of stations; unknown ids are ignored
 * @returns the ids of the changed stations
 */
export async function setUnknownIntervals(
  ids: ReadonlySet<string>,
  seconds: number | undefined,
  { useCase, caller }: ImportContext,
): Promise<readonly string[]> {
  if (seconds === undefined) return [];
  const stations = await useCase(ListStations).execute();
  const unknown = stations.filter(
    ({ id, reportingInterval, damaged }) =>
      ids.has(id) && reportingInterval === null && damaged === undefined,
  );
  if (unknown.length === 0) return [];
  const edits = unknown.map(({ id }) => ({ id, change: { reportingInterval: seconds } }));
  await useCase(ChangeStations).execute(edits, caller);
  return unknown.map(({ id }) => id);
}

/** The times of the rows of the files of an import, by station. */
export class ImportedTimes {
  readonly #stations = new Map<string, StationTimes>();

  /**
   * Passes the rows of a file on, and remembers their times.
   *
   * @param station the id of the station, if all rows belong to one station
   * @param named seconds between routine reports as the file, its format or an option names them; undefined if unknown
   */
  async *of(
    chunks: AsyncIterable<ReadChunk>,
    station: string | undefined,
    named: number | undefined,
  ): AsyncGenerator<ReadChunk> {
    for await (const chunk of chunks) {
      for (const { rows } of chunk.parts) this.#add(rows, station, named);
      yield chunk;
    }
  }

  #add({ stations, times }: SentRows, single: string | undefined, named: number | undefined): void {
    for (const [row, time] of times.entries()) {
      if (Number.isNaN(time)) continue;
      const id = single ?? (stations as readonly string[])[row] ?? '';
      let known = this.#stations.get(id);
      if (known === undefined) this.#stations.set(id, (known = new StationTimes(time, named)));
      known.add(time, named);
    }
  }

  /** Adds longer reporting intervals to the histories of the stations; see `SetLongerIntervals`. */
  async setLongerIntervals({ useCase, caller }: ImportContext): Promise<readonly EarlierInterval[]> {
    return await useCase(SetLongerIntervals).execute(this.#stations, caller);
  }
}

class StationTimes implements ImportedTimesOfStation {
  first: number;
  last: number;
  named: number | undefined;
  readonly distances = new RoutineDistances();
  #previous: number;
  /** Sum of the distances so far. Rows may be in descending order, but `RoutineDistances` needs ascending times. */
  #elapsed = 0;

  constructor(time: number, named: number | undefined) {
    this.first = time;
    this.last = time;
    this.#previous = time;
    this.named = named;
    this.distances.add(0);
  }

  add(time: number, named: number | undefined): void {
    if (named !== this.named) this.named = undefined;
    if (time < this.first) this.first = time;
    if (time > this.last) this.last = time;
    // A file may have several lines for one row.
    if (time === this.#previous) return;
    this.#elapsed += Math.abs(time - this.#previous);
    this.#previous = time;
    this.distances.add(this.#elapsed);
  }
}

/** Says what was added to the history of a station: `The history of garden has an interval of 3600 seconds from 2015-01-01 to …`. */
export function historyText(
  { id, timeZone, from, to, seconds, before }: EarlierInterval,
  { calendar }: Pick<ImportContext, 'calendar'>,
): string {
  const [first, last] = [from, to - 1].map((time) => calendar.format(time, timeZone).slice(0, 10));
  return `The rows of ${id} from ${first} to ${last} are ${seconds} seconds apart, not ${before}: its history now has this reporting interval for them.`;
}
