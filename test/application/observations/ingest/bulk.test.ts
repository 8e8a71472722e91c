import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { RecordBatches } from '#application/observations/ingest/record-batches.js';
import { RowBudget } from '#application/observations/ingest/row-budget.js';
import { GetNewestRows } from '#application/observations/read/get-newest-rows.js';
import { StreamObservations } from '#application/observations/read/stream-observations.js';
import type { Announcement } from '#application/ports/announcer.js';
import type {
  ObservationStore,
  ObservationWrite,
  WriteResult,
} from '#application/ports/observation-store.js';
import { PlaceStations } from '#application/stations/place-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import { DomainError } from '#domain/domain-error.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { domainErrorOf, rejectionOf } from '../../../support/rejection.js';
import { addStation, record, STATION } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const START = Date.parse('2013-01-01T00:00:00Z');
const HOUR = 3_600_000;

type Row = readonly [station: number, time: number, values: Readonly<Record<number, number>>];

function batchOf(rows: readonly Row[]): Omit<ObservationBatch, 'flags'> {
  const variables = [...new Set(rows.flatMap(([, , values]) => Object.keys(values)))].map(Number);
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, time]) => time),
    values: new Map(
      variables.map((variable) => [
        variable,
        Float64Array.from(rows, ([, , values]) => values[variable] ?? Number.NaN),
      ]),
    ),
  };
}

/** Rows as a frame has them. */
function sentOf(rows: readonly Row[]): SentRows {
  const { values, ...batch } = batchOf(rows);
  return { ...batch, columns: [...values].map(([variable, column]) => ({ variable, values: column })) };
}

async function* each<T>(...items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function rowsOf(batches: AsyncIterable<ObservationBatch>): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { stations, times, values } of batches) {
    for (const [row, time] of times.entries()) {
      const present = [...values].filter(([, column]) => !Number.isNaN(column[row]));
      const entries = present.map(([variable, column]) => [variable, column[row] as number] as const);
      rows.push([stations[row] as number, time, Object.fromEntries(entries)]);
    }
  }
  return rows;
}

/** A store that finishes a write only when the test releases it. */
class SlowStore implements Pick<ObservationStore, 'write'> {
  readonly groups: (readonly ObservationWrite[])[] = [];
  readonly #answers: ((fail?: Error) => void)[] = [];

