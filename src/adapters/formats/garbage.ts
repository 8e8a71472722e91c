import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Series } from '#domain/weather/series.js';

/**
 * Tells V8 of columns that nobody needs any more. They are megabytes in a few small objects, and V8 takes account of their
 * memory only when a thread has tens of megabytes of it. The functions are here because adapters may import this folder only.
 */

/** Bytes of young columns after which they are collected. */
const YOUNG = 4 * 2 ** 20;
/** The same for rows that are written: their thread answers nobody meanwhile, and each collection costs it more. */
const YOUNG_ROWS = 16 * 2 ** 20;
/** Bytes of old columns after which they are collected. With 8 MiB, writes of 1,000 stations took a fifth more time. */
const OLD = 32 * 2 ** 20;

setFlagsFromString('--expose-gc');
// Where views of columns have outlived a collection or two V8 would make them old from the beginning, and they would hold
// their memory until the whole heap is marked: all stations' month then takes 2.5 s and not 1.5.
setFlagsFromString('--no-allocation-site-pretenuring');

let collect: ((options?: { readonly type: 'minor' }) => void) | undefined;
let [young, old] = [0, 0];

/**
 * Is told of columns that were used for a short time, such as those of one request. Without it V8 marks the whole heap, tens of
 * times a second when data streams. Collecting the young objects every few megabytes takes half a millisecond and leaves
 * nothing to mark. Measured while all stations' month was read: p99 of `GET /v1/health/info` 15 ms without and 4 ms with, at the
 * same speed.
 */
export function discarded(bytes: number, limit = YOUNG): void {
  young += bytes;
  if (young < limit) return;
  young = 0;
  collector()({ type: 'minor' });
}

/** As `discarded`, of the columns of rows that were written. */
export function discardedColumns({ times, values, flags }: Series): void {
  let bytes = times.byteLength;
  for (const column of values.values()) bytes += column.byteLength;
  for (const column of flags.values()) bytes += column.byteLength;
  discarded(bytes, YOUNG_ROWS);
}

/**
 * Is told of columns that were kept for a long time. Only marking the whole heap frees them, which takes some milliseconds;
 * without this function V8 does so after 64 MB.
 */
export function discardedOld(bytes: number): void {
  old += bytes;
  if (old < OLD) return;
  [young, old] = [0, 0];
  collector()();
}

/** Made when it is first needed: most commands do without. */
function collector(): NonNullable<typeof collect> {
  return (collect ??= runInNewContext('gc') as NonNullable<typeof collect>);
}
