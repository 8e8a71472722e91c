import { expect } from 'chai';
import sinon from 'sinon';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { SLICE } from '#application/observations/ingest/slices.js';
import { WriteEvents } from '#application/observations/ingest/write-events.js';
import { MILLISECONDS } from '#domain/time.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const START = Date.UTC(2013, 0, 1);

describe('RecordObservations', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['a', 'b']) await addStation(world, { id });
  });

  const write = (sent: SentRows, events?: WriteEvents) =>
    world.get(RecordObservations).execute(sent, CALLER, events && { events });
  /** Rows of stations, an hour apart, with the number of the row as temperature. */
  const rowsOf = (...ids: readonly string[]): SentRows => ({
    stations: ids,
    times: Float64Array.from(ids, (_id, row) => START + row * MILLISECONDS.hour),
    columns: sentColumns({ air_temperature: ids.map((_id, row) => row) }),
  });
  const stored = async (station: number) => {
    const values: number[] = [];
    const query = { stations: [station], from: START, to: START + MILLISECONDS.day * 999 };
    for await (const batch of world.stores.observations.read(query))
      values.push(...(batch.values.get(1) ?? []));
    return values;
  };
  const events = async () =>
    (await world.stores.audit.list(9))
      .filter(({ action }) => action === 'observations-write')
      .map(({ subject, detail }) => [subject, detail?.rows, detail?.['rejected']]);

  it('takes one row of one station with values in named units', async () => {
    const receipt = await write({
      stations: 'a',
      times: Float64Array.of(START),
      columns: [{ variable: 'air_temperature', unit: '°F', values: Float64Array.of(39.02) }],
    });
    expect(receipt).to.include({ inserted: 1, rejected: 0 });
    expect(await stored(1)).to.deep.equal([3.9]);
  });

  it('takes rows of many stations by their ids, and rejects those of stations that do not exist', async () => {
    const receipt = await write(rowsOf('b', 'a', 'none', 'b', 'a', 'a'));
    expect(receipt).to.deep.equal({
      inserted: 5,
      updated: 0,
      unchanged: 0,
      repeated: 0,
      repetitions: [],
      rejected: 1,
      rejections: [{ row: 2, reason: 'station', variable: 0, text: 'is not known' }],
    });
    expect([await stored(1), await stored(2)]).to.deep.equal([
      [1, 4, 5],
      [0, 3],
    ]);
    expect(await events()).to.deep.equal([
      ['b', 2, 0],
      ['a', 3, 0],
    ]);
  });

  it('tells rows with the station and time of an earlier one, whose values they replace', async () => {
    const sent = rowsOf('a', 'b', 'a', 'a');
    const receipt = await write({ ...sent, times: Float64Array.of(START, START, START, START) });
    expect(receipt).to.deep.include({
      inserted: 2,
      repeated: 2,
      repetitions: [
        { index: 2, first: 0, replaces: true },
        { index: 3, first: 0, replaces: true },
      ],
    });
    expect(await stored(1)).to.deep.equal([3]);
  });

  it('tells whether a row with the time of an earlier one replaces a value, or only adds values of other variables', async () => {
    const columns = sentColumns({ air_temperature: [1, NaN, 3, NaN], wind_speed: [NaN, 5, NaN, 6] });
    const times = new Float64Array(4).fill(START);
    const { repetitions } = await write({ stations: 'a', times, columns });
    expect(repetitions).to.deep.equal([
      { index: 1, first: 0, replaces: false },
      { index: 2, first: 0, replaces: true },
      { index: 3, first: 0, replaces: true },
    ]);
    expect(await stored(1)).to.deep.equal([3]);
  });

  it('rejects values that are not finite in the stored unit', async () => {
    const columns = sentColumns({ visibility_in_air: [1e308, 1] }, { visibility_in_air: 'mi' });
    const receipt = await write({ stations: 'a', times: Float64Array.of(START, START + 1), columns });
    expect(receipt).to.deep.include({
      inserted: 1,
      rejections: [{ row: 0, reason: 'value', variable: 14, text: 'is not finite' }],
    });
  });

  it('counts the rejected rows of each station in its event', async () => {
    const columns = sentColumns({ air_temperature: [1, Infinity, 2, NaN, NaN] });
    await write({ ...rowsOf('a', 'a', 'b', 'b', 'b'), columns });
    expect(await events()).to.have.deep.members([
      ['a', 1, 1],
      ['b', 1, 2],
    ]);
  });

  it('rejects the rows of a station that is removed while they are under way, and keeps the others', async () => {
    const { observations, stations } = world.stores;
    const original = observations.write.bind(observations);
    observations.write = async (writes) => {
      await stations.remove('b');
      return await original(writes);
    };
    const receipt = await write(rowsOf('a', 'b', 'a', 'b'));
    expect(receipt).to.include({ inserted: 2, rejected: 2 });
    expect(receipt.rejections.map(({ row, reason }) => [row, reason])).to.deep.equal([
      [1, 'station'],
      [3, 'station'],
    ]);
    await addStation(world, { id: 'c' });
    const { length } = await events();
    observations.write = async (writes) => {
      await stations.remove('c');
      return await original(writes);
    };
    await domainErrorOf(write({ ...rowsOf('c'), stations: 'c' }), 'STATION_UNKNOWN');
    expect(await events()).to.have.length(length);
  });

  it('writes the slices of a station one after the other, and leaves out what comes after a failure', async () => {
    const failure = new Error('the disk is full');
    const store = sinon.stub(world.stores.observations, 'write').callThrough();
    store.onSecondCall().rejects(failure);
    const ids = Array.from({ length: 3 * SLICE }, () => 'a');
    expect(await rejectionOf(write(rowsOf(...ids)))).to.equal(failure);
    expect(store.callCount).to.equal(2);
    expect(await events()).to.deep.equal([['a', SLICE, 0]]);
  });

  it('gathers events over several calls where the caller asks for it, and keeps what cannot be written', async () => {
    const gathered = new WriteEvents(world.get(AuditTrail), CALLER);
    await write(rowsOf('a', 'b', 'b'), gathered);
    expect(await events()).to.deep.equal([]);
    const failure = new Error('down');
    const appendAll = sinon.stub(world.stores.audit, 'appendAll').rejects(failure);
    expect(await rejectionOf(gathered.flush())).to.equal(failure);
    appendAll.restore();
    await write(rowsOf('b'), gathered);
    await gathered.flush();
    await gathered.flush();
    expect(await events()).to.deep.equal([
      ['b', 3, 0],
      ['a', 1, 0],
    ]);
  });
});
