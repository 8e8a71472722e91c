import type { NUMBERED_KINDS, RecordKind, TransferRecord } from '../record-forms.js';

/** The last number that was assigned to a record of each kind, whether or not the record still exists; 0 for none. */
export type LastNumbers = Readonly<Record<(typeof NUMBERED_KINDS)[number], number>>;

/**
 * Hands over stored records as they are, with their numbers, times and hashes, so that another store can take them. Used
 * only by `weatherd copy`. Every method may reject with STORE_UNAVAILABLE.
 */
export interface TransferStore {
  /** Some records in order of their key; none at the end. @param after the last record of the page before */
  read(kind: RecordKind, after?: TransferRecord): Promise<readonly TransferRecord[]>;
  /**
   * Adds records, all or none. Records that they refer to must be there, and none with the same key.
   *
   * Rejects with STORE_UNAVAILABLE also if a record breaks a rule of the store.
   */
  add(kind: RecordKind, records: readonly TransferRecord[]): Promise<void>;
  /** Removes all records of these kinds, in one transaction. Observations stay. */
  clear(kinds: readonly RecordKind[]): Promise<void>;
  lastNumbers(): Promise<LastNumbers>;
  /** Makes the next numbers follow these. Numbers never become lower. */
  setLastNumbers(numbers: LastNumbers): Promise<void>;
}
