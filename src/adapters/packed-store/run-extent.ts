import type { Run } from '#adapters/formats/packed/run-codec.js';

/** Memory that an opened run needs for the position of one of its stations, in bytes. A run has the rows of many stations. */
const POSITION_BYTES = 120;

interface RunExtent {
  /** The lowest and the highest number of a station with rows in the run. */
  readonly first: number;
  readonly last: number;
  /** Memory in bytes of a run (the rows of one commit) that was read from its blob, with all of its columns. */
  readonly bytes: number;
}

const EXTENTS = new WeakMap<Run, RunExtent>();

/**
 * The lowest and the highest station number in a run, and the memory of the run. A run has the rows of many stations. To look up
 * thousands of stations in many runs, it is faster to compare a number with this range first than to search every station in
 * every run.
 */
export function runExtentOf(run: Run): RunExtent {
  let extent = EXTENTS.get(run);
  if (extent === undefined) {
    let [first, last, count] = [Infinity, -Infinity, 0];
    for (const station of run.stations) {
      first = Math.min(first, station);
      last = Math.max(last, station);
      count += 1;
    }
    const bytes = run.rows * 8 * (1 + run.width) + count * POSITION_BYTES;
    EXTENTS.set(run, (extent = { first, last, bytes }));
  }
  return extent;
}

/** Whether a station number is in the range of the station numbers of a run. The run may still have no rows of this station. */
export function mayContain(run: Run, station: number): boolean {
  const { first, last } = runExtentOf(run);
  return station >= first && station <= last;
}
