import type BetterSqlite from 'better-sqlite3';

/**
 * Version 13 of better-sqlite3 where it is installed, which is on Node.js 22 and later, and version 12 elsewhere. On Node.js
 * 24.19 and later version 12 ends the process as soon as a statement is collected as garbage.
 *
 * @throws Error when neither is installed
 */
export const Sqlite = await loadDriver();

async function loadDriver(): Promise<typeof BetterSqlite> {
  const found = (await importIfInstalled('better-sqlite3-13')) ?? (await importIfInstalled('better-sqlite3'));
  if (found === undefined) throw new Error('better-sqlite3 is not installed; npm ci tells why');
  return found;
}

async function importIfInstalled(name: string): Promise<typeof BetterSqlite | undefined> {
  try {
    return ((await import(name)) as { default: typeof BetterSqlite }).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
