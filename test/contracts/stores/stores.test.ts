import { deserialize, serialize } from 'node:v8';
import { expect } from 'chai';
import type { CredentialStore } from '#application/ports/credential-store.js';
import type { Stores } from '#application/ports/stores.js';
import { openStores } from '#composition/modules/stores.js';
import { Place, storeNames } from '../../support/place.js';
import { RawStore } from '../../support/raw-store.js';
import { alarmStoreContract } from './alarm-store.js';
import { auditStoreContract } from './audit-store.js';
import { copiedRowsContract } from './copied-rows.js';
import { credentialStoreContract } from './credential-store.js';
import { dailyValuesContract } from './daily-values.js';
import { dailyAggregatesContract } from './daily-aggregates.js';
import { discardContract } from './discard.js';
import { eraseContract } from './erase.js';
import { grantContract } from './grants.js';
import { hookStoreContract, leaseStoreContract } from './hook-store.js';
import { hooksContract } from './hooks.js';
import { importLogContract } from './import-log.js';
import { importUndoContract } from './import-undo.js';
import { recheckContract } from './recheck.js';
import { keyedRowsContract } from './keyed-rows.js';
import { keyStoreContract } from './key-store.js';
import { observationStoreContract } from './observation-store.js';
import { retentionContract } from './retention.js';
import { sessionStoreContract } from './session-store.js';
import { settingStoreContract } from './setting-store.js';
import { signInStoreContract } from './sign-in-store.js';
import { damagedStationsContract } from './damaged-stations.js';
import { recheckOfChangesContract } from './recheck-of-changes.js';
import { stationChangesContract } from './station-changes.js';
import { stationStoreContract } from './station-store.js';
import { transferStoreContract } from './transfer-store.js';
import { uploadStoreContract } from './upload-store.js';
import { bucketSumsContract } from './bucket-sums.js';
import { manySummariesContract } from './many-summaries.js';
import { windRoseContract } from './wind-rose.js';

/**
 * The stores of a process beside the one that writes, as worker processes have them. What they send to each other is copied as
 * between processes.
 */
async function openBeside(place: Place): Promise<Stores> {
  const main = await place.open();
  const copy = (value: unknown): unknown => deserialize(serialize(value));
  const beside = await openStores(place.config(), {
    perform: async (operation, parameters) =>
      copy(await main.writer?.perform(operation, copy(parameters) as readonly unknown[])),
  });
  const close = async () => {
    await beside.close();
    await main.close();
  };
  return { ...beside, close };
}

const open = (place: Place) => place.open();
const beside = storeNames.includes('sqlite')
  ? [['sqlite', 'sqlite beside the writer', openBeside] as const]
  : [];

/** Runs the rules on every store. */
for (const [name, title, openAt] of [...storeNames.map((one) => [one, one, open] as const), ...beside]) {
  describe(`stores › ${title}`, () => {
    let place: Place;
    let stores: Stores;

    beforeEach(async () => {
      place = await Place.ready(name);
      stores = await openAt(place);
    });
    afterEach(async () => {
      await stores.close();
      await place.remove();
    });

    it('pass their checks', async () => {
      await stores.check();
      for (const check of stores.checks) expect(await check.check(), check.name).to.equal(undefined);
    });

    it('tell the bytes that their data take on the disk', async () => {
      expect(await stores.size()).to.be.within(10_000, 10 ** 8);
    });

    const opened = () => stores;
    const reopen = async () => {
      await stores.close();
      stores = await openAt(place);
    };
    const raw = () => new RawStore(place);
    const users = (): CredentialStore => stores.credentials;
    describe('CredentialStore', () => credentialStoreContract(users, () => stores.audit));
    describe('SettingStore', () => settingStoreContract(opened));
    describe('CredentialStore › grants', () => grantContract(opened));
    describe('SessionStore', () => sessionStoreContract(opened));
    describe('SignInStore', () => signInStoreContract(opened));
    describe('StationStore', () => stationStoreContract(opened));
    describe('StationStore › changes', () => stationChangesContract(opened));
    describe('ObservationStore', () => observationStoreContract(opened));
    describe('ObservationStore › sums of buckets', () => bucketSumsContract(opened));
    describe('ObservationStore › summaries of many stations', () => manySummariesContract(opened));
    describe('ObservationStore › wind rose', () => windRoseContract(opened));
    describe('UploadStore', () => uploadStoreContract(opened));
    describe('AlarmStore', () => alarmStoreContract(opened, reopen));
    describe('HookStore', () => hookStoreContract(opened));
    describe('LeaseStore', () => leaseStoreContract(opened));
    describe('hooks', () => hooksContract(opened));
    describe('ImportLog', () => importLogContract(opened));
    describe('ObservationStore › undo', () => importUndoContract(opened));
    describe('DayTableStore', () => dailyAggregatesContract(opened));
    describe('ObservationStore › erase', () => eraseContract(opened, raw));
    // Operations of the main process alone, and others that go the same way as those above.
    if (title !== name) return;
    describe('ObservationStore › daily values', () => dailyValuesContract(opened, raw));
    describe('AuditStore', () => auditStoreContract(() => stores.audit));
    describe('StationStore › recheck', () => recheckOfChangesContract(opened));
    describe('StationStore › damaged stations', () => damagedStationsContract(opened, reopen, raw));
    describe('ObservationStore › keys of rows', () => keyedRowsContract(opened, reopen, raw));
    describe('DataVerifier', () => discardContract(opened, raw));
    describe('RecheckStore', () => recheckContract(opened));
    describe('ObservationStore › removal of old rows', () => retentionContract(opened));
    describe('ObservationStore › append', () => copiedRowsContract(opened));
    describe('TransferStore', () => transferStoreContract(opened));
    describe('KeyStore', () => keyStoreContract(() => stores.keys));
  });
}
