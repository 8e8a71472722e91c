import { expect } from 'chai';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { WriteTally } from '#application/observations/ingest/write-tally.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const START = Date.UTC(2013, 0, 1);
const from = (address: string | null): Caller => ({ actor: null, address, network: address, requestId: 'r' });

describe('WriteTally', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    for (const id of ['a', 'b']) await addStation(world, { id });
  });

  /** Writes rows of stations, one hour apart. */
  const write = (stations: readonly number[], caller = from('192.0.2.7'), first = START) =>
    world.get(RecordBatches).execute(
      (async function* () {
        yield {
          stations: Uint32Array.from(stations),
          times: Float64Array.from(stations, (_station, row) => first + row * MILLISECONDS.hour),
          columns: sentColumns({ 1: stations.map(() => 7) }),
        };
      })(),
      caller,
    );
  const tally = () => world.get(WriteTally);
  const events = async () => {
    await tally().flush();
    const all = await world.stores.audit.list(5000);
    return all.toReversed().filter(({ action }) => action === 'observations-write');
  };
  const short = async () =>
    (await events()).map(({ actor, address, subject, detail }) => [actor, address, subject, detail?.rows]);

  it('has an event for each source, station and day, however many writes there are', async () => {
    for (let round = 0; round < 5; round += 1) {
      await write([1, 2, 1], from('192.0.2.7'), START + round * MILLISECONDS.day);
      if (round === 2) await tally().flush();
    }
    await write([2], from(null));
    world.clock.time += MILLISECONDS.day;
    await write([1, 1]);
    expect(await short()).to.deep.equal([
      ['internal API', '192.0.2.7', 'a', 10],
      ['internal API', '192.0.2.7', 'b', 5],
      ['internal API', 'socket', 'b', 1],
      ['internal API', '192.0.2.7', 'a', 2],
    ]);
    const [first] = await events();
    expect(first?.detail).to.deep.equal({
      from: START,
      to: START + 4 * MILLISECONDS.day + 2 * MILLISECONDS.hour,
      rows: 10,
    });
  });

  it('counts the rows that were accepted, and no others', async () => {
    await write([1, 99, 2], from('192.0.2.7'), START);
    await write([1], from('192.0.2.7'), Date.UTC(1500, 0, 1));
    expect(await short()).to.deep.equal([
      ['internal API', '192.0.2.7', 'a', 1],
      ['internal API', '192.0.2.7', 'b', 1],
    ]);
  });

  it('leaves out rows of a station that is removed while they come in', async () => {
    const { stations } = world.stores;
    const version = await stations.version();
    await world.get(StationDirectory).current();
    await stations.hide('b', 1);
    stations.version = async () => version; // The new station is not in the directory yet.
    await write([1, 2, 2]);
    expect(await short()).to.deep.equal([['internal API', '192.0.2.7', 'a', 1]]);
  });

  it('bounds the sources of a day; further ones are counted together', async () => {
    for (let source = 0; source < 300; source += 1) await write([1], from(`2001:db8::${source}`));
    const counted = await short();
    expect(counted).to.have.length(257);
    expect(counted.at(-1)).to.deep.equal(['internal API', 'others', 'a', 44]);
    await write([1], from('2001:db8::3'));
    expect(await short()).to.have.length(257);
  });

  it('keeps counts that could not be written for the next time, and adds to them', async () => {
    const { audit } = world.stores;
    const write1 = audit.tally.bind(audit);
    audit.tally = () => Promise.reject(new Error('down'));
    await write([1]);
    const failure: unknown = await tally()
      .flush()
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'down');
    await write([1, 1, 2]);
    await tally()
      .flush()
      .catch(() => undefined);
    audit.tally = write1;
    expect(await short()).to.deep.equal([
      ['internal API', '192.0.2.7', 'a', 3],
      ['internal API', '192.0.2.7', 'b', 1],
    ]);
  });

  it('is flushed when the application closes', async () => {
    await write([1]);
    await world.container.unbindAllAsync();
    const all = await world.stores.audit.list(10);
    expect(all.filter(({ action }) => action === 'observations-write')).to.have.length(1);
  });

  it('a batch of one station has its own event, with the outcomes', async () => {
    const send = (values: number[]) =>
      world.get(RecordObservations).execute(
        {
          stations: 'a',
          times: Float64Array.from(values, (_value, row) => START + row * MILLISECONDS.hour),
          columns: sentColumns({ air_temperature: values }),
        },
        { ...CALLER, actor: 'ada' },
      );
    await send([1, 2, Infinity]);
    await send([1, 9, 3]);
    await send([Infinity]);
    const [first, second, ...rest] = await events();
    expect(first).to.deep.include({
      actor: 'ada',
      address: CALLER.address,
      subject: 'a',
      requestId: 'request-1',
    });
    const range = { from: START, to: START + MILLISECONDS.hour };
    expect(first?.detail).to.deep.equal({
      ...range,
      rows: 2,
      inserted: 2,
      updated: 0,
      unchanged: 0,
      rejected: 1,
    });
    expect(second?.detail).to.include({ rows: 3, inserted: 1, updated: 1, unchanged: 1, rejected: 0 });
    expect(rest).to.deep.equal([]);
  });
});
