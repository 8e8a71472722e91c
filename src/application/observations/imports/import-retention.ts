import { MILLISECONDS } from '#domain/time.js';
import type { ImportRetention } from '../../ports/import-log.js';

/** Number of days for which an import can be undone. */
export const UNDOABLE_DAYS = 30;
/**
 * Maximum total size of the changes that are recorded for undoing imports, in bytes. If the changes take more bytes, the oldest
 * imports can no longer be undone.
 */
const UNDOABLE_BYTES = 512 * 1024 * 1024;
/** Maximum number of imports in the log. Older imports are deleted if they are undone or can no longer be undone. */
const MAX_RECORDS = 1000;

/** The limits for imports that can be undone. @param now milliseconds since 1970-01-01T00:00:00Z */
export function retentionAt(now: number): ImportRetention {
  return { since: now - UNDOABLE_DAYS * MILLISECONDS.day, bytes: UNDOABLE_BYTES, records: MAX_RECORDS };
}
