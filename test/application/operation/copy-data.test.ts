import { expect } from 'chai';
import { CopyData } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import { RECORD_KINDS } from '#application/record-forms.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { describeRows, hourlyRows } from '../../contracts/stores/erase.js';
import { comparable, RECORDS } from '../../contracts/stores/transfer-store.js';
import { Place } from '../../support/place.js';

const KEY = {
  id: 'a'.repeat(43),
  createdAt: 1_770_000_000_123,
  signsFrom: 1_770_000_600_123,
  verifiesUntil: null,
  retiredAt: null,
  privateKey: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
};
const LAST = { station: 20, uploadKey: 21, event: 22, import: 23 };

/** Fills a store: records of every kind, a key, and rows of visible and of hidden stations with flags. */
async function fill(stores: Stores): Promise<void> {
  for (const kind of RECORD_KINDS) await stores.transfer.add(kind, RECORDS[kind]);
  await stores.transfer.setLastNumbers(LAST);
  await stores.keys.add(KEY);
  await stores.stations.restore('gone');
  await stores.observations.write([
    {
      batch: hourlyRows([
        [3, 0, { 1: 5 }],
        [7, 0, { 1: 5, 3: 50 }],
        [7, 2, { 1: 45 }],
        [8, 900, { 3: 20 }],
      ]),
    },
  ]);
  // Flags that no check would give to these values now.
  const flagged = { ...hourlyRows([[7, 3, { 1: 5.5 }]]), flags: new Map([[1, Uint8Array.of(5)]]) };
  await stores.observations.append(flagged);
  await stores.stations.hide('gone', 77);
}

async function contentOf(stores: Stores): Promise<unknown> {
  const records = [];
  for (const kind of RECORD_KINDS) records.push([kind, (await stores.transfer.read(kind)).map(comparable)]);
  return {
    records,
    rows: await describeRows(stores),
    keys: await stores.keys.list(),
    last: await stores.transfer.lastNumbers(),
  };
}

const quietly = () => ({
  onStart: () => undefined,
  onRows: () => undefined,
  signal: new AbortController().signal,
});

/** Fails at one of the calls of its methods, and at all later ones. */
function failing(stores: Stores, calls: number): Stores {
  let left = calls;
  const wrap = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): unknown => {
          left -= 1;
          if (left < 0) throw new Error('the plug was pulled');
          return (member as (...values: unknown[]) => unknown).apply(object, parameters);
        };
      },
    });
  return {
    ...stores,
    observations: wrap(stores.observations),
    transfer: wrap(stores.transfer),
    importLog: wrap(stores.importLog),
    keys: wrap(stores.keys),
    stations: wrap(stores.stations),
  };
}

describe('a copy of all data', () => {
  const places: Place[] = [];
  const opened: Stores[] = [];
  const make = async (name: string) => {
    const place = await Place.make(name);
    places.push(place);
    const stores = await place.open();
    opened.push(stores);
    return stores;
  };
  afterEach(async () => {
    for (const stores of opened.splice(0)) await stores.close();
    for (const place of places.splice(0)) await place.remove();
  });

  for (const [from, to] of [
    ['sqlite', 'postgres'],
    ['postgres', 'sqlite'],
    ['sqlite', 'sqlite'],
    ['memory', 'sqlite'],
  ] as const) {
    it(`has everything, from ${from} to ${to}`, async () => {
      const [source, target] = [await make(from), await make(to)];
      await fill(source);
      const progress: number[] = [];
      const copied = await new CopyData(source, target).execute({
        ...quietly(),
        onStart: (rows) => progress.push(rows),
        onRows: (rows) => progress.push(rows),
      });
      expect(copied).to.deep.include({ stations: 3, rows: 5, keys: 1 });
      expect(progress[0]).to.equal(5);
      expect(progress.slice(1).reduce((sum, rows) => sum + rows, 0)).to.equal(10);
      expect(await contentOf(target)).to.deep.equal(await contentOf(source));
      expect(await describeRows(target)).to.include('7 3h 1=5.5/5');
    });
  }

  it('refuses a target with data, and a copy that has ended', async () => {
    const source = await make('memory');
    await fill(source);
    const copy = (target: Stores) => new CopyData(source, target).execute(quietly());
    const [withKey, finished] = [await make('memory'), await make('memory')];
    await withKey.keys.add(KEY);
    await copy(finished);
    for (const target of [withKey, finished]) {
      const before = await contentOf(target);
      const failure = await copy(target).catch((error: unknown) => error);
      expect(failure).to.have.property('code', 'REQUEST_INVALID');
      expect(await contentOf(target)).to.deep.equal(before);
    }
  });

  it('goes on after a failure at any call, and has everything at the end', async () => {
    const source = await make('memory');
    await fill(source);
    const expected = await contentOf(source);
    let failures = 0;
    for (let calls = 0; ; calls += 1) {
      const target = await make('memory');
      const attempt = new CopyData(failing(source, 1e9), failing(target, calls)).execute(quietly());
      const isDone = await attempt.then(
        () => true,
        (error: Error) => {
          expect(error.message).to.equal('the plug was pulled');
          return false;
        },
      );
      if (isDone) break;
      failures += 1;
      await new CopyData(source, target).execute(quietly());
      expect(await contentOf(target), `after ${calls} calls`).to.deep.equal(expected);
    }
    expect(failures).to.be.above(40);
  });

  it('goes on after the signal', async () => {
    const [source, target] = [await make('sqlite'), await make('sqlite')];
    await fill(source);
    const stop = new AbortController();
    const observer = { ...quietly(), onRows: () => stop.abort(new Error('stopped')), signal: stop.signal };
    const failure = await new CopyData(source, target).execute(observer).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'stopped');
    await new CopyData(source, target).execute(quietly());
    expect(await contentOf(target)).to.deep.equal(await contentOf(source));
  });

  it('copies a station again that differs, and says if it still differs', async () => {
    const [source, target] = [await make('memory'), await make('memory')];
    await fill(source);
    await new CopyData(source, failing(target, 30)).execute(quietly()).catch(() => undefined);
    expect(await describeRows(target)).not.to.deep.equal([]);
    // While the copy was interrupted, the source got a late row and lost a station.
    await source.observations.write([{ batch: hourlyRows([[7, -5, { 1: 1 }]]) }]);
    await source.stations.remove('gone');
    await new CopyData(source, target).execute(quietly());
    expect(await contentOf(target)).to.deep.equal(await contentOf(source));

    const broken = await make('memory');
    const append = async (batch: ObservationBatch) => {
      const values = new Map(
        [...batch.values].map(([variable, column]) => [variable, column.map((one) => one + 1)]),
      );
      return await broken.observations.append({ ...batch, values });
    };
    const wrong = Object.assign(Object.create(broken.observations) as typeof broken.observations, {
      append,
      erase: broken.observations.erase.bind(broken.observations),
      inventory: broken.observations.inventory.bind(broken.observations),
      read: broken.observations.read.bind(broken.observations),
    });
    const failure = await new CopyData(source, { ...broken, observations: wrong })
      .execute(quietly())
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message').that.contains('the observations of JFK, Oslo.Blindern_1');
  });

  it('notices a record that was added meanwhile', async () => {
    const [source, target] = [await make('memory'), await make('memory')];
    await fill(source);
    const keys = Object.create(source.keys) as typeof source.keys;
    const list = async () => {
      await source.importLog.begin(undefined, 'late.csv', 1);
      return await source.keys.list();
    };
    const failure = await new CopyData({ ...source, keys: Object.assign(keys, { list }) }, target)
      .execute(quietly())
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message').that.contains('records of the kind import.');
  });
});
