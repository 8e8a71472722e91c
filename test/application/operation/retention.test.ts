import { expect } from 'chai';
import { ExpireRows } from '#application/operation/expire-rows.js';
import { FindOldRows } from '#application/operation/find-old-rows.js';
import { SetRetention } from '#application/operation/set-retention.js';
import { Housekeep } from '#application/operation/housekeep.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import type { ObservationStore } from '#application/ports/observation-store.js';
import * as tokens from '#composition/graph/tokens.js';
import { domainErrorOf } from '../../support/rejection.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';
import { describeRows } from '../../contracts/stores/erase.js';

const DAY = 86_400_000;

/** Makes a store erase one range at a time, and fail at some calls. */
class SlowErase {
  calls = 0;
  failsAt = Infinity;

  constructor(store: ObservationStore) {
    const erase = store.erase.bind(store);
    store.erase = async (ranges) => {
      this.calls += 1;
      if (this.calls === this.failsAt) throw new Error('the disk is full');
      const step = await erase(ranges.slice(0, 1));
      return { ...step, remaining: [...step.remaining, ...ranges.slice(1)] };
    };
  }
}

describe('retention', () => {
  let world: World;
  let store: SlowErase;
  const make = async (settings: Readonly<Record<string, string>>) => {
    world = await World.make(settings);
    store = new SlowErase(world.stores.observations);
    for (const id of ['a', 'b', 'c', 'gone']) {
      await addStation(world, { id });
      await record(world, '2016-01-01T03:00:00Z', { air_temperature: [1, 2, 3, 4] }, id);
    }
    await record(world, '2026-01-01T00:00:00Z', { air_temperature: [5] }, 'a');
    await world.get(RemoveStation).execute('gone', CALLER);
    // Ten years are 3,652.5 days, so months before January 2016 are too old. It begins at 05:00 UTC in New York.
    world.clock.time = Date.UTC(2026, 0, 1, 10);
  };
  const rows = async () => {
    return (await describeRows(world.stores)).map((row) => row.split(' ')[0]);
  };
  const events = async () => {
    const all = await world.stores.audit.list(100);
    return all.filter(({ action }) => action === 'observations-expire').toReversed();
  };

  it('erases whole months of the station that are older, of all stations, and says so in one event', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    const announced: number[] = [];
    const subscriber = (one: { kind: string; changes?: { stations: Uint32Array } }) =>
      void announced.push(...(one.changes?.stations ?? []));
    world.get(tokens.Announcer).subscribe(['observations'], subscriber);
    const rests: number[] = [];
    const watch = { onRemaining: (rest: number) => rests.push(rest) };
    expect(await world.get(ExpireRows).execute({}, CALLER, watch)).to.deep.equal({ rows: 6, values: 6 });
    expect(rests).to.deep.equal([2, 1, 0]);
    // The rows of January stay, and those of the removed station, which can be restored.
    expect(await rows()).to.deep.equal(['1', '1', '1', '2', '2', '3', '3', '4', '4', '4', '4']);
    const [event, ...others] = await events();
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({
      actor: CALLER.actor,
      subject: null,
      outcome: 'done',
      detail: { from: Date.UTC(2016, 0, 1, 3), to: Date.UTC(2016, 0, 1, 4), rows: 6 },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(announced).to.deep.equal([1, 2, 3]);
    await world.get(ExpireRows).execute({}, CALLER, {});
    expect(await events()).to.have.length(1);
  });

  it('is done by housekeeping, for ever nothing without the setting', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    await world.get(Housekeep).execute();
    expect(await rows()).to.have.length(11);
    expect((await events())[0]).to.deep.include({ actor: 'housekeeping' });
    await make({});
    await world.get(Housekeep).execute();
    expect(store.calls).to.equal(0);
    await domainErrorOf(world.get(FindOldRows).execute({}), 'REQUEST_INVALID');
  });

  it('keeps the rows of some stations for another time', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    const found = await world.get(FindOldRows).execute({ stations: ['b'], period: 5 * DAY });
    const [from, to] = [Date.UTC(2015, 11, 1, 5), Date.UTC(2025, 11, 1, 5)];
    expect(found).to.deep.equal([{ station: 2, from, to, isExpiry: true }]);
    await world.get(ExpireRows).execute({ stations: ['b'], period: 5 * DAY }, CALLER, {});
    expect((await events())[0]).to.deep.include({ subject: 'b' });
    expect(await rows()).not.to.include('2');
    await domainErrorOf(world.get(FindOldRows).execute({ stations: ['x'] }), 'STATION_UNKNOWN');
  });

  it('uses the period of a station in place of that of all', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    const retention = world.get(SetRetention);
    await retention.execute(['a'], null, CALLER);
    await retention.execute(['b'], 5 * DAY, CALLER);
    expect(await retention.list()).to.deep.equal([
      { id: 'a', period: null, isOwn: true },
      { id: 'b', period: 5 * DAY, isOwn: true },
      { id: 'c', period: 3652.5 * DAY, isOwn: false },
    ]);
    const found = await world.get(FindOldRows).execute({});
    expect(found.map(({ station, to }) => [station, to])).to.deep.equal([
      [2, Date.UTC(2025, 11, 1, 5)],
      [3, Date.UTC(2016, 0, 1, 5)],
    ]);
    await retention.execute(['b'], undefined, CALLER);
    expect((await world.get(FindOldRows).execute({}))[0]?.to).to.equal(Date.UTC(2016, 0, 1, 5));
    await domainErrorOf(retention.execute(['c', 'x'], 1, CALLER), 'STATION_UNKNOWN');
    expect((await retention.list())[2]?.isOwn).to.equal(false);
  });

  it('rejects rows of months that have been removed, and says why', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    await world.get(ExpireRows).execute({}, CALLER, {});
    const { rejections, inserted, rejected } = await record(
      world,
      '2016-01-01T03:30:00Z',
      { air_temperature: [1, 2, 3] },
      'b',
    );
    expect({ inserted, rejected }).to.deep.equal({ inserted: 1, rejected: 2 });
    expect(rejections[0]).to.deep.include({
      reason: 'time',
      text: 'is older than the observations that are kept',
    });
  });

  it('leaves each station whole or done if the store fails, counts what was done, and goes on later', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    store.failsAt = 2;
    const failure = await world
      .get(Housekeep)
      .execute()
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'the disk is full');
    expect(await rows()).to.deep.equal([
      '1',
      '1',
      '1',
      '2',
      '2',
      '2',
      '2',
      '3',
      '3',
      '3',
      '3',
      '4',
      '4',
      '4',
      '4',
    ]);
    expect((await events()).map(({ detail }) => detail?.rows)).to.deep.equal([2]);
    await world.get(Housekeep).execute();
    expect(await rows()).to.have.length(11);
    expect((await events()).map(({ detail }) => detail?.rows)).to.deep.equal([2, 4]);
  });

  it('ends early at a signal, which is no failure of housekeeping', async () => {
    await make({ WEATHERD_RETENTION: '10y' });
    const stop = new AbortController();
    const onRemaining = () => stop.abort(new Error('stopping'));
    const watch = { signal: stop.signal, onRemaining };
    const failure = await world
      .get(ExpireRows)
      .execute({}, CALLER, watch)
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'stopping');
    expect(store.calls).to.equal(1);
    await world.get(Housekeep).execute(stop.signal);
    expect(store.calls).to.equal(1);
    expect((await events()).map(({ detail }) => detail?.rows)).to.deep.equal([2]);
  });
});