  write(writes: readonly ObservationWrite[]) {
    this.groups.push(writes);
    return new Promise<WriteResult>((resolve, reject) => {
      this.#answers.push((fail) => {
        if (fail !== undefined) return reject(fail);
        const outcomes = writes.map(({ batch: { times } }) => {
          return { inserted: times.length, updated: 0, unchanged: 0, unknown: [] };
        });
        const changed = new ChangedRows();
        for (const { batch } of writes) changed.addAll(1, batch.times, this.groups.length);
        resolve({ outcomes, changes: changed.changes });
      });
    });
  }

  async answer(fail?: Error): Promise<void> {
    this.#answers.shift()?.(fail);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('CommitQueue', () => {
  let announcer: LocalAnnouncer;
  beforeEach(() => {
    announcer = new LocalAnnouncer();
  });
  const write = (rows: number): ObservationWrite => ({
    batch: { ...batchOf(Array.from({ length: rows }, (_, row) => [1, row, { 1: 1 }])), flags: new Map() },
  });

  it('announces what a commit has changed after it, and nothing of one that fails', async () => {
    const store = new SlowStore();
    const announced: Announcement[] = [];
    announcer.subscribe(['observations'], (announcement) => announced.push(announcement));
    const queue = new CommitQueue(
      store as unknown as ObservationStore,
      announcer,
      new RowBudget(),
      new Registry(),
    );
    const first = queue.write(write(3));
    expect(announced).to.deep.equal([]);
    await store.answer();
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    const second = rejectionOf(queue.write(write(1)));
    await store.answer(new Error('full'));
    await second;
    await new Promise((resolve) => setImmediate(resolve));
    const changes = {
      stations: Uint32Array.of(1),
      from: Float64Array.of(0),
      to: Float64Array.of(2),
      revisions: Float64Array.of(1),
    };
    expect(announced).to.deep.equal([{ kind: 'observations', changes }]);
  });

  it('collects writes that arrive during a commit in the next one, in order', async () => {
    const store = new SlowStore();
    const queue = new CommitQueue(
      store as unknown as ObservationStore,
      announcer,
      new RowBudget(),
      new Registry(),
    );
    const outcomes = Promise.all([1, 2, 3, 4].map((rows) => queue.write(write(rows))));
    expect(store.groups.map((group) => group.length)).to.deep.equal([1]);
    await store.answer();
    expect(store.groups[1]?.map(({ batch }) => batch.times.length)).to.deep.equal([2, 3, 4]);
    await store.answer();
    expect((await outcomes).map(({ inserted }) => inserted)).to.deep.equal([1, 2, 3, 4]);
    const later = queue.write(write(5));
    await store.answer();
    expect((await later).inserted).to.equal(5);
  });

  it('says when no write is in progress and the callers of the last one went on, and does not wait for ever', async () => {
    const store = new SlowStore();
    const queue = new CommitQueue(
      store as unknown as ObservationStore,
      announcer,
      new RowBudget(),
      new Registry(),
    );
    // The longest time of a timer, in ms.
    const FOR_EVER = 2 ** 31 - 1;
    const order: string[] = [];
    // As a request does before its reply is sent, a caller goes on in several steps.
    const reply = async (name: string, written: Promise<unknown>) => {
      await written;
      for (let step = 0; step < 20; step += 1) await Promise.resolve();
      order.push(name);
    };
    await queue.untilIdle(FOR_EVER);
    const first = reply('first', queue.write(write(1)));
    const idle = queue.untilIdle(FOR_EVER).then(() => order.push('idle'));
    const second = reply('second', queue.write(write(2)));
    await queue.untilIdle(1);
    order.push('limit');
    await store.answer();
    await first;
    await store.answer();
    await second;
    await idle;
    expect(order).to.deep.equal(['limit', 'first', 'second', 'idle']);
    await queue.untilIdle(FOR_EVER);
  });

  it('puts no more than about 65,536 rows into a commit', async () => {
    const store = new SlowStore();
    const queue = new CommitQueue(
      store as unknown as ObservationStore,
      announcer,
      new RowBudget(),
      new Registry(),
    );
    void Promise.all([1, 40_000, 40_000, 40_000].map((rows) => queue.write(write(rows))));
    await store.answer();
    expect(store.groups[1]).to.have.length(2);
    await store.answer();
    expect(store.groups[2]).to.have.length(1);
  });

  it('rejects all writes of a failed commit, and continues with the next', async () => {
    const store = new SlowStore();
    const queue = new CommitQueue(
      store as unknown as ObservationStore,
      announcer,
      new RowBudget(),
      new Registry(),
    );
    const first = queue.write(write(1));
    const others = Promise.allSettled([queue.write(write(2)), queue.write(write(3))]);
    await store.answer();
    await first;
    const after = new Error('the disk is full');
    await store.answer(after);
    expect((await others).map((result) => (result as PromiseRejectedResult).reason)).to.deep.equal([
      after,
      after,
    ]);
    const last = queue.write(write(4));
    await store.answer();
    expect((await last).inserted).to.equal(4);
  });

  describe('when a store refuses some of the writes that share a commit', () => {
    const refusal = new DomainError('STORE_UNAVAILABLE', 'The database cannot be used.', { callOnly: true });
    const away = new DomainError('STORE_UNAVAILABLE', 'The database cannot be used.', { partOnly: true });
    const gone = new DomainError('STORE_UNAVAILABLE', 'The database cannot be used.');
    /**
     * A store that refuses writes whose number of rows is in `bad`, with all writes in the same commit. It records the
     * other writes.
     */
    const storeThatRefuses = (bad: ReadonlyMap<number, Error>) => {
      const written: number[] = [];
      const commit = async (writes: readonly ObservationWrite[]): Promise<WriteResult> => {
        await Promise.resolve();
        const rows = writes.map(({ batch }) => batch.times.length);
        const fault = rows.map((count) => bad.get(count)).find((found) => found !== undefined);
        if (fault !== undefined) throw fault;
        written.push(...rows);
        const outcomes = rows.map((inserted) => ({ inserted, updated: 0, unchanged: 0, unknown: [] }));
        return { outcomes, changes: new ChangedRows().changes };
      };
      return { store: { write: commit } as unknown as ObservationStore, written };
    };
    /** The results of several writes. The first of them has its own commit. */
    const outcomesOf = async (store: ObservationStore, rows: readonly number[]) => {
      const queue = new CommitQueue(store, announcer, new RowBudget(), new Registry());
      const settled = await Promise.allSettled(rows.map((count) => queue.write(write(count))));
      return settled.map((result) =>
        result.status === 'fulfilled' ? result.value.inserted : (result.reason as unknown),
      );
    };

    it('writes the others, each once and in their order', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 20 }), async (isBad) => {
          const rows = isBad.map((_bad, index) => index + 1);
          const faults = [refusal, away];
          const bad = new Map(
            rows.filter((_row, index) => isBad[index]).map((row) => [row, faults[row % 2] as Error]),
          );
          const { store, written } = storeThatRefuses(bad);
          expect(await outcomesOf(store, rows)).to.deep.equal(rows.map((row) => bad.get(row) ?? row));
          expect(written).to.deep.equal(rows.filter((row) => !bad.has(row)));
        }),
      );
    });

    it('stops at the first failure of the store itself, and refuses all that have not been written', async () => {
      const { store, written } = storeThatRefuses(
        new Map([
          [3, refusal],
          [6, gone],
        ]),
      );
      const outcomes = await outcomesOf(store, [1, 2, 3, 4, 5, 6, 7, 8]);
      expect(written).to.deep.equal([1, 2, 4]);
      expect(outcomes).to.deep.equal([1, 2, refusal, 4, gone, gone, gone, gone]);
    });
  });
});

