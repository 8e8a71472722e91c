import type { Database } from 'better-sqlite3';
import type { StoredKey } from '#application/ports/key-store.js';
import { DAMAGE_ADVICE } from './file-faults.js';

/**
 * Reads the signing keys in a backup.
 *
 * @throws Error if the file is not a backup, or a key cannot be read
 */
export function keysIn(database: Database): readonly StoredKey[] {
  const find = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup_key'");
  if (find.get() === undefined)
    throw new Error(
      'the file is a data file and not a backup: name a file that "weatherd backup" has written',
    );
  return database.prepare<[], string>('SELECT content FROM backup_key').pluck().all().map(keyIn);
}

function keyIn(content: string): StoredKey {
  try {
    const key = JSON.parse(content) as StoredKey;
    if (typeof key.id === 'string') return key;
  } catch {
    // The content is not JSON.
  }
  throw new Error(`a signing key in the backup cannot be read: ${DAMAGE_ADVICE.backup}`);
}
