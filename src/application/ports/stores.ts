import type { AlarmStore } from './alarm-store.js';
import type { AnnouncementExchange } from './announcement-exchange.js';
import type { AuditStore } from './audit-store.js';
import type { Check } from './check.js';
import type { CredentialStore } from './credential-store.js';
import type { DailyAggregateStore } from './daily-aggregate-store.js';
import type { DataUpdates } from './data-updates.js';
import type { DataVerifier } from './data-verifier.js';
import type { HookStore } from './hook-store.js';
import type { ImportLog } from './import-log.js';
import type { RecheckStore } from './recheck-store.js';
import type { KeyStore } from './key-store.js';
import type { Lease, LeaseStore } from './lease.js';
import type { ObservationStore } from './observation-store.js';
import type { OverrideStore } from './override-store.js';
import type { SessionStore } from './session-store.js';
import type { SettingStore } from './setting-store.js';
import type { SignInStore } from './sign-in-store.js';
import type { StationStore } from './station-store.js';
import type { StoreWriter } from './store-writer.js';
import type { TransferStore } from './transfer-store.js';
import type { UploadKeyStore } from './upload-key-store.js';
import type { RecordStore } from './record-store.js';

export interface DataSize {
  /** Returns the bytes that all data take on the disk, or rejects with STORE_UNAVAILABLE. */
  readonly bytes: () => Promise<number>;
}

/** All opened stores of one file or database. One adapter provides them. */
export interface Stores {
  readonly credentials: CredentialStore;
  readonly sessions: SessionStore;
  readonly signIns: SignInStore;
  readonly audit: AuditStore;
  readonly keys: KeyStore;
  readonly stations: StationStore;
  readonly observations: ObservationStore;
  readonly dailyAggregates: DailyAggregateStore;
  readonly recheck: RecheckStore;
  readonly overrides: OverrideStore;
  readonly importLog: ImportLog;
  readonly uploadKeys: UploadKeyStore;
  readonly storedRecords: RecordStore;
  readonly hooks: HookStore;
  readonly settings: SettingStore;
  readonly leases: LeaseStore;
  readonly alarms: AlarmStore;
  readonly transfer: TransferStore;
  readonly updates: DataUpdates;
  /**
   * Tells other instances which data have changed, and receives the same from them. Undefined if no other service can use the
   * same data.
   */
  readonly exchange?: AnnouncementExchange;
  /**
   * Number of rows with daily values that were moved when the data of an earlier version were opened. Earlier versions stored
   * these values in the rows of the reports.
   */
  readonly movedRows: number;
  /** Writes for other processes. Undefined if every process can write to the data itself. */
  readonly writer?: StoreWriter;
  /**
   * Returns the lease with this name. A lease is the right to do work that only one process at a time may do. If this function is
   * undefined, the processes share leases through `leases`.
   */
  readonly lease?: (name: string) => Lease;
  /** Background checks in addition to `check`. */
  readonly checks: readonly Check[];
  readonly verifier: DataVerifier;
  /**
   * Moves the rows of recent commits into the larger blobs (stored binary values) that contain the older rows. Undefined if the
   * store does not need this. Rejects with the reason of the signal.
   */
  readonly merge?: (signal: AbortSignal) => Promise<void>;
  /**
   * Rewrites data of former versions in the current format, in which checksums cover more of the data. Undefined if the store
   * cannot contain such data. Rejects with the reason of the signal.
   *
   * @returns the number of rewritten blobs (stored binary values)
   */
  readonly rewriteFormer?: (signal: AbortSignal) => Promise<number>;
  /** Returns the bytes that all data take on the disk, as `DataSize.bytes`. */
  readonly size: DataSize['bytes'];
  /** Location of the data, as shown to people: the file, or the database without its password. */
  readonly location: string;
  /** Rejects with STORE_UNAVAILABLE if the file or the database cannot be read or written. */
  check(): Promise<unknown>;
  /** Releases the resources of the stores. The stores must not be used afterwards. */
  close(): Promise<void>;
}
