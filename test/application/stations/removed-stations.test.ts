import { expect } from 'chai';
import sinon from 'sinon';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { GetLatest } from '#application/observations/read/get-latest.js';
import { GetNewestRows } from '#application/observations/read/get-newest-rows.js';
import { ListLatest } from '#application/observations/read/list-latest.js';
import { StreamObservations } from '#application/observations/read/stream-observations.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { EraseStation } from '#application/stations/erase-station.js';
import { FindStations } from '#application/stations/find-stations.js';
import { ListRemovedStations } from '#application/stations/list-removed-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import { RESTORABLE } from '#domain/weather/station.js';
import { domainErrorOf } from '../../support/rejection.js';
import { addStation, record, sentColumns } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

describe('a removed station', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['JFK', 'LGA']) {
      await addStation(world, { id });
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2] }, id);
    }
    await world.get(RemoveStation).execute('JFK', CALLER);
  });

  afterEach(() => sinon.restore());

  const rowsOfAll = async () => {
    const all = { stations: undefined, variables: undefined, from: -8.64e15, to: 8.64e15 };
    let rows = 0;
    for await (const batch of world.get(StreamObservations).execute(all)) rows += batch.times.length;
    return rows;
  };
  const erased = async () => (await world.auditTrail()).filter((event) => event.startsWith('station-erase'));

  it('is not returned by any read', async () => {
    await domainErrorOf(world.get(DescribeStation).execute('JFK'), 'STATION_UNKNOWN');
    await domainErrorOf(world.get(GetLatest).execute('JFK'), 'STATION_UNKNOWN');
    await domainErrorOf(world.get(GetNewestRows).execute([1]), 'STATION_UNKNOWN');
    expect((await world.get(ListStations).execute()).map(({ id }) => id)).to.deep.equal(['LGA']);
    const { stations } = await world.get(FindStations).execute({ text: 'jfk' }, 0, 10);
    expect(stations.map(({ station }) => station.id)).to.deep.equal(['LGA']);
    expect((await world.get(ListLatest).execute({}, 0, 10)).stations).to.have.length(1);
    expect((await world.get(GetNewestRows).execute(undefined)).times).to.have.length(1);
    const surveyed: string[] = [];
    for await (const page of world.get(ListInventories).execute()) {
      surveyed.push(...page.map(({ station }) => station.id));
    }
    expect(surveyed).to.deep.equal(['LGA']);
    expect(await rowsOfAll()).to.equal(2);
  });

  it('accepts no observations, by its id or by its number', async () => {
    await domainErrorOf(record(world, '2013-01-02T00:00:00Z', { air_temperature: [1] }), 'STATION_UNKNOWN');
    const batches = (async function* () {
      const times = Float64Array.of(1_400_000_000_000);
      yield { stations: Uint32Array.of(1), times, columns: sentColumns({ 1: [3] }) };
    })();
    const receipt = await world.get(RecordBatches).execute(batches, CALLER);
    expect(receipt.rejections).to.deep.equal([
      { row: 0, variable: 0, reason: 'station', text: 'is not known' },
    ]);
  });

  it('comes back with its observations, and both are in the audit trail', async () => {
    const station = await world.get(RestoreStation).execute('JFK', CALLER);
    expect(station.number).to.equal(1);
    await world.get(RestoreStation).execute('JFK', CALLER);
    expect((await world.get(DescribeStation).execute('JFK')).inventory.count).to.equal(2);
    expect(await rowsOfAll()).to.equal(4);
    expect((await world.auditTrail()).slice(-2)).to.deep.equal([
      'station-remove done JFK',
      'station-restore done JFK',
    ]);
    await domainErrorOf(world.get(RestoreStation).execute('none', CALLER), 'STATION_UNKNOWN');
  });

  it('is removed permanently after thirty days, and not before', async () => {
    world.clock.time += RESTORABLE - 1;
    await world.get(Housekeep).execute();
    const [removed, ...others] = await world.get(ListRemovedStations).execute();
    expect(removed?.inventory.count).to.equal(2);
    expect(others).to.deep.equal([]);
    world.clock.time += 1;
    await world.get(Housekeep).execute();
    expect(await world.get(ListRemovedStations).execute()).to.deep.equal([]);
    expect(await erased()).to.deep.equal(['station-erase done JFK']);
    await domainErrorOf(world.get(RestoreStation).execute('JFK', CALLER), 'STATION_UNKNOWN');
  });

  it('that cannot be removed permanently does not delay others, and each is in the audit trail', async () => {
    await addStation(world, { id: 'ABC' });
    for (const id of ['ABC', 'LGA']) await world.get(RemoveStation).execute(id, CALLER);
    world.clock.time += RESTORABLE;
    const { stations } = world.stores;
    const remove = sinon.stub(stations, 'remove').callThrough();
    remove.withArgs('JFK').rejects(new Error('no disk'));
    sinon.stub(stations, 'erased').resolves([7, 8]);
    const eraseRows = sinon.stub(stations, 'eraseRows');
    eraseRows.withArgs(7).rejects(new Error('no disk'));
    eraseRows.withArgs(8).onFirstCall().resolves(true).resolves(false);
    const failure = await world
      .get(Housekeep)
      .execute()
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no disk');
    expect(await erased()).to.deep.equal(['station-erase done ABC', 'station-erase done LGA']);
    expect(eraseRows.args).to.deep.equal([[7], [8], [8]]);
  });

  it('has its rows deleted until the service stops, after the running step', async () => {
    const { stations } = world.stores;
    const stopping = new AbortController();
    sinon.stub(stations, 'erased').resolves([7, 8]);
    const eraseRows = sinon.stub(stations, 'eraseRows').resolves(true);
    eraseRows.onSecondCall().callsFake(async () => {
      stopping.abort();
      return true;
    });
    await world.get(Housekeep).execute(stopping.signal);
    expect(eraseRows.args).to.deep.equal([[7], [7]]);
  });

  it('is recorded before its rows are deleted', async () => {
    const { stations } = world.stores;
    sinon.stub(stations, 'erased').resolves([1]);
    sinon.stub(stations, 'eraseRows').rejects(new Error('no disk'));
    const failure = await world
      .get(EraseStation)
      .execute('JFK', CALLER)
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no disk');
    expect(await erased()).to.deep.equal(['station-erase done JFK']);
  });

  it('can be removed for good at once', async () => {
    await world.get(EraseStation).execute('JFK', CALLER);
    await world.get(EraseStation).execute('LGA', CALLER);
    await domainErrorOf(world.get(EraseStation).execute('JFK', CALLER), 'STATION_UNKNOWN');
    expect(await erased()).to.deep.equal(['station-erase done JFK', 'station-erase done LGA']);
    expect(await rowsOfAll()).to.equal(0);
  });
});
