import type { SettingStore } from '#application/ports/setting-store.js';
import { appendEvents } from '../accounts/audit.js';
import { send } from '../run-operation.js';
import { sql } from '../sql.js';
import { type OperationsOf, present, transaction } from '../store-operations.js';
import { recordNamed } from '../records.js';

/** The name of the record of a setting. Names of other records begin differently. */
export const recordOfSetting = (name: string) => `setting ${name}`;

/**
 * Operations on settings. A setting is stored as a record, as a lease is, so that no new table is needed and an earlier version of
 * this program can still open the data.
 */
export const SETTINGS: OperationsOf<SettingStore> = {
  find: present(function* (name) {
    return (yield* recordNamed(recordOfSetting(name)))?.text;
  }),

  put: transaction(function* (name, text, event) {
    yield* send(
      sql`INSERT INTO weatherd.upload_record (name, key, revision, time, text)
          VALUES (${recordOfSetting(name)}, NULL, 1, ${event.time}, ${text})
          ON CONFLICT (name) DO UPDATE SET
            revision = upload_record.revision + 1, time = excluded.time, text = excluded.text`,
    );
    yield* appendEvents([event]);
  }),
};
