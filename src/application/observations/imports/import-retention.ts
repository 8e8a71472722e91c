import { MILLISECONDS } from '#domain/time.js';
import type { ImportRetention } from '../../ports/import-log.js';

/** Days for which an import can be undone. */
export const UNDOABLE_DAYS = 30;
/** Size, in bytes, beyond which the oldest imports are forgotten earlier. */
const UNDOABLE_BYTES = 512 * 1024 * 1024;
const RECORDS = 1000;

/** @param now milliseconds since 1970-01-01T00:00:00Z */
export function retentionAt(now: number): ImportRetention {
  return { since: now - UNDOABLE_DAYS * MILLISECONDS.day, bytes: UNDOABLE_BYTES, records: RECORDS };
}
