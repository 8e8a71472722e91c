import type { NUMBERED_KINDS, RecordKind, TransferRecord } from '../record-forms.js';

/**
 * For each kind of record, the last number that was assigned. The record with this number may have been removed. 0 if no number
 * was assigned.
 */
export type LastNumbers = Readonly<Record<(typeof NUMBERED_KINDS)[number], number>>;

/**
 * Reads and writes stored records unchanged, with their numbers, times and hashes, so that they can be copied to another store. Used
 * only by `weatherd copy`, and to read by `weatherd check`. Every method may reject with STORE_UNAVAILABLE.
 */
export interface TransferStore {
  /**
   * The next records in order of their keys; an empty list after the last record.
   *
   * @param after the last record of the previous call
   */
  read(kind: RecordKind, after?: TransferRecord): Promise<readonly TransferRecord[]>;
  /**
   * Adds records, all or none. The records to which they refer must already exist, and no stored record may have the same key.
   * Rejects with STORE_UNAVAILABLE also if a record breaks a rule of the store.
   */
  add(kind: RecordKind, records: readonly TransferRecord[]): Promise<void>;
  /** Removes all records of these kinds, in one transaction. Observations stay. */
  clear(kinds: readonly RecordKind[]): Promise<void>;
  lastNumbers(): Promise<LastNumbers>;
  /**
   * Sets the last assigned number of each kind of record. The next record of the kind then gets the number after it. If the store
   * has already assigned a larger number, the larger number stays.
   */
  setLastNumbers(numbers: LastNumbers): Promise<void>;
}
