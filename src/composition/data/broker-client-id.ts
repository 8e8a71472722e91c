import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { makeFolder } from './folders.js';

/** A client id of 23 letters and digits. This is the longest id that every broker accepts (MQTT 3.1.1, 3.1.3.1). */
const ID = /^weatherd[0-9a-f]{15}$/;

/**
 * Returns the client id of this data directory. The broker keeps the session of the client under this id. The first call creates
 * the id and writes it to a file; later calls read the file.
 *
 * @throws Error with the reason why the file cannot be used
 */
export function brokerClientId(config: Pick<Config, 'DATA_DIR'>): string {
  const file = join(config.DATA_DIR, 'mqtt-client-id');
  try {
    const id = readFileSync(file, 'utf8').trim();
    if (!ID.test(id)) throw new Error('the file does not contain a client id. Remove the file to get a new id.');
    return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  const id = `weatherd${randomBytes(8).toString('hex').slice(1)}`;
  makeFolder(config.DATA_DIR);
  writeFileSync(file, `${id}\n`, { mode: 0o600 });
  return id;
}
