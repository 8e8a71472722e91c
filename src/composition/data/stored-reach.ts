import { existsSync } from 'node:fs';
import type { Config } from '../config.js';
import { withStoredReach } from '../settings/uploads-reach.js';
import { dataFile } from './data-location.js';

/**
 * The settings with those that are kept in the data, for commands that examine an installation. Nothing is changed and no data are
 * created.
 *
 * @throws Error if the data cannot be read
 */
export async function readStoredSettings(config: Config): Promise<Config> {
  if (config.uploadsSource !== 'default') return config;
  return withStoredReach(config, await stored(config));
}

async function stored(config: Config): Promise<string | undefined> {
  const file = dataFile(config);
  if (file === undefined) {
    const { storedSetting } = await import('#adapters/store-postgres/examine/stored-setting.js');
    return await storedSetting(config.DATABASE_URL, 'uploads');
  }
  if (!existsSync(file)) return undefined;
  const { storedSetting } = await import('#adapters/store-sqlite/files/stored-setting.js');
  return storedSetting(file, 'uploads');
}
