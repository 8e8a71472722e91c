import { expect } from 'chai';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { BeginImport } from '#application/observations/imports/begin-import.js';
import { EndImport } from '#application/observations/imports/end-import.js';
import { ListImports } from '#application/observations/imports/list-imports.js';
import { UndoImport } from '#application/observations/imports/undo-import.js';
import { GetLatest } from '#application/observations/read/get-latest.js';
import { Housekeep } from '#application/operation/housekeep.js';
import type { Announcement } from '#application/ports/announcer.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import * as tokens from '#composition/graph/tokens.js';
import { openLocalStores } from '../../../support/local-stores.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;

describe('UndoImport', () => {
  let world: World;
  let number: number;
  beforeEach(async () => {
    // Each step takes back one write.
    world = await World.make({}, openLocalStores(-1));
    for (const id of ['JFK', 'LGA']) await addStation(world, { id });
    number = await world.get(BeginImport).execute('key', 'rows.csv');
  });

  /** Writes hourly temperatures as rows of the import. */
  const write = (values: readonly number[], station = 'JFK') => {
    const start = world.clock.now() - 100 * 3_600_000;
    const times = Float64Array.from(values, (_value, hour) => start + hour * 3_600_000);
    const sent = { stations: station, times, columns: sentColumns({ air_temperature: values }) };
    return world.get(RecordObservations).execute(sent, CALLER, { importNumber: number });
  };
  const undo = (signal?: AbortSignal) => world.get(UndoImport).execute(number, CALLER, signal);
  const lastSeen = async () => (await world.get(GetLatest).execute('JFK')).newest.lastSeen;
  const events = async () => (await world.auditTrail()).filter((event) => event.startsWith('import-undo'));

  it('announces the changed rows, and records an event for each station', async () => {
    const announced: Announcement[] = [];
    world.container.get(tokens.Announcer).subscribe(['observations'], (one) => announced.push(one));
    await write([1, 2]);
    await write([3], 'LGA');
    await world.get(EndImport).execute(number);
    const delivered = () => new Promise((resolve) => setImmediate(resolve));
    await delivered();
    announced.length = 0;
    const { counts, wasDone } = await undo();
    expect([wasDone, counts.takenBack]).to.deep.equal([false, { rows: 3, values: 3 }]);
    await delivered();
    expect(announced.map(({ kind }) => kind)).to.deep.equal(['observations', 'observations']);
    expect(await lastSeen()).to.equal(null);
    expect(await events()).to.have.length(2);
  });

  it('is continued after an interruption, with the counts of both parts and one event', async () => {
    for (const values of [[1], [2, 3], [4, 5, 6]]) await write(values);
    const interruption = new AbortController();
    const { observations } = world.stores;
    const original = observations.undo.bind(observations);
    let steps = 0;
    observations.undo = async (which) => {
      const step = await original(which);
      steps += 1;
      if (steps === 1) interruption.abort();
      return step;
    };
    expect(await rejectionOf(undo(interruption.signal))).to.have.property('name', 'AbortError');
    expect(steps).to.equal(1);
    const [listed] = await world.get(ListImports).execute(10);
    expect([listed?.undo?.endedAt, listed?.undo?.counts.takenBack.rows]).to.deep.equal([null, 3]);
    const { counts } = await undo();
    expect(counts.takenBack).to.deep.equal({ rows: 6, values: 6 });
    expect(await lastSeen()).to.equal(null);
    expect(await events()).to.have.length(1);
    expect((await undo()).wasDone).to.equal(true);
  });

  it('is refused for an unknown import, and for one that is older than 30 days', async () => {
    await write([1, 2]);
    expect(
      (await domainErrorOf(world.get(UndoImport).execute(99, CALLER), 'IMPORT_UNKNOWN')).message,
    ).to.equal('There is no import 99.');
    world.clock.time += 30 * DAY;
    await world.get(Housekeep).execute();
    expect((await world.get(ListImports).execute(10))[0]).to.include({ isForgotten: false });
    world.clock.time += 1;
    await world.get(Housekeep).execute();
    expect((await world.get(ListImports).execute(10))[0]).to.include({
      isForgotten: true,
      rows: 2,
      bytes: 0,
    });
    const { message } = await domainErrorOf(undo(), 'REQUEST_INVALID');
    expect(message).to.match(/^Import 1 can no longer be undone: /);
    expect(await events()).to.deep.equal([]);
    expect(await lastSeen()).not.to.equal(null);
  });

  it('waits for the restoration of a station that is removed', async () => {
    await write([1]);
    await world.get(RemoveStation).execute('JFK', CALLER);
    const { message } = await domainErrorOf(undo(), 'STATION_REMOVED');
    expect(message).to.contain('the removed station "JFK". Restore the station first.');
    expect(await events()).to.deep.equal([]);
    await world.get(RestoreStation).execute('JFK', CALLER);
    expect((await undo()).counts.removed).to.equal(1);
  });

  it('lists removed stations by their number', async () => {
    await write([1]);
    await write([1], 'LGA');
    await world.get(RemoveStation).execute('JFK', CALLER);
    expect((await world.get(ListImports).execute(10))[0]?.stations).to.deep.equal(['number 1', 'LGA']);
  });
});
