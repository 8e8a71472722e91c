import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { sqliteStore } from '#adapters/store-sqlite/database/sqlite-store.js';

/** A process that adds users until it is killed. The process sends the number of acknowledged users to its parent. */
const database = new SqliteDatabase(process.argv[2] ?? '');
await database.open();
const store = sqliteStore(database, 'credentials');
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
