import type { Run } from '#adapters/formats/packed/run-codec.js';

/** Memory for the place of a station in an opened run, in bytes. */
const PLACE = 120;

interface RunExtent {
  /** The lowest and the highest number of a station. */
  readonly first: number;
  readonly last: number;
  /** Memory of the opened run in bytes, with all of its columns. */
  readonly bytes: number;
}

const EXTENTS = new WeakMap<Run, RunExtent>();

/** What is known of a run without a search for a station, which is slow where thousands of stations are searched in many runs. */
export function runExtentOf(run: Run): RunExtent {
  let extent = EXTENTS.get(run);
  if (extent === undefined) {
    let [first, last, count] = [Infinity, -Infinity, 0];
    for (const station of run.stations) {
      first = Math.min(first, station);
      last = Math.max(last, station);
      count += 1;
    }
    const bytes = run.rows * 8 * (1 + run.width) + count * PLACE;
    EXTENTS.set(run, (extent = { first, last, bytes }));
  }
  return extent;
}

/** Whether a run may have rows of a station. */
export function mayHave(run: Run, station: number): boolean {
  const { first, last } = runExtentOf(run);
  return station >= first && station <= last;
}