describe('RowBudget', () => {
  it('admits writes in order within its limit, and a larger write only alone', async () => {
    const budget = new RowBudget(10);
    const admitted: number[] = [];
    const acquire = async (rows: number) => {
      await budget.acquire(rows);
      admitted.push(rows);
    };
    void [6, 4, 5, 20, 1].map(acquire);
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    await settled();
    expect(admitted).to.deep.equal([6, 4]);
    expect(budget.used).to.equal(10);
    budget.release(6);
    await settled();
    expect(admitted).to.deep.equal([6, 4, 5]);
    budget.release(4);
    budget.release(5);
    await settled();
    expect(admitted).to.deep.equal([6, 4, 5, 20]);
    budget.release(20);
    await settled();
    expect(admitted).to.deep.equal([6, 4, 5, 20, 1]);
    budget.release(1);
    expect(budget.used).to.equal(0);
  });
});

describe('observations in bulk', () => {
  let world: World;
  let a: number;
  let b: number;

  beforeEach(async () => {
    world = await World.make();
    world.clock.time = START + 1000 * HOUR;
    for (const id of ['a', 'b']) await addStation(world, { id });
    const stations = await world.stores.stations.list();
    [a, b] = stations.map(({ number }) => number) as [number, number];
  });

  const write = (...batches: readonly SentRows[]) =>
    world.get(RecordBatches).execute(each(...batches), CALLER);
  const read = (query: Partial<Parameters<ReturnType<typeof reader>['execute']>[0]> = {}) =>
    rowsOf(
      reader().execute({
        stations: undefined,
        variables: undefined,
        from: START,
        to: START + 100 * HOUR,
        ...query,
      }),
    );
  const reader = () => world.get(StreamObservations);

  it('are written batch by batch, and read by station and time', async () => {
    const receipt = await write(
      sentOf([
        [b, START, { 1: 2 }],
        [a, START + HOUR, { 1: 1, 7: 90 }],
      ]),
      sentOf([[a, START, { 3: 50 }]]),
    );
    expect(receipt).to.deep.equal({ inserted: 3, updated: 0, unchanged: 0, rejected: 0, rejections: [] });
    expect(await read()).to.deep.equal([
      [a, START, { 3: 50 }],
      [a, START + HOUR, { 1: 1, 7: 90 }],
      [b, START, { 1: 2 }],
    ]);
    expect(await read({ stations: [a, a], variables: [7] })).to.deep.equal([[a, START + HOUR, { 7: 90 }]]);
    expect(await read({ from: START + HOUR })).to.have.length(1);
  });

  it('refuse each invalid row for its first reason, and store the others', async () => {
    const receipt = await write(
      sentOf([[a, START, { 1: 1 }]]),
      sentOf([
        [99, START, { 1: 1 }],
        [a, START + 1001 * HOUR, { 1: 1 }],
        [a, Date.UTC(1599, 11, 31), { 1: 1 }],
        [a, Number.NaN, { 1: 1 }],
        [a, START + HOUR, { 999: 4 }],
        [a, START + 2 * HOUR, { 1: Infinity, 7: -Infinity }],
        [a, START + 3 * HOUR, {}],
        [a, START + 4 * HOUR, { 1: 5 }],
        [99, Number.NaN, { 1: Infinity }],
      ]),
    );
    expect(receipt).to.include({ inserted: 2, updated: 0, unchanged: 0, rejected: 8 });
    expect(
      receipt.rejections.map(({ row, variable, reason }) => `${row} ${variable} ${reason}`),
    ).to.deep.equal([
      '1 0 station',
      '2 0 time',
      '3 0 time',
      '4 0 time',
      '5 999 variable',
      '6 1 value',
      '7 0 row',
      '9 0 station',
    ]);
    expect((await read()).map(([, time]) => (time - START) / HOUR)).to.deep.equal([0, 4]);
  });

  it('list a thousand refused rows at most, in their order, and count all', async () => {
    const bad = sentOf(Array.from({ length: 700 }, (_, row): Row => [77, START + row, { 1: 1 }]));
    const receipt = await write(bad, bad, bad);
    expect(receipt.rejected).to.equal(2100);
    expect(receipt.rejections).to.have.length(1000);
    expect(receipt.rejections.at(-1)?.row).to.equal(999);
  });

  it('refuse the rows of a station that was removed meanwhile', async () => {
    const { observations, stations } = world.stores;
    const original = observations.write.bind(observations);
    observations.write = async (writes) => {
      await stations.remove('b');
      return await original(writes);
    };
    const receipt = await write(
      sentOf([
        [b, START, { 1: Infinity }],
        [b, START, { 1: 1 }],
        [a, START, { 1: 1 }],
      ]),
    );
    expect(receipt).to.include({ inserted: 1, rejected: 2 });
    expect(receipt.rejections).to.deep.equal([
      { row: 0, variable: 1, reason: 'value', text: 'is not finite' },
      { row: 1, variable: 0, reason: 'station', text: 'is not known' },
    ]);
    const alone = record(world, '2013-01-02T00:00:00Z', { air_temperature: [1] }, 'b');
    await domainErrorOf(alone, 'STATION_UNKNOWN');
  });

  it('keep the rows before a failure of their source, and reject with that failure', async () => {
    async function* failing() {
      yield sentOf([[a, START, { 1: 1 }]]);
      throw new Error('cut off');
    }
    const failure = await world
      .get(RecordBatches)
      .execute(failing(), CALLER)
      .catch((error: Error) => error.message);
    expect(failure).to.equal('cut off');
    expect(await read()).to.have.length(1);
  });

  it('read the stations once for concurrent requests, and see earlier changes', async () => {
    const directory = world.get(StationDirectory);
    const version = sinon.spy(world.stores.stations, 'version');
    await Promise.all(Array.from({ length: 1000 }, () => directory.current()));
    expect(version.callCount).to.equal(2);
    const early = directory.current();
    await addStation(world, { id: 'late' });
    const [then, now] = await Promise.all([early, directory.current()]);
    expect(now.list.map(({ id }) => id)).to.include('late');
    expect(then.list.length).to.be.at.most(now.list.length);
    version.restore();
    const failure = new Error('gone');
    const failing = sinon.stub(world.stores.stations, 'version').rejects(failure);
    const both = [directory.current(), directory.current()].map(rejectionOf);
    expect(await Promise.all(both)).to.deep.equal([failure, failure]);
    failing.restore();
    expect((await directory.current()).list).to.have.length(now.list.length);
  });

  it('request no more rows after a failure of the store', async () => {
    world.stores.observations.write = () => Promise.reject(new Error('full'));
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked += 1;
        yield sentOf([[a, START + asked, { 1: 1 }]]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const failure = await world
      .get(RecordBatches)
      .execute(endless(), CALLER)
      .catch((error: Error) => error.message);
    expect(failure).to.equal('full');
    expect(asked).to.be.below(10);
    expect(world.get(RowBudget).used).to.equal(0);
  });

  it('wait for each other where they are more than the row budget, and are all written', async () => {
    const { observations } = world.stores;
    const original = observations.write.bind(observations);
    const budget = world.get(RowBudget);
    let most = 0;
    observations.write = async (writes) => {
      most = Math.max(most, budget.used);
      return await original(writes);
    };
    const batch = (first: number) =>
      sentOf(Array.from({ length: 6000 }, (_, row): Row => [a, START + (first + row) * 1000, { 1: 1 }]));
    const batches = Array.from({ length: 12 }, (_, index) => batch(6000 * index));
    const receipts = await Promise.all([write(...batches.slice(0, 6)), write(...batches.slice(6))]);
    expect(receipts.map(({ inserted }) => inserted)).to.deep.equal([36_000, 36_000]);
    expect(most).to.equal(30_000);
    expect(budget.used).to.equal(0);
  });

  it('are stored up to a batch that the store refuses, and after it those that were under way', async () => {
    const { observations } = world.stores;
    const original = observations.write.bind(observations);
    const refusal = new DomainError('REQUEST_INVALID', 'no', { callOnly: true });
    observations.write = (writes) =>
      writes.some(({ batch }) => batch.times.includes(START + HOUR))
        ? Promise.reject(refusal)
        : original(writes);
    const hours = [0, 1, 2].map((hour) => sentOf([[a, START + hour * HOUR, { 1: hour }]]));
    expect(await rejectionOf(write(...hours))).to.equal(refusal);
    expect((await read()).map(([, time]) => (time - START) / HOUR)).to.deep.equal([0, 2]);
  });

  it('are checked by the rules that a station has now', async () => {
    await write(sentOf([[a, START, { 1: -30 }]]));
    await addStation(world, { id: 'a', limits: { air_temperature: { min: -20, max: 40 } } });
    await write(sentOf([[a, START + 10 * HOUR, { 1: -30 }]]));
    const flags: number[] = [];
    for await (const batch of reader().execute({
      stations: [a],
      variables: [1],
      from: START,
      to: START + 99 * HOUR,
    }))
      flags.push(...(batch.flags.get(1) ?? [0]));
    expect(flags).to.deep.equal([0, 1]);
  });

  it('are accepted and checked by the stations at the arrival of each batch', async () => {
    async function* changing() {
      yield sentOf([[a, START, { 1: -30 }]]);
      await addStation(world, { id: 'a', limits: { air_temperature: { min: -20, max: 40 } } });
      await addStation(world, { id: 'c' });
      const c = (await world.stores.stations.find('c'))?.number ?? 0;
      yield sentOf([
        [a, START + 10 * HOUR, { 1: -30 }],
        [c, START, { 1: 1 }],
      ]);
    }
    const receipt = await world.get(RecordBatches).execute(changing(), CALLER);
    expect(receipt).to.include({ inserted: 3, rejected: 0 });
    const passing = await world.get(GetNewestRows).execute([a]);
    expect([...passing.times]).to.deep.equal([START + 10 * HOUR]);
    expect([...(passing.flags.get(1) ?? [])]).to.deep.equal([1]);
  });

  it('are written in the order of arrival, whichever look-up of the stations ends first', async () => {
    const { stations } = world.stores;
    const version = stations.version.bind(stations);
    let asked = 0;
    stations.version = async () => {
      asked += 1;
      for (let turns = asked === 1 ? 20 : 0; turns > 0; turns -= 1)
        await new Promise((resolve) => setImmediate(resolve));
      return await version();
    };
    await write(sentOf([[a, START, { 1: 1 }]]), sentOf([[a, START, { 1: 2 }]]));
    expect(await read()).to.deep.equal([[a, START, { 1: 2 }]]);
  });

  it('cannot be read by unknown numbers, or with a reversed range', async () => {
    await domainErrorOf(read({ stations: [a, 99] }), 'STATION_UNKNOWN');
    await domainErrorOf(read({ variables: [1, 99] }), 'REQUEST_INVALID');
    await domainErrorOf(read({ from: START, to: START - 1 }), 'REQUEST_INVALID');
  });

  it('have a newest row for each station with rows, with only the values of that row', async () => {
    await write(
      sentOf([
        [a, START, { 1: 1, 3: 50 }],
        [a, START + HOUR, { 1: 99 }],
        [b, START, { 7: 10 }],
      ]),
    );
    await addStation(world, { id: 'silent' });
    const latest = world.get(GetNewestRows);
    const rows = await latest.execute(undefined);
    expect(await rowsOf(each(rows))).to.deep.equal([
      [a, START + HOUR, { 1: 99 }],
      [b, START, { 7: 10 }],
    ]);
    expect([...(rows.flags.get(1) ?? [])]).to.deep.equal([1, 0]);
    expect(await rowsOf(each(await latest.execute([b])))).to.have.length(1);
    await domainErrorOf(latest.execute([1234]), 'STATION_UNKNOWN');
  });
});

describe('stations by number', () => {
  const place = { number: 0, id: 'x', name: 'X', latitude: 1, longitude: 2, elevation: null };
  const never = () => false;

  it('are created with defaults for the missing fields, and changed without them', async () => {
    const world = await World.make();
    await addStation(world);
    const places = world.get(PlaceStations);
    const [known, made] = await places.execute(
      [{ ...place, id: 'JFK', name: 'Kennedy', elevation: 4 }, place],
      CALLER,
      never,
    );
    expect(known).to.deep.include({ ...STATION, name: 'Kennedy', latitude: 1, longitude: 2, elevation: 4 });
    expect(made).to.deep.include({ timeZone: 'UTC', identifiers: {}, reportingInterval: null, limits: {} });
    expect(await world.auditTrail()).to.include('station-put done 2 stations');
    const [again] = await places.execute(
      [{ ...place, number: made?.number ?? 0, latitude: 9 }],
      CALLER,
      never,
    );
    expect(again).to.deep.equal({ ...made, latitude: 9 });
    expect(await places.execute([], CALLER, never)).to.deep.equal([]);
  });

  it('do not undo a change at the same time', async () => {
    const world = await World.make();
    await addStation(world);
    const { stations } = world.stores;
    const change = stations.change.bind(stations);
    // Another caller changes the station after it was looked up.
    stations.change = async (edits) => {
      await change([
        { id: 'JFK', change: { name: 'New', reportingInterval: 60, identifiers: { wmo: '1' } } },
      ]);
      return await change(edits);
    };
    const sent = { ...place, id: 'JFK', name: STATION.name };
    const [placed] = await world.get(PlaceStations).execute([sent], CALLER, never);
    expect(placed).to.deep.include({
      latitude: 1,
      name: 'New',
      reportingInterval: 60,
      identifiers: { wmo: '1' },
    });
  });

  it('keep a name that no new station may have', async () => {
    const world = await World.make();
    const name = 'a\u202Eb';
    await world.stores.stations.put([{ ...STATION, name }]);
    const places = world.get(PlaceStations);
    const [kept] = await places.execute([{ ...place, id: 'JFK', name }], CALLER, never);
    expect(kept).to.deep.include({ name, latitude: 1 });
    await domainErrorOf(places.execute([{ ...place, name }], CALLER, never), 'REQUEST_INVALID');
  });

  it('cannot be placed while they are removed', async () => {
    const world = await World.make();
    await addStation(world);
    await world.get(RemoveStation).execute('JFK', CALLER);
    const placing = world.get(PlaceStations).execute([{ ...place, id: 'JFK' }], CALLER, never);
    await domainErrorOf(placing, 'STATION_REMOVED');
  });

  it('keep a name if its cut form was sent', async () => {
    const world = await World.make();
    await addStation(world);
    const [kept] = await world
      .get(PlaceStations)
      .execute([{ ...place, id: 'JFK', name: 'John' }], CALLER, (sent, { name }) => name.startsWith(sent));
    expect(kept?.name).to.equal(STATION.name);
  });

  it('are all refused if one breaks a rule, with its index', async () => {
    const world = await World.make();
    await addStation(world);
    const put = (...changes: readonly Partial<typeof place>[]) =>
      domainErrorOf(
        world.get(PlaceStations).execute(
          changes.map((change) => ({ ...place, ...change })),
          CALLER,
          never,
        ),
        'REQUEST_INVALID',
      );
    expect((await put({}, { id: 'bad id' })).message).to.match(/^Station 1: A station id has/);
    expect((await put({}, {})).message).to.equal('Station 1: The id "x" occurs twice.');
    expect((await put({ id: 'JFK', number: 77 })).message).to.match(
      /^Station 0: No station has both the id "JFK" and the number 77/,
    );
    expect((await put({ number: 5 })).message).to.match(/No station has both the id/);
    expect((await put({ latitude: Number.NaN })).message).to.match(/latitude/);
    expect(await world.stores.stations.list()).to.have.length(1);
  });

  it('are listed with their inventories', async () => {
    const world = await World.make();
    for (const id of ['b', 'a']) await addStation(world, { id });
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2] }, 'a');
    const found: unknown[] = [];
    for await (const page of world.get(ListInventories).execute()) {
      found.push(...page.map(({ station, inventory }) => [station.id, inventory.first, inventory.count]));
    }
    expect(found).to.deep.equal([
      ['b', null, 0],
      ['a', START, 2],
    ]);
  });
});
