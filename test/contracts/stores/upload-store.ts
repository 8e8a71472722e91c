import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import type { UploadKeyStore } from '#application/ports/upload-key-store.js';
import type { RecordStore, StoredRecord } from '#application/ports/record-store.js';
import { DEFAULT_SETTINGS, type StoredUploadKey, uploadFieldsText } from '#domain/uploads/upload-key.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2026, 10, 22);

/** The rules for every UploadKeyStore and RecordStore, and for records in writes of observations. */
export function uploadStoreContract(opened: () => Stores): void {
  let keys: UploadKeyStore;
  let store: RecordStore;
  let a: number;
  let b: number;

  beforeEach(async () => {
    const stores = opened();
    keys = stores.uploadKeys;
    store = stores.storedRecords;
    const made = await stores.stations.put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });

  const keyOf = (station: number, digest: string): Omit<StoredUploadKey, 'number'> => ({
    station,
    note: 'on the roof',
    weak: false,
    madeAt: START,
    rotatedAt: null,
    previousUntil: null,
    mappings: [{ field: 'temp1f', variable: 'soil_temperature', unit: '°F', scale: 1.01, station: b }],
    settings: { ...DEFAULT_SETTINGS, gauge: 'piezo', rain: false },
    digest,
    previousDigest: null,
  });
  const add = async (station: number, digest: string) => (await keys.add(keyOf(station, digest))) as number;
  const record = (name: string, revision: number, text: string, key: number | null = null): StoredRecord => ({
    name,
    key,
    revision,
    text,
    time: START,
  });
  const texts = async (prefix = '') =>
    (await store.records(prefix)).map(({ name, revision, text }) => `${name} ${revision} ${text}`);
  const row = (station: number, time: number, value: number): ObservationBatch => ({
    stations: Uint32Array.of(station),
    times: Float64Array.of(time),
    values: new Map([[1, Float64Array.of(value)]]),
    flags: new Map(),
  });
  const temperatures = async () => {
    const found: number[] = [];
    for await (const { values } of opened().observations.read({ from: 0, to: START * 2 }))
      found.push(...(values.get(1) ?? []));
    return found;
  };

  it('returns a key as it was added, with a number that rises and is not used again', async () => {
    const first = await add(a, 'digest-1');
    const second = await add(b, 'digest-2');
    expect(await keys.keys()).to.deep.equal([
      { ...keyOf(a, 'digest-1'), number: first },
      { ...keyOf(b, 'digest-2'), number: second },
    ]);
    expect(await keys.remove(second)).to.equal(true);
    expect(await add(b, 'digest-3')).to.be.above(second);
  });

  it('adds no second key with a digest, and none for a station that does not exist', async () => {
    await add(a, 'digest-1');
    expect(await keys.add(keyOf(b, 'digest-1'))).to.equal(undefined);
    expect(await keys.add(keyOf(4711, 'digest-2'))).to.equal(undefined);
    expect((await keys.keys()).length).to.equal(1);
  });

  it('changes what is given and leaves the rest', async () => {
    const number = await add(a, 'digest-1');
    const changes = { digest: 'new', previousDigest: 'digest-1', previousUntil: START + 1, rotatedAt: START };
    expect(await keys.change(number, changes)).to.equal(true);
    expect(await keys.change(number, { mappings: [] })).to.equal(true);
    expect(await keys.keys()).to.deep.equal([{ ...keyOf(a, ''), number, ...changes, mappings: [] }]);
    expect(await keys.change(number + 1, { note: '' })).to.equal(false);
    const [stored] = await keys.keys();
    const read = uploadFieldsText(stored as StoredUploadKey);
    const mappings = [{ field: 'temp3f', variable: 'soil_temperature' }];
    expect(await keys.change(number, { mappings }, read)).to.equal(true);
    expect(await keys.change(number, { mappings: [] }, read)).to.equal(false);
    expect((await keys.keys())[0]?.mappings).to.deep.equal(mappings);
  });

  it('has a version that changes with every change of a key, and with no other', async () => {
    const versions = [await keys.version()];
    const changes: (() => Promise<unknown>)[] = [
      () => add(a, 'digest-1'),
      () => add(b, 'digest-2'),
      async () => keys.change((await keys.keys())[0]?.number ?? 0, { note: 'x' }),
      async () => keys.remove((await keys.keys())[0]?.number ?? 0),
      () => opened().stations.remove('b'),
    ];
    for (const change of changes) {
      await change();
      versions.push(await keys.version());
    }
    expect(new Set(versions).size).to.equal(versions.length);
    await store.put([record('r', 0, 'text')]);
    expect(await keys.version()).to.equal(versions.at(-1));
  });

  it('keeps the keys of a station that is removed and restored; those of an erased one are gone', async () => {
    const number = await add(a, 'digest-1');
    await store.put([record('status/1', 0, 'text', number)]);
    await opened().stations.hide('a', START);
    await opened().stations.restore('a');
    expect((await keys.keys()).map((key) => key.number)).to.deep.equal([number]);
    await opened().stations.remove('a');
    expect(await keys.keys()).to.deep.equal([]);
    expect(await texts()).to.deep.equal([]);
  });

  it('writes a record only over the revision that was read', async () => {
    expect(await store.record('r')).to.equal(undefined);
    expect(await store.put([record('r', 0, 'one'), record('s', 0, 'other')])).to.deep.equal([]);
    expect(await store.record('r')).to.deep.equal(record('r', 1, 'one'));
    expect(await store.put([record('r', 0, 'two'), record('s', 1, 'next')])).to.deep.equal(['r']);
    expect(await store.put([record('r', 1, 'three')])).to.deep.equal([]);
    expect(await texts()).to.deep.equal(['r 2 three', 's 2 next']);
    expect(await store.put([record('t', 3, 'never made')])).to.deep.equal(['t']);
    expect(await texts('s')).to.deep.equal(['s 2 next']);
    expect(await store.put([])).to.deep.equal([]);
  });

  it('writes a record once in a call', async () => {
    expect(await store.put([record('r', 0, 'one'), record('r', 1, 'two')])).to.deep.equal(['r']);
    expect(await texts()).to.deep.equal(['r 1 one']);
  });

  it('lets one of several writers of a revision win', async () => {
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.put([record('r', 0, String(index))])),
    );
    expect(results.filter((left) => left.length === 0).length).to.equal(1);
    expect((await store.record('r'))?.revision).to.equal(1);
  });

  it('lists records by a prefix with any characters, in the order of their names', async () => {
    const names = async (prefix: string) => (await store.records(prefix)).map(({ name }) => name);
    for (const name of ['a_1', 'a%2', 'ax3', 'a', 'B', 'b', 'ä/1', 'ä/😀', 'ä/\u{10ffff}', 'ä0'])
      await store.put([record(name, 0, '')]);
    expect(await names('a')).to.deep.equal(['a', 'a%2', 'a_1', 'ax3']);
    expect(await names('a_')).to.deep.equal(['a_1']);
    expect(await names('ä/')).to.deep.equal(['ä/1', 'ä/😀', 'ä/\u{10ffff}']);
    await store.purge('ä/', Number.MAX_SAFE_INTEGER);
    expect(await names('')).to.deep.equal(['B', 'a', 'a%2', 'a_1', 'ax3', 'b', 'ä0']);
  });

  it('removes the records of a key with it, and takes no more of them', async () => {
    const number = await add(a, 'digest-1');
    expect(await store.put([record('k', 0, 'of key', number), record('n', 0, 'of none')])).to.deep.equal([]);
    await keys.remove(number);
    expect(await texts()).to.deep.equal(['n 1 of none']);
    expect(await store.put([record('k', 0, 'late', number)])).to.deep.equal(['k']);
    expect(await keys.remove(number)).to.equal(false);
  });

  it('purges old records whose names begin with a text', async () => {
    const number = await add(a, 'digest-1');
    await store.put([
      record('raw/1', 0, '', number),
      record('raw/2', 0, ''),
      { ...record('raw/3', 0, ''), time: START + 5 },
      record('rain', 0, ''),
    ]);
    await store.purge('raw/', START + 5);
    expect(await texts()).to.deep.equal(['rain 1 ', 'raw/3 1 ']);
  });

  it('writes records together with rows, or neither', async () => {
    const number = await add(a, 'digest-1');
    const { observations } = opened();
    const write = (time: number, value: number, records: readonly StoredRecord[]) => ({
      batch: row(a, START + time, value),
      records,
    });
    const first = await observations.write([write(0, 1, [record('rain', 0, 'one', number)])]);
    expect(first.outcomes).to.deep.equal([{ inserted: 1, updated: 0, unchanged: 0, unknown: [] }]);
    const next = await observations.write([
      write(1, 2, [record('rain', 0, 'again', number)]),
      write(2, 3, [record('rain', 1, 'two', number), record('other', 0, 'x')]),
      write(3, 4, [record('other', 0, 'y')]),
      { batch: row(a, START + 4, 5) },
    ]);
    expect(next.outcomes.map((outcome) => [outcome.inserted, outcome.isOutdated === true])).to.deep.equal([
      [0, true],
      [1, false],
      [0, true],
      [1, false],
    ]);
    expect(await temperatures()).to.deep.equal([1, 3, 5]);
    expect(await texts()).to.deep.equal(['other 1 x', 'rain 2 two']);
    await keys.remove(number);
    const gone = await observations.write([write(5, 6, [record('rain', 0, 'gone', number)])]);
    expect(gone.outcomes[0]?.isOutdated).to.equal(true);
    expect(await temperatures()).to.deep.equal([1, 3, 5]);
    expect(await observations.write([write(6, 7, [record('late', 9, '')])])).to.have.nested.property(
      'outcomes[0].isOutdated',
    );
  });

  it('leaves nothing of a new record that is left out with an outdated one', async () => {
    const { observations, transfer } = opened();
    const records = [record('new', 0, 'one'), record('late', 3, 'outdated')];
    const { outcomes } = await observations.write([{ batch: row(a, START, 1), records }]);
    expect(outcomes[0]?.isOutdated).to.equal(true);
    expect(await texts()).to.deep.equal([]);
    expect(await transfer.read('uploadRecord')).to.deep.equal([]);
    expect(await store.put([record('new', 0, 'two')])).to.deep.equal([]);
  });

  it('writes records of rows that are late or repeated, and of rows without a station', async () => {
    const { observations } = opened();
    for (const [revision, time] of [5, 1, 1, 5, 9].entries())
      await observations.write([
        { batch: row(a, START + time, 1), records: [record('rain', revision, String(time))] },
      ]);
    const result = await observations.write([
      { batch: row(4711, START, 1), records: [record('rain', 5, 'unknown')] },
    ]);
    expect(result.outcomes[0]?.unknown).to.deep.equal([4711]);
    expect(await texts()).to.deep.equal(['rain 6 unknown']);
    expect(await temperatures()).to.deep.equal([1, 1, 1]);
  });
}
