import { existsSync } from 'node:fs';
import type { StoredSettingName } from '#application/ports/setting-store.js';
import { recordOfSetting } from '#adapters/store/settings/setting-operations.js';
import { Sqlite } from '../database/driver.js';
import { BUSY_TIMEOUT } from './examine-file.js';

/** Reads a setting that is kept in a data file, without changing the file. @returns undefined if it was never set */
export function storedSetting(file: string, name: StoredSettingName): string | undefined {
  // See examine-file.ts.
  const database = new Sqlite(file, {
    readonly: existsSync(`${file}-wal`),
    fileMustExist: true,
    timeout: BUSY_TIMEOUT,
  });
  try {
    const select = database
      .prepare<[string], string>('SELECT text FROM upload_record WHERE name = ?')
      .pluck();
    return select.get(recordOfSetting(name));
  } finally {
    database.close();
  }
}
