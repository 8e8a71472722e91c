import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Series } from '#domain/weather/series.js';

/**
 * Tells V8 that large columns are no longer used. A column is a small object with megabytes of memory outside the heap, and V8
 * considers this memory only when a thread has tens of megabytes of it. The functions are in this folder because all adapters may
 * import it.
 */

/** Bytes of discarded short-lived columns after which the young generation is collected. */
const YOUNG = 4 * 2 ** 20;
/**
 * Like `YOUNG`, but for a thread that writes rows. The limit is higher there, so that the thread collects less often: a
 * collection takes more time in such a thread than in other threads, and the thread sends no replies meanwhile.
 */
const YOUNG_ROWS = 16 * 2 ** 20;
/**
 * Bytes of discarded long-lived columns after which the whole heap is collected. With 8 MiB instead of 32 MiB, writes of 1,000
 * stations took 20 % more time.
 */
const OLD = 32 * 2 ** 20;

setFlagsFromString('--expose-gc');
// This flag turns off an optimization of V8, with which reading a month of all stations took 2.5 s instead of 1.5 s. The
// optimization: if views of columns survive one or two collections, V8 allocates later views directly in the old generation.
// These views keep the memory of their columns until V8 marks the whole heap.
setFlagsFromString('--no-allocation-site-pretenuring');

let collect: ((options?: { readonly type: 'minor' }) => void) | undefined;
let [young, old] = [0, 0];

/**
 * Lets V8 collect the young generation of the heap when enough columns are no longer needed: sums up the bytes of all calls, and
 * collects when the sum reaches `limit`. The sum then begins at 0 again. The function must be called for columns that were used
 * for a short time, such as the columns of one request.
 *
 * Such a collection takes half a millisecond. Without it, V8 marks the whole heap tens of times a second while data are streamed,
 * and other requests take longer: while a month of all stations was read, the 99th percentile of `GET /v1/health/info` was 15 ms
 * instead of 4 ms.
 */
export function discarded(bytes: number, limit = YOUNG): void {
  young += bytes;
  if (young < limit) return;
  young = 0;
  collector()({ type: 'minor' });
}

/** Calls `discarded` for the columns of rows that have been written and are no longer needed, with the limit `YOUNG_ROWS`. */
export function discardedColumns({ times, values, flags }: Series): void {
  let bytes = times.byteLength;
  for (const column of values.values()) bytes += column.byteLength;
  for (const column of flags.values()) bytes += column.byteLength;
  discarded(bytes, YOUNG_ROWS);
}

/**
 * Lets V8 collect the whole heap when enough columns are no longer needed: sums up the bytes of all calls, and collects when the
 * sum reaches `OLD`. A collection takes some milliseconds. Without this function V8 collects the whole heap only after 64 MB. The
 * function must be called for columns that were kept for a long time.
 *
 * `discarded` is not enough for such columns, because a collection of the young generation does not free their memory.
 */
export function discardedOld(bytes: number): void {
  old += bytes;
  if (old < OLD) return;
  [young, old] = [0, 0];
  collector()();
}

/** The function of V8 that collects garbage. It is created at its first use, because most commands do not need it. */
function collector(): NonNullable<typeof collect> {
  return (collect ??= runInNewContext('gc') as NonNullable<typeof collect>);
}
