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
 * Like `YOUNG`, but for the columns of written rows. This limit is higher than `YOUNG`, so that this memory is collected less
 * often, for two reasons. A collection takes more time in a thread that writes than in other threads. And a thread that writes
 * sends no replies meanwhile.
 */
const YOUNG_ROWS = 16 * 2 ** 20;
/**
 * Bytes of discarded long-lived columns after which the whole heap is collected. With 8 MiB instead of 32 MiB, writes of 1,000
 * stations took 20 % more time.
 */
const OLD = 32 * 2 ** 20;

setFlagsFromString('--expose-gc');
// This flag turns off an optimization of V8: if views of columns survive one or two collections, V8 allocates later views
// directly in the old generation. There they keep the memory of their columns until the whole heap is marked. With the
// optimization, reading a month of all stations takes 2.5 s instead of 1.5 s.
setFlagsFromString('--no-allocation-site-pretenuring');

let collect: ((options?: { readonly type: 'minor' }) => void) | undefined;
let [young, old] = [0, 0];

/**
 * Adds the bytes of columns that are no longer used to a sum. When the sum reaches `limit`, V8 collects the young generation of
 * the heap, and the sum begins at 0 again. The function must be called for columns that were used for a short time, such as the
 * columns of one request.
 *
 * A collection of the young generation takes half a millisecond. Without it V8 marks the whole heap tens of times a second while
 * data are streamed. While a month of all stations was read, the 99th percentile of the duration of `GET /v1/health/info` was 15
 * ms without this function and 4 ms with it.
 */
export function discarded(bytes: number, limit = YOUNG): void {
  young += bytes;
  if (young < limit) return;
  young = 0;
  collector()({ type: 'minor' });
}

/** Calls `discarded` with the bytes of written rows that are no longer used, and with the limit for written rows. */
export function discardedColumns({ times, values, flags }: Series): void {
  let bytes = times.byteLength;
  for (const column of values.values()) bytes += column.byteLength;
  for (const column of flags.values()) bytes += column.byteLength;
  discarded(bytes, YOUNG_ROWS);
}

/**
 * Adds the bytes of columns that are no longer used to a sum. When the sum reaches `OLD`, V8 collects the whole heap, which takes
 * some milliseconds. The function must be called for columns that were kept for a long time: a collection of the young
 * generation, as in `discarded`, does not free their memory. Without this function V8 collects the whole heap only after 64 MB.
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
