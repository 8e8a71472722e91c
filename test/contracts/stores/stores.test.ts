import { expect } from 'chai';
import type { CredentialStore } from '../../../src/application/ports/credential-store.js';
import type { Stores } from '../../../src/application/ports/stores.js';
import { Place, storeNames } from '../../support/place.js';
import { auditStoreContract } from './audit-store.js';
import { copiedRowsContract } from './copied-rows.js';
import { credentialStoreContract } from './credential-store.js';
import { dayTablesContract } from './day-tables.js';
import { eraseContract } from './erase.js';
import { grantContract } from './grants.js';
import { importLogContract } from './import-log.js';
import { importUndoContract } from './import-undo.js';
import { judgingContract } from './judging.js';
import { keyStoreContract } from './key-store.js';
import { observationStoreContract } from './observation-store.js';
import { retentionContract } from './retention.js';
import { sessionStoreContract } from './session-store.js';
import { signInStoreContract } from './sign-in-store.js';
import { stationChangesContract } from './station-changes.js';
import { stationStoreContract } from './station-store.js';
import { transferStoreContract } from './transfer-store.js';
import { uploadStoreContract } from './upload-store.js';

/** Runs the rules on every store. */
for (const name of storeNames) {
  describe(`stores › ${name}`, () => {
    let place: Place;
    let stores: Stores;

    beforeEach(async () => {
      place = await Place.make(name);
      stores = await place.open();
    });
    afterEach(async () => {
      await stores.close();
      await place.remove();
    });

    it('pass their checks', async () => {
      await stores.check();
      for (const check of stores.checks) expect(await check.check(), check.name).to.equal(undefined);
    });

    const opened = () => stores;
    const users = (): CredentialStore => stores.credentials;
    describe('CredentialStore', () => credentialStoreContract(users));
    describe('CredentialStore › grants', () => grantContract(opened));
    describe('SessionStore', () => sessionStoreContract(opened));
    describe('SignInStore', () => signInStoreContract(opened));
    describe('AuditStore', () => auditStoreContract(() => stores.audit));
    describe('StationStore', () => stationStoreContract(opened));
    describe('StationStore › changes', () => stationChangesContract(opened));
    describe('ObservationStore', () => observationStoreContract(opened));
    describe('UploadStore', () => uploadStoreContract(opened));
    describe('ImportLog', () => importLogContract(opened));
    describe('ObservationStore › undo', () => importUndoContract(opened));
    describe('DayTableStore', () => dayTablesContract(opened));
    describe('ObservationStore › erase', () => eraseContract(opened));
    describe('JudgingStore', () => judgingContract(opened));
    describe('ObservationStore › removal of old rows', () => retentionContract(opened));
    describe('ObservationStore › append', () => copiedRowsContract(opened));
    describe('TransferStore', () => transferStoreContract(opened));
    describe('KeyStore', () => keyStoreContract(() => stores.keys));
  });
}
