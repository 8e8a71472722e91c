import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { sqliteStore } from '#adapters/store-sqlite/database/sqlite-store.js';
import type { User } from '#domain/accounts/user.js';
import type { DomainError } from '#domain/domain-error.js';

/**
 * A process that limits the size of its files for some time, which simulates a full disk. The process sends the errors of the
 * store to its parent.
 */
const file = process.argv[2] ?? '';
const database = new SqliteDatabase(file);
await database.open();
const store = sqliteStore(database, 'credentials');
const user = (count: number): User => ({
  id: `user${count}`,
  name: `user${count}`,
  email: null,
  passwordHash: '$'.repeat(10_000),
  enabled: true,
  administrator: false,
  stations: [],
  createdAt: 0,
});
const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`]);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: DomainError) => error,
  );

await store.add(user(0));
limitFiles(statSync(`${file}-wal`).size);
const write = await failureOf(store.add(user(1)));
const whileFull = await failureOf(database.check());
const read = await store.findByName('user0');
limitFiles('unlimited');
// The store waits one second before its next attempt to write.
let afterwards: DomainError | null = null;
for (let attempt = 0; attempt < 100; attempt += 1) {
  afterwards = await failureOf(database.check());
  if (afterwards === null) break;
  await new Promise((resolve) => setTimeout(resolve, 100));
}
await database.close();
process.send?.({
  write: write?.code,
  whileFull: whileFull?.message,
  read: read?.id,
  afterwards: afterwards?.message ?? null,
});
