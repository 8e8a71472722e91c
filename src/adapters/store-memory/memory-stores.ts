import type { KeyStore } from '#application/ports/key-store.js';
import type { Stores } from '#application/ports/stores.js';
import { MemoryAlarmStore } from './alarms/memory-alarm-store.js';
import { MemoryAuditStore } from './memory-audit-store.js';
import { MemoryCredentialStore } from './memory-credential-store.js';
import { MemoryDatabase } from './memory-database.js';
import { MemoryHookStore } from './memory-hook-store.js';
import { MemoryImportLog } from './memory-import-log.js';
import { MemoryJudgingStore } from './memory-judging-store.js';
import { MemoryObservationStore } from './memory-observation-store.js';
import { MemoryOverruleStore } from './memory-overrule-store.js';
import { MemorySessionStore } from './memory-session-store.js';
import { MemorySignInStore } from './memory-sign-in-store.js';
import { MemoryStationStore } from './memory-station-store.js';
import { MemoryTransferStore } from './memory-transfer-store.js';
import { MemoryUploadStore } from './memory-upload-store.js';

/** @param keys signing keys, which are kept in files */
export function openMemoryStores(keys: KeyStore): Stores {
  const database = new MemoryDatabase();
  const uploads = new MemoryUploadStore(database);
  return {
    credentials: new MemoryCredentialStore(database),
    sessions: new MemorySessionStore(database),
    signIns: new MemorySignInStore(database),
    audit: new MemoryAuditStore(database),
    keys,
    stations: new MemoryStationStore(database),
    observations: new MemoryObservationStore(database),
    overrules: new MemoryOverruleStore(database),
    judging: new MemoryJudgingStore(database),
    importLog: new MemoryImportLog(database),
    uploadKeys: uploads,
    uploadRecords: uploads,
    hooks: new MemoryHookStore(),
    leases: uploads,
    alarms: new MemoryAlarmStore(database),
    transfer: new MemoryTransferStore(database),
    checks: [],
    location: 'memory; gone when the process ends',
    check: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
