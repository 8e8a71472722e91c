import { SqliteDatabase } from '../../src/adapters/store-sqlite/database/sqlite-database.js';
import { SqliteObservationStore } from '../../src/adapters/store-sqlite/observations/sqlite-observation-store.js';

/**
 * Writes a row of every station in each step and merges all the time, until it is killed. Sends the number of each step
 * that has been acknowledged.
 */
const [file = '', first = '0', count = '0'] = process.argv.slice(2);
const MINUTE = 60_000;

const database = new SqliteDatabase(file);
await database.open();
const store = new SqliteObservationStore(database);
const merging = async () => {
  for (let round = 0; ; round += 1) await store.merge(round % 4 === 3 ? 'all' : 'due');
};
void merging();
for (let step = Number(first); ; step += 1) {
  const stations = Uint32Array.from({ length: Number(count) }, (_, index) => index + 1);
  const times = new Float64Array(stations.length).fill(step * MINUTE);
  const values = new Map([[1, Float64Array.from(stations, (station) => (station + step) % 7)]]);
  await store.write([{ batch: { stations, times, values, flags: new Map() } }]);
  process.send?.(step);
}
