import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { LiveEncoder } from '#application/observations/live/live-event.js';
import {
  FollowObservations,
  type FollowRequest,
} from '#application/observations/live/follow-observations.js';
import { ObservationFeed } from '#application/observations/live/observation-feed.js';
import * as tokens from '#composition/graph/tokens.js';
import { DomainError } from '#domain/domain-error.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { addStation, record } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const MINUTE = 60_000;

const encoder: LiveEncoder = {
  key: 'text',
  change: ({ station, from, to }, position) =>
    Buffer.from(`${position} ${station.id} ${new Date(from).getUTCHours()}-${new Date(to).getUTCHours()}\n`),
  reset: (reason, position) => Buffer.from(`${position} ${reason}\n`),
  forecast: ({ id }) => Buffer.from(`forecast ${id}\n`),
  opening: (position) => Buffer.from(`${position} open\n`),
  keepAlive: () => Buffer.from('alive\n'),
};

/** Writes the rain of the local day. */
const todayEncoder: LiveEncoder = {
  ...encoder,
  key: 'today',
  change: ({ station, recent }) =>
    Buffer.from(`${station.id} ${recent === undefined ? 'none' : recent.today.rain}\n`),
};

describe('FollowObservations', () => {
  let world: World;
  let feed: ObservationFeed;

  beforeEach(async () => {
    world = await World.make();
    feed = world.get(ObservationFeed);
    await addStation(world);
    await addStation(world, { id: 'LGA' });
  });
  afterEach(() => {
    feed.close();
    sinon.restore();
  });

  const open = async (
    stations?: readonly string[],
    position?: string,
    today = false,
    place: FollowRequest['place'] = {},
  ) => {
    const request = {
      stations,
      included: { recent: today, rain: false, alarms: false },
      place,
      encoder: today ? todayEncoder : encoder,
      network: 'n',
      needsToken: false,
    };
    const stream = await world.get(FollowObservations).execute(request);
    const written: Uint8Array[] = [];
    const ends: string[] = [];
    const sink = {
      write: (bytes: Uint8Array) => written.push(bytes) > 0,
      end: () => void ends.push('end'),
      cut: () => void ends.push('cut'),
    };
    const opened = stream.open(sink, position);
    return {
      ...opened,
      ends,
      written,
      /** The lines that were written, each with the number of its position. */
      texts: () => Buffer.concat(written).toString().trim().replaceAll(/^\w+-/gm, '').split('\n'),
    };
  };
  const write = (hour: number, station = 'JFK') =>
    record(world, new Date(Date.UTC(2013, 0, 1, hour)).toISOString(), { air_temperature: [1] }, station);
  const until = async (isTrue: () => boolean) => {
    for (let round = 0; round < 500 && !isTrue(); round += 1) await sleep(5);
    expect(isTrue()).to.equal(true);
  };

  it('listens only while somebody reads, and for 15 minutes more', async () => {
    const timers = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    expect(feed.isActive).to.equal(false);
    const reader = await open();
    reader.close();
    world.clock.time += 14 * MINUTE;
    timers.tick(15_000);
    expect(feed.isActive).to.equal(true);
    world.clock.time += 2 * MINUTE;
    timers.tick(15_000);
    expect([feed.isActive, timers.countTimers()]).to.deep.equal([false, 0]);
    const again = await open();
    await write(1);
    await until(() => again.written.length === 2);
  });

  it('reads the values of a station once and writes them once, for all readers', async () => {
    const newest = sinon.spy(world.stores.observations, 'newest');
    const readers = await Promise.all([open(), open(), open(['JFK']), open(['JFK', 'LGA'])]);
    await write(1);
    await until(() => readers.every(({ written }) => written.length === 2));
    expect(newest.args).to.deep.equal([[[1]]]);
    expect(new Set(readers.map(({ written }) => written[1])).size).to.equal(1);
  });

  it('reads the day of a station once for all who want it, for no others, and writes it as of each change', async () => {
    world.clock.time = Date.parse('2013-01-02T04:00:00Z');
    const rain = (time: string, amounts: readonly number[]) =>
      record(world, time, { precipitation_amount: [...amounts] });
    const read = sinon.spy(world.stores.observations, 'read');
    const plain = await open();
    await rain('2013-01-02T01:00:00Z', [1, 2]);
    await until(() => plain.written.length === 2);
    expect(read.callCount).to.equal(0);
    const readers = await Promise.all([open(undefined, undefined, true), open(['JFK'], undefined, true)]);
    await rain('2013-01-02T03:00:00Z', [4]);
    await until(() => readers.every(({ written }) => written.length === 2));
    expect(read.callCount).to.equal(1);
    // Midnight of New York is at 05:00 UTC. The amount at midnight belongs to the day before.
    world.clock.time = Date.parse('2013-01-02T06:00:00Z');
    await rain('2013-01-02T05:00:00Z', [8, 16]);
    await until(() => readers.every(({ written }) => written.length === 3));
    for (const { written } of readers)
      expect(written.slice(1).map((bytes) => Buffer.from(bytes).toString())).to.deep.equal([
        'JFK 7\n',
        'JFK 16\n',
      ]);
    const { observations } = world.stores;
    read.restore();
    sinon.stub(observations, 'read').throws(new DomainError('DATA_DAMAGED', 'A block.'));
    await rain('2013-01-02T06:00:00Z', [1]);
    await until(() => readers.every(({ written }) => written.length === 4));
    expect(Buffer.from(readers[0]?.written[3] ?? []).toString()).to.equal('JFK none\n');
  });

  it('tells the readers of a station of its forecasts, without a position', async () => {
    const [one, other] = [await open(['JFK']), await open(['LGA'])];
    world.get(tokens.Announcer).announce({ kind: 'forecast', station: 1, issued: 0 });
    await until(() => one.written.length === 2);
    expect(one.texts()[1]).to.equal('forecast JFK');
    expect(other.written).to.have.lengthOf(1);
  });

  it('reads no station that nobody wants', async () => {
    const newest = sinon.spy(world.stores.observations, 'newest');
    const { written } = await open(['LGA']);
    await write(1);
    await write(2, 'LGA');
    await until(() => written.length === 2);
    expect(newest.args).to.deep.equal([[[2]]]);
  });

  it('joins what is committed while it reads', async () => {
    const { texts, written } = await open();
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { observations } = world.stores;
    const newest = sinon.stub(observations, 'newest').callsFake(async (stations) => {
      await held;
      return newest.wrappedMethod.call(observations, stations);
    });
    await write(3);
    await until(() => newest.callCount === 1);
    for (const hour of [5, 4, 7]) await write(hour);
    await write(1, 'LGA');
    release();
    await until(() => written.length === 3);
    expect(texts()).to.deep.equal(['0 open', '1 JFK 3-3', '2 JFK 4-7', '3 LGA 1-1']);
  });

  it('reads again what a replica does not have yet', async () => {
    const { texts, written } = await open();
    const { observations } = world.stores;
    const stale = await observations.newest([1]);
    const newest = sinon.stub(observations, 'newest').callThrough();
    newest.onCall(0).resolves(stale).onCall(1).resolves(stale);
    await write(1);
    await until(() => written.length === 2);
    expect([newest.callCount, texts()[1]]).to.deep.equal([3, '1 JFK 1-1']);
  });

  it('reads again after a failure of the store', async () => {
    const { texts, written } = await open();
    const newest = sinon.stub(world.stores.observations, 'newest').callThrough();
    newest.onCall(0).rejects(new DomainError('STORE_UNAVAILABLE', 'away'));
    await write(1);
    await until(() => written.length === 2);
    expect([newest.callCount, texts()[1]]).to.deep.equal([2, '1 JFK 1-1']);
  });

  it('tells all readers when it may have missed something, and afterwards those who come back', async () => {
    const [one, other] = [await open(), await open(['LGA'])];
    await write(1);
    await until(() => one.written.length === 2);
    const position = Buffer.from(one.written[1] as Uint8Array)
      .toString()
      .split(' ')[0];
    const announcer = world.get(tokens.Announcer);
    // The last of these changes still come after the gap. They are of no station, so that they make no event.
    const rows = new ChangedRows();
    rows.add(99, 1, 1, 1);
    for (let count = 0; count < 2000; count += 1)
      announcer.announce({ kind: 'observations', changes: rows.changes });
    await until(() => other.written.length === 2);
    expect(other.texts()).to.deep.equal(['0 open', '2 missed']);
    expect(one.texts()).to.deep.equal(['0 open', '1 JFK 1-1', '2 missed']);
    const again = await open(undefined, position);
    expect(again.texts()).to.deep.equal(['2 open', '2 too_old']);
  });

  for (const [change, lose] of [
    ['removed', () => world.get(RemoveStation).execute('JFK', CALLER)],
    ['hidden', () => addStation(world, { visibility: 'hidden' })],
    ['moved away', () => addStation(world, { latitude: 10 })],
  ] as const)
    it(`tells those whose station was ${change}, and nobody else, also when they come back`, async () => {
      const box = { west: -74, south: 40, east: -73, north: 41 };
      const [named, other] = [await open(['JFK']), await open(['LGA'])];
      const near = await open(undefined, undefined, false, { bbox: box });
      const position = Buffer.from(near.written[0] as Uint8Array)
        .toString()
        .split(' ')[0];
      await lose();
      await until(() => near.written.length === 2);
      expect(near.texts()).to.deep.equal(['0 open', '1 removed']);
      await write(1, 'LGA');
      await until(() => other.written.length === 2);
      expect(other.texts()).to.deep.equal(['0 open', '2 LGA 1-1']);
      const isNamed = change === 'moved away';
      expect(named.texts()).to.deep.equal(isNamed ? ['0 open'] : ['0 open', '1 removed']);
      const again = await open(undefined, position, false, { bbox: box });
      expect(again.texts()).to.deep.equal(['2 open', '2 too_old']);
      const refused = await open(['JFK']).catch((error: unknown) => error);
      if (!isNamed) expect(refused).to.have.property('code', 'STATION_UNKNOWN');
    });

  it('ends all streams, and begins no other', async () => {
    const reader = await open();
    feed.close();
    expect(reader.ends).to.deep.equal(['end']);
    const refused = await open().catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'SERVICE_UNAVAILABLE');
    await write(1);
    expect(reader.written).to.have.length(1);
  });
});
