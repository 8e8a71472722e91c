import { DomainError } from '#domain/domain-error.js';
import type { RecordStore, StoredRecord } from './ports/record-store.js';

/** Maximum number of attempts to write while other processes write the same record. */
const MAX_ATTEMPTS = 5;

/** The new content of a record. `time` is in milliseconds since 1970-01-01T00:00:00Z. */
export type RecordContent = Pick<StoredRecord, 'text' | 'time'>;

/**
 * Changes a record. If another process changes it at the same time, the change is tried again with the new content.
 *
 * @param edit returns the new content, or undefined to leave the record as it is. It may be called several times; its errors are passed on
 * @param subject what other processes change, for the message of the error
 * @throws DomainError SERVICE_UNAVAILABLE if other processes change the record again and again; STORE_UNAVAILABLE
 */
export async function editRecord(
  store: Pick<RecordStore, 'record' | 'put'>,
  name: string,
  edit: (text: string | undefined) => RecordContent | undefined,
  subject: string,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const stored = await store.record(name);
    const content = edit(stored?.text);
    if (content === undefined) return;
    const refused = await store.put([{ name, key: null, revision: stored?.revision ?? 0, ...content }]);
    if (refused.length === 0) return;
  }
  throw new DomainError('SERVICE_UNAVAILABLE', `Other processes are changing the ${subject}. Try again.`);
}
