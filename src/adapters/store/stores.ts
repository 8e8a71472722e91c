import type { Stores } from '#application/ports/stores.js';
import { ALARMS } from './alarms/alarms.js';
import { HOOKS } from './hooks/hooks.js';
import { IMPORT_LOG } from './imports/import-log.js';
import { OVERRULES } from './judging/overrules.js';
import { LEASES } from './leases.js';
import type { OperationsOf } from './store-operations.js';
import { TRANSFER } from './transfer/transfer.js';
import { UPLOAD_KEYS } from './uploads/upload-keys.js';
import { UPLOAD_RECORDS } from './uploads/upload-records.js';

/** The stores whose operations stand here alone, named as in `Stores`. */
export const STORES = {
  alarms: ALARMS,
  overrules: OVERRULES,
  uploadKeys: UPLOAD_KEYS,
  uploadRecords: UPLOAD_RECORDS,
  hooks: HOOKS,
  leases: LEASES,
  importLog: IMPORT_LOG,
  transfer: TRANSFER,
} satisfies {
  readonly [K in keyof Stores]?: OperationsOf<Stores[K]>;
};
