import { mkdir, readFile, writeFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'chai';
import { restore, stub } from 'sinon';
import { PostgresDatabase } from '#adapters/store-postgres/database/postgres-database.js';
import { runWith } from '#adapters/store-postgres/database/statements.js';
import { PostgresObservationTables } from '#adapters/store-postgres/observations/observation-tables.js';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { SqliteObservationTables } from '#adapters/store-sqlite/observations/observation-tables.js';
import { ObservationWriter } from '#adapters/store-sqlite/observations/observation-writer.js';
import { moveDailyValues, type MovePosition, type MoveStep } from '#adapters/store/observations/move-daily-values.js';
import type { OldestChunks } from '#adapters/packed-store/chunks/chunk-days.js';
import type { Stores } from '#application/ports/stores.js';
import { variableNamed } from '#domain/weather/variables.js';
import { Place, storeNames } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { RawStore } from '../../support/raw-store.js';
import { contentOf, type StoredContent } from '../../support/stored-content.js';
import { WATCH } from '../../support/verify-watch.js';

/** Data of the last version that stored daily values in the rows of reports. The stations `years` and `sent` have some. */
const FORMER = fileURLToPath(new URL('../../../../test/fixtures/versions/schema-24-24/', import.meta.url));
const MAXIMUM = variableNamed('daily_maximum_air_temperature')?.number as number;
/** The bits of the daily values in the mask of a chunk. */
const DAILY_BITS = 2 ** 28;

const unpacked = async (name: string) => brotliDecompressSync(await readFile(join(FORMER, `${name}.br`)));

const INSTALL: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  sqlite: async ({ folder }) => {
    await writeFile(join(folder, 'weatherd.db'), await unpacked('weatherd.db'));
    await mkdir(join(folder, 'keys'));
    await cp(join(FORMER, 'keys'), join(folder, 'keys'), { recursive: true });
  },
  postgres: async ({ databaseUrl }) => {
    await (await postgresServer()).run(databaseUrl, (await unpacked('postgres.sql')).toString());
  },
};

/** Does some steps of the move, and then ends as if the process was killed. @returns the rows that each step has moved */
const STEPS: Readonly<Record<string, (place: Place, count: number) => Promise<number[]>>> = {
  sqlite: async ({ folder }, count) => {
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const writer = new ObservationWriter(database, 1000);
    const moved = await stepsOf(count, async (after) => writer.moveDailyValues(after));
    database.close();
    return moved;
  },
  postgres: async ({ databaseUrl }, count) => {
    const database = new PostgresDatabase(databaseUrl);
    await database.open();
    const moved = await stepsOf(count, (after) =>
      database.transaction((query) =>
        runWith(query, new PostgresObservationTables(query), moveDailyValues(after)),
      ),
    );
    await database.close();
    return moved;
  },
};

async function stepsOf(
  count: number,
  step: (after: MovePosition | undefined) => Promise<MoveStep>,
): Promise<number[]> {
  const moved: number[] = [];
  let after: MovePosition | undefined;
  for (let done = 0; done < count; done += 1) {
    const { rows, next } = await step(after);
    moved.push(rows);
    if (next === undefined) break;
    after = next;
  }
  return moved;
}

for (const name of storeNames) {
  describe(`daily values of an earlier version › ${name}`, () => {
    let place: Place;
    let content: StoredContent;

    beforeEach(async () => {
      place = await Place.make(name);
      await INSTALL[name]?.(place);
      ({ content } = JSON.parse((await unpacked(`${name}.json`)).toString()) as { content: StoredContent });
    });
    afterEach(async () => {
      restore();
      await place.remove();
    });

    const numberOf = async (stores: Stores, id: string) => (await stores.stations.find(id))?.number ?? 0;
    const daysOf = async (stores: Stores, station: number) => {
      let days = 0;
      const query = { stations: [station], from: -8.64e15, to: 8.64e15, variables: [MAXIMUM] };
      for await (const { times } of stores.observations.read(query)) days += times.length;
      return days;
    };
    /** All rows are as before, but daily values are in a series of their own. */
    const areMoved = async (stores: Stores) => {
      expect((await contentOf(stores)).rows).to.deep.equal(content.rows);
      const years = await numberOf(stores, 'years');
      expect(await daysOf(stores, years)).to.equal(3 * 365);
      const [inventory] = await stores.observations.inventory([years]);
      expect(inventory?.count).to.equal((20 * 24 * 2) / 3);
      expect(inventory?.days?.count).to.equal(3 * 365);
      const raw = new RawStore(place);
      expect(await raw.count('undivided')).to.equal(0);
      const ofReports = raw.isSqlite ? `key < ${2 ** 50}` : `station < ${2 ** 30}`;
      const mixed = await raw.run(`SELECT 1 FROM @chunk WHERE ${ofReports} AND variables > ${DAILY_BITS * 2 - 1}`);
      expect(mixed).to.deep.equal([]);
      const { damage, differences, faults } = await stores.verifier.verify(WATCH);
      expect({ damage, differences, faults }).to.deep.equal({ damage: [], differences: [], faults: [] });
    };

    it('are moved into a series of their own when the data are opened, once', async () => {
      const stores = await place.open();
      expect(stores.movedRows).to.equal(3 * 365 + 2);
      await areMoved(stores);
      await stores.close();
      const again = await place.open();
      expect(again.movedRows).to.equal(0);
      await areMoved(again);
      await again.close();
    });

    it('are moved if the process is killed between any two steps', async () => {
      // A step looks at two chunks only, so that there are many steps.
      const few = ({ chunks, isAll }: OldestChunks): OldestChunks => ({
        chunks: chunks.slice(0, 2),
        isAll: isAll && chunks.length <= 2,
      });
      const sqlite = stub(SqliteObservationTables.prototype, 'oldestChunks');
      sqlite.callsFake(function (this: SqliteObservationTables, ...parameters) {
        return few(sqlite.wrappedMethod.apply(this, parameters));
      });
      const postgres = stub(PostgresObservationTables.prototype, 'oldestChunks');
      postgres.callsFake(async function (this: PostgresObservationTables, ...parameters) {
        return few(await postgres.wrappedMethod.apply(this, parameters));
      });
      let moved = 0;
      for (const count of [1, 2, 3]) {
        const steps = await (STEPS[name] as (typeof STEPS)[string])(place, count);
        moved += steps.reduce((sum, rows) => sum + rows, 0);
      }
      expect(moved).to.be.within(100, 1000);
      restore();
      const stores = await place.open();
      expect(stores.movedRows).to.equal(3 * 365 + 2 - moved);
      await areMoved(stores);
      await stores.close();
    });

    it('are taken back by the undo of an import of the earlier version', async () => {
      const stores = await place.open();
      const years = await numberOf(stores, 'years');
      const imports = await stores.importLog.list(20);
      const own = imports.find(({ stations }) => stations.includes(years));
      await stores.importLog.beginUndo(own?.number ?? 0, 0);
      while (!(await stores.observations.undo(own?.number ?? 0)).isDone);
      expect((await stores.observations.inventory([years]))[0]).to.deep.equal({ first: null, last: null, count: 0, variables: [] });
      const undone = (await stores.importLog.find(own?.number ?? 0))?.undo?.counts;
      expect(undone?.overwritten).to.deep.equal({ rows: 0, values: 0 });
      await stores.close();
    });
  });
}
