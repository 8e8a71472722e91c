import { SqliteCredentialStore } from '#adapters/store-sqlite/accounts/sqlite-credential-store.js';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';

/** A process that adds users until it is killed, and sends its parent the number of acknowledged ones. */
const database = new SqliteDatabase(process.argv[2] ?? '');
await database.open();
const store = new SqliteCredentialStore(database);
for (let count = 1; ; count += 1) {
  const name = `user${count}`;
  await store.add({
    id: name,
    name,
    email: null,
    passwordHash: '$',
    enabled: true,
    administrator: false,
    stations: [],
    createdAt: 0,
  });
  process.send?.(count);
}
