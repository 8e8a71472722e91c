import type { NUMBERED_KINDS, RecordKind, TransferRecord } from '../record-forms.js';

/** For each kind of record, the last number that was assigned, whether or not its record still exists; 0 for none. */
export type LastNumbers = Readonly<Record<(typeof NUMBERED_KINDS)[number], number>>;

/**
 * Reads and writes stored records unchanged, with their numbers, times and hashes, so that they can be copied to another store. Used
 * only by `weatherd copy`. Every method may reject with STORE_UNAVAILABLE.
 */
export interface TransferStore {
  /** A page of records in order of their keys; empty at the end. @param after the last record of the previous page */
  read(kind: RecordKind, after?: TransferRecord): Promise<readonly TransferRecord[]>;
  /**
   * Adds records, all or none. The records to which they refer must already exist, and no stored record may have the same key.
   * Rejects with STORE_UNAVAILABLE also if a record breaks a rule of the store.
   */
  add(kind: RecordKind, records: readonly TransferRecord[]): Promise<void>;
  /** Removes all records of these kinds, in one transaction. Observations stay. */
  clear(kinds: readonly RecordKind[]): Promise<void>;
  lastNumbers(): Promise<LastNumbers>;
  /** Sets the last numbers, so that the next numbers follow them. A number is never decreased. */
  setLastNumbers(numbers: LastNumbers): Promise<void>;
}
