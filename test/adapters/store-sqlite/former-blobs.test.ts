import { join } from 'node:path';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import type { Stores } from '#application/ports/stores.js';
import { describeRows, hourlyRows } from '../../contracts/stores/erase.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { olderBlob, olderDailyAggregates } from '../../support/older-blob.js';
import { Place } from '../../support/place.js';
import { RawStore } from '../../support/raw-store.js';
import { WATCH } from '../../support/verify-watch.js';

const NEVER = new AbortController().signal;

describe('blobs of former versions', () => {
  let place: Place;
  let stores: Stores;

  beforeEach(async () => {
    place = await Place.make('sqlite');
    stores = await place.open();
  });
  afterEach(async () => {
    await stores.close();
    await place.remove();
  });

  it('are read as before, and are rewritten with the key in their checksums, except for damaged ones', async () => {
    const made = await stores.stations.put(
      ['a', 'b'].map((id) => ({ ...JFK, id, timeZone: 'UTC', limits: {} })),
    );
    const hours = Array.from({ length: 24 * 90 }, (_, hour) => hour);
    const importNumber = await stores.importLog.begin('key', 'rows.csv', 1);
    for (const { station } of made)
      await stores.observations.write([
        { batch: hourlyRows(hours.map((hour) => [station.number, hour, { 1: hour % 30 }])), importNumber },
      ]);
    await stores.merge?.(NEVER);
    const [a] = made.map(({ station }) => station.number);
    const [start, end] = [Date.UTC(2024, 6, 1), Date.UTC(2024, 7, 1)];
    const [newest] = await stores.observations.newest([a ?? 0]);
    const table = {
      start,
      end,
      days: 31,
      reportingInterval: null,
      rules: 1,
      unusualMethods: [],
      positionCode: 0,
      routine: new Map(),
      sums: new Map(),
    };
    await stores.dailyAggregates.put(a ?? 0, newest?.revision ?? '', 'UTC', [table]);
    const rows = await describeRows(stores);
    expect(await stores.rewriteFormer?.(NEVER)).to.equal(0);
    await stores.close();
    const database = new Sqlite(join(place.folder, 'weatherd.db'));
    let former = 0;
    for (const name of ['chunk', 'day_table', 'import_journal']) {
      const blobs = database
        .prepare<[], { id: number; data: Buffer }>(`SELECT rowid AS id, data FROM ${name}`)
        .all();
      const put = database.prepare(`UPDATE ${name} SET data = ? WHERE rowid = ?`);
      // There was no second version of journals.
      const older =
        name === 'day_table'
          ? olderDailyAggregates
          : (data: Buffer) => olderBlob(data, name === 'import_journal' ? 1 : 2);
      for (const { id, data } of blobs) put.run(older(data), id);
      former += blobs.length;
    }
    expect(former).to.be.greaterThan(20);
    const last = database.prepare<[], number>('SELECT max(key) FROM chunk').pluck().get() ?? 0;
    database.prepare("UPDATE chunk SET data = CAST(data || x'00' AS BLOB) WHERE key = ?").run(last);
    database.close();
    stores = await place.open();
    expect(await stores.rewriteFormer?.(NEVER)).to.equal(former - 1);
    expect(await stores.rewriteFormer?.(NEVER)).to.equal(0);
    expect((await stores.verifier.verify(WATCH))?.damage).to.have.length(1);
    const raw = new RawStore(place);
    for (const name of ['chunk', 'day_table', 'import_journal']) {
      const versions = await raw.run(`SELECT DISTINCT hex(substr(data, 5, 4)) AS version FROM ${name}`);
      expect(versions.map(({ version }) => version)).to.include('03000000');
    }
    await raw.run('UPDATE chunk SET data = substr(data, 1, length(data) - 1) WHERE key = ?', [last]);
    await stores.close();
    stores = await place.open();
    expect(await stores.rewriteFormer?.(NEVER)).to.equal(1);
    expect(await describeRows(stores)).to.deep.equal(rows);
    const { damage, differences } = (await stores.verifier.verify(WATCH)) ?? {};
    expect([damage, differences]).to.deep.equal([[], []]);
  });
});
