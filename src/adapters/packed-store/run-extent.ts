import type { Run } from '#adapters/formats/packed/run-codec.js';

/** Memory for the position of a station in an opened run, in bytes. */
const POSITION_BYTES = 120;

interface RunExtent {
  /** The lowest and the highest number of a station with rows in the run. */
  readonly first: number;
  readonly last: number;
  /** Memory of the opened run in bytes, with all of its columns. */
  readonly bytes: number;
}

const EXTENTS = new WeakMap<Run, RunExtent>();

/**
 * The range of stations and the size of a run. Checking the range first is faster than searching each of thousands of stations in many
 * runs.
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

/** Whether a run may have rows of a station. */
export function mayContain(run: Run, station: number): boolean {
  const { first, last } = runExtentOf(run);
  return station >= first && station <= last;
}
