import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Connection } from '../../src/adapters/store-sqlite/connection.js';
import { observationOperations } from '../../src/adapters/store-sqlite/observation-operations.js';
import { ObservationReader } from '../../src/adapters/store-sqlite/observation-reader.js';
import { stationOperations } from '../../src/adapters/store-sqlite/station-operations.js';
import { replacing } from '../../src/domain/station-edit.js';
import { JFK } from '../contracts/station-store.js';

const START = Date.UTC(2024, 0, 1);

describe('observationOperations', () => {
  it('know nothing of a write that the disk had no room for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new Connection(join(folder, 'weatherd.db'));
    const { writeObservations, mergeAllRuns } = observationOperations(database);
    stationOperations(database, mergeAllRuns).changeStations([replacing(JFK)]);
    const station = 1; // The first of a new file.
    const rows = (from: number, count: number) => ({
      batch: {
        stations: new Uint32Array(count).fill(station),
        times: Float64Array.from({ length: count }, (_, row) => START + (from + row) * 600_000),
        values: new Map([[1, Float64Array.from({ length: count }, (_, row) => row % 7)]]),
        flags: new Map(),
      },
      rules: new Map(),
    });
    writeObservations([rows(0, 10)]);
    const pages = database.pragma('page_count', { simple: true }) as number;
    database.pragma(`max_page_count = ${pages + 4}`);
    expect(() => writeObservations([rows(10, 50_000)])).to.throw('full');
    database.pragma('max_page_count = 1000000');
    const { outcomes } = writeObservations([rows(10, 20)]);
    expect(outcomes[0]).to.include({ inserted: 20, updated: 0 });
    mergeAllRuns();
    const { state } = new ObservationReader(database).state(station);
    expect(state.lastSeen).to.equal(START + 29 * 600_000);
    database.close();
    await rm(folder, { recursive: true });
  });
});
