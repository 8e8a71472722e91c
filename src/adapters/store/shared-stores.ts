import type { Stores } from '#application/ports/stores.js';
import { AUDIT } from './accounts/audit.js';
import { CREDENTIALS, DATA_UPDATES } from './accounts/credentials.js';
import { SESSION_OPERATIONS } from './accounts/session-operations.js';
import { SIGN_INS } from './accounts/sign-ins.js';
import { ALARMS } from './alarms/alarm-operations.js';
import { HOOKS } from './hooks/hook-operations.js';
import { IMPORT_LOG } from './imports/import-log-operations.js';
import { RECHECK_OPERATIONS } from './recheck/recheck-operations.js';
import { OVERRIDES } from './recheck/override-operations.js';
import { LEASES } from './leases.js';
import { STATIONS } from './stations/station-operations.js';
import { SETTINGS } from './settings/setting-operations.js';
import type { OperationsOf } from './store-operations.js';
import { TRANSFER } from './transfer/transfer.js';
import { UPLOAD_KEYS } from './uploads/upload-key-operations.js';
import { RECORDS } from './records.js';

/** The stores whose operations are the same on both databases, under their names in `Stores`. */
export const STORES = {
  credentials: CREDENTIALS,
  updates: DATA_UPDATES,
  sessions: SESSION_OPERATIONS,
  signIns: SIGN_INS,
  audit: AUDIT,
  stations: STATIONS,
  alarms: ALARMS,
  overrides: OVERRIDES,
  recheck: RECHECK_OPERATIONS,
  uploadKeys: UPLOAD_KEYS,
  storedRecords: RECORDS,
  hooks: HOOKS,
  settings: SETTINGS,
  leases: LEASES,
  importLog: IMPORT_LOG,
  transfer: TRANSFER,
} satisfies {
  readonly [K in keyof Stores]?: Partial<OperationsOf<Stores[K]>>;
};

/**
 * The methods of the store `K` that `STORES` implements. These are all methods of the store, except for the stores of stations
 * and of rechecks: each database implements some methods of these two stores itself.
 */
export type StoreOf<K extends keyof typeof STORES> = Pick<
  Stores[K],
  keyof (typeof STORES)[K] & keyof Stores[K]
>;

/**
 * Creates all stores of `STORES` on a database. The stores of stations and of rechecks are not complete: the code for the
 * database must add the methods that it implements itself (see `StoreOf`).
 *
 * @param make creates one store
 */
export function storesOn(make: <K extends keyof typeof STORES>(store: K) => StoreOf<K>): {
  readonly [K in keyof typeof STORES]: StoreOf<K>;
} {
  const names = Object.keys(STORES) as (keyof typeof STORES)[];
  return Object.fromEntries(names.map((name) => [name, make(name)])) as never;
}
