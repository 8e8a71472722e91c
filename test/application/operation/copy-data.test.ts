import { expect } from 'chai';
import { CopyData } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { describeRows, hourlyRows } from '../../contracts/stores/erase.js';
import { contentOf, fill, KEY, withoutProgress } from '../../support/filled-stores.js';
import { openLocalStores } from '../../support/local-stores.js';

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
  it('refuses a target with data, and a copy that has ended', async () => {
    const source = openLocalStores();
    await fill(source);
    const copy = (target: Stores) => new CopyData(source, target).execute(withoutProgress());
    const [withKey, finished] = [openLocalStores(), openLocalStores()];
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
    const source = openLocalStores();
    await fill(source);
    const expected = await contentOf(source);
    let failures = 0;
    for (let calls = 0; ; calls += 1) {
      const target = openLocalStores();
      const attempt = new CopyData(failing(source, 1e9), failing(target, calls)).execute(withoutProgress());
      const isDone = await attempt.then(
        () => true,
        (error: Error) => {
          expect(error.message).to.equal('the plug was pulled');
          return false;
        },
      );
      if (isDone) break;
      failures += 1;
      await new CopyData(source, target).execute(withoutProgress());
      expect(await contentOf(target), `after ${calls} calls`).to.deep.equal(expected);
    }
    expect(failures).to.be.above(40);
  });

  it('goes on after the signal', async () => {
    const [source, target] = [openLocalStores(), openLocalStores()];
    await fill(source);
    const stop = new AbortController();
    const observer = {
      ...withoutProgress(),
      onRows: () => stop.abort(new Error('stopped')),
      signal: stop.signal,
    };
    const failure = await new CopyData(source, target).execute(observer).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'stopped');
    await new CopyData(source, target).execute(withoutProgress());
    expect(await contentOf(target)).to.deep.equal(await contentOf(source));
  });

  it('copies a station again that differs, and says if it still differs', async () => {
    const [source, target] = [openLocalStores(), openLocalStores()];
    await fill(source);
    await new CopyData(source, failing(target, 30)).execute(withoutProgress()).catch(() => undefined);
    expect(await describeRows(target)).not.to.deep.equal([]);
    // While the copy was interrupted, the source got a late row and lost a station.
    await source.observations.write([{ batch: hourlyRows([[7, -5, { 1: 1 }]]) }]);
    await source.stations.remove('gone');
    await new CopyData(source, target).execute(withoutProgress());
    expect(await contentOf(target)).to.deep.equal(await contentOf(source));

    const broken = openLocalStores();
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
      .execute(withoutProgress())
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message').that.contains('the observations of JFK, Oslo.Blindern_1');
  });

  it('notices a record that was added meanwhile', async () => {
    const [source, target] = [openLocalStores(), openLocalStores()];
    await fill(source);
    const keys = Object.create(source.keys) as typeof source.keys;
    const list = async () => {
      await source.importLog.begin(undefined, 'late.csv', 1);
      return await source.keys.list();
    };
    const failure = await new CopyData({ ...source, keys: Object.assign(keys, { list }) }, target)
      .execute(withoutProgress())
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message').that.contains('records of the kind import.');
  });
});
