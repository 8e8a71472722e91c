import { expect } from 'chai';
import fc from 'fast-check';
import type { StationStore } from '#application/ports/station-store.js';
import type { Stores } from '#application/ports/stores.js';
import { noticeRecordOf, sensorRecordsOf, sourceFlagRecordsOf } from '#application/record-forms.js';
import { eraseRows } from '#application/stations/erase-rows.js';
import { MILLISECONDS } from '#domain/time.js';

import { stationText } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import { domainErrorOf } from '../../support/rejection.js';
import { JFK, OSLO } from './station-store.js';

/** The rules for fields, and for removed and restored stations, for every StationStore. */
export function stationChangesContract(opened: () => Stores): void {
  let stations: StationStore;
  beforeEach(() => ({ stations } = opened()));

  const fieldsOf = async (id: string) => {
    const { number: _number, ...fields } = (await stations.find(id)) ?? { number: 0 };
    return fields;
  };

  it('changes the fields that are named, and no others', async () => {
    await stations.put([JFK, OSLO]);
    for (const change of [
      { name: 'New' },
      { elevation: null },
      { latitude: 1, longitude: 2 },
      { timeZone: 'UTC' },
      { reportingInterval: 60 },
      { limits: {} },
      { identifiers: { wmo: '1' } },
      {},
    ]) {
      const before = await fieldsOf('JFK');
      const [changed] = await stations.change([{ id: 'JFK', change }]);
      expect(changed).to.have.property('isNew', false);
      expect(await fieldsOf('JFK')).to.deep.equal({ ...before, ...change });
    }
    expect(await fieldsOf(OSLO.id)).to.have.property('name', OSLO.name);
  });

  it('changes a station only in the state that is expected', async () => {
    const edit = (expected: string | null | undefined, name: string) => {
      const draft = { ...JFK, name };
      return { id: 'JFK', change: draft, create: draft, ...(expected !== undefined && { expected }) };
    };
    const stateNow = async () => {
      const found = stationText((await stations.find('JFK')) as Station);
      const described = await opened().observations.describe('JFK');
      expect(stationText((described as { station: Station }).station)).to.equal(found);
      return found;
    };
    const refused = async (expected: string | null) =>
      await domainErrorOf(stations.change([edit(expected, 'Never')]), 'PRECONDITION_FAILED');
    await refused('{}');
    const made = await Promise.allSettled(['a', 'b', 'c'].map((name) => stations.change([edit(null, name)])));
    expect(made.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
    await refused(null);
    const first = await stateNow();
    const changed = await Promise.allSettled(
      ['d', 'e', 'f'].map((name) => stations.change([edit(first, name)])),
    );
    expect(changed.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1);
    await refused(first);
    const rich = {
      ...JFK,
      name: 'Rich',
      limits: { air_temperature: { min: -1, max: 1 }, wind_speed: { min: 0, max: 9 } },
      sensorHeights: { wind_speed: 10, air_temperature: 2 },
      elevation: null,
      visibility: 'hidden' as const,
    };
    await stations.put([rich]);
    const [last] = await stations.change([edit(await stateNow(), 'Last')]);
    expect(last?.station.name).to.equal('Last');
    expect(stationText((last as { station: Station }).station)).to.equal(await stateNow());
  });

  it('sets and removes single identifiers', async () => {
    await stations.put([JFK]);
    await stations.change([{ id: 'JFK', identify: { icao: null, wigos: '0-20000-0-74486' } }]);
    expect(await fieldsOf('JFK')).to.deep.equal({
      ...JFK,
      identifiers: { wmo: '74486', wigos: '0-20000-0-74486' },
    });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, 'x']));
    await domainErrorOf(stations.change([{ id: 'JFK', identify: many }]), 'REQUEST_INVALID');
  });

  it('creates only missing stations, and changes only existing ones', async () => {
    await stations.put([JFK]);
    await domainErrorOf(stations.change([{ id: 'JFK', create: OSLO }]), 'STATION_EXISTS');
    await domainErrorOf(stations.change([{ id: 'LGA', change: { name: 'x' } }]), 'STATION_UNKNOWN');
    const [made] = await stations.change([{ id: 'LGA', create: { ...JFK, id: 'LGA' } }]);
    expect(made).to.have.property('isNew', true);
  });

  it('changes all or none; each edit sees the results of those before it', async () => {
    const version = await stations.version();
    const create = { ...JFK, id: 'x' };
    const edits = [
      { id: 'x', create },
      { id: 'x', change: { name: 'second' } },
    ];
    await domainErrorOf(stations.change([...edits, { id: 'none', change: {} }]), 'STATION_UNKNOWN');
    expect(await stations.list()).to.deep.equal([]);
    expect(await stations.version()).to.equal(version);
    const changes = await stations.change(edits);
    expect(changes.map(({ isNew, station }) => [isNew, station.name])).to.deep.equal([
      [true, JFK.name],
      [false, 'second'],
    ]);
  });

  it('refuses a new id that differs from another only in case, or begins with a hyphen', async () => {
    await stations.put([JFK]);
    const put = (...ids: string[]) => stations.put(ids.map((id) => ({ ...JFK, id })));
    expect((await domainErrorOf(put('jFk'), 'STATION_EXISTS')).message).to.contain('"JFK"');
    await domainErrorOf(put('lga', 'LGA'), 'STATION_EXISTS');
    await domainErrorOf(put('-x'), 'REQUEST_INVALID');
    expect((await stations.list()).map(({ id }) => id)).to.deep.equal(['JFK']);
  });

  it('loses no field when many callers change different ones at once', async () => {
    const field = fc.constantFrom<Partial<StationDraft>>(
      { name: 'New' },
      { elevation: 9 },
      { latitude: 9 },
      { longitude: 9 },
      { timeZone: 'UTC' },
      { reportingInterval: 60 },
      { limits: {} },
    );
    const distinct = { selector: (part: object) => Object.keys(part)[0], minLength: 2 };
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(field, distinct), async (parts) => {
        await stations.put([JFK]);
        await Promise.all(parts.map((change) => stations.change([{ id: 'JFK', change }])));
        expect(await fieldsOf('JFK')).to.deep.equal(Object.assign({ ...JFK }, ...parts));
      }),
      { numRuns: 10 },
    );
  });

  it('hides a station completely, and restores it unchanged', async () => {
    const [before] = await stations.put([JFK, OSLO]);
    expect(await stations.hide('JFK', 5)).to.equal(true);
    expect(await stations.find('JFK')).to.equal(undefined);
    expect((await stations.list()).map(({ id }) => id)).to.deep.equal([OSLO.id]);
    expect(await stations.hidden()).to.deep.equal([{ station: before?.station, removedAt: 5 }]);
    expect(await stations.restore('JFK')).to.equal(true);
    expect(await stations.find('JFK')).to.deep.equal(before?.station);
    expect(await stations.hidden()).to.deep.equal([]);
  });

  it('reports when there is nothing to hide or to restore, and changes nothing then', async () => {
    await stations.put([JFK]);
    const version = await stations.version();
    for (const id of ['none', 'jfk', '', 'x\u0000']) expect(await stations.hide(id, 1)).to.equal(false);
    for (const id of ['none', 'JFK', 'x\u0000']) expect(await stations.restore(id)).to.equal(false);
    expect(await stations.version()).to.equal(version);
  });

  it('changes the version after hiding and after restoring', async () => {
    await stations.put([JFK]);
    const versions = [await stations.version()];
    await stations.hide('JFK', 1);
    versions.push(await stations.version());
    await stations.restore('JFK');
    versions.push(await stations.version());
    expect(new Set(versions)).to.have.property('size', 3);
  });

  it('reserves the id of a hidden station, in any case, until it is removed permanently', async () => {
    const [before] = await stations.put([JFK]);
    await stations.hide('JFK', 1);
    for (const id of ['JFK', 'jfk']) {
      await domainErrorOf(stations.put([{ ...JFK, id }]), 'STATION_REMOVED');
      await domainErrorOf(stations.change([{ id, change: { name: 'x' } }]), 'STATION_REMOVED');
    }
    expect(await stations.remove('JFK')).to.equal(true);
    expect(await stations.remove('JFK')).to.equal(false);
    expect(await stations.restore('JFK')).to.equal(false);
    const [after] = await stations.put([JFK]);
    expect(after?.station.number).to.be.above(before?.station.number ?? Infinity);
  });

  it('removes permanently only a station that was hidden at the given time or before', async () => {
    const made = await stations.put(['a', 'b', 'c'].map((id) => ({ ...JFK, id })));
    const numbers = made.map(({ station }) => station.number);
    const { observations } = opened();
    const batch = () => ({
      stations: Uint32Array.from(numbers),
      times: new Float64Array(numbers.length).fill(1_700_000_000_000),
      values: new Map([[1, new Float64Array(numbers.length).fill(7)]]),
      flags: new Map(),
    });
    await observations.write([{ batch: batch() }]);
    await stations.hide('a', 10);
    await stations.hide('b', 11);
    const {
      outcomes: [written],
    } = await observations.write([{ batch: batch() }]);
    expect(written?.unknown).to.have.members(numbers.slice(0, 2));
    expect(await stations.remove('a', { hiddenUntil: 9 })).to.equal(false);
    expect(await stations.remove('a', { hiddenUntil: 10 })).to.equal(true);
    expect(await stations.remove('b', { hiddenUntil: 10 })).to.equal(false);
    expect((await stations.hidden()).map(({ station }) => station.id)).to.deep.equal(['b']);
    await stations.restore('b');
    expect(await stations.remove('b', { hiddenUntil: 8.64e15 })).to.equal(false);
    const counts = async () => (await observations.inventory(numbers)).map(({ count }) => count);
    expect(await counts()).to.deep.equal([0, 1, 1]);
    await eraseRows(stations);
    expect(await counts()).to.deep.equal([0, 1, 1]);
  });

  it('deletes only the rows, notices, flags and sensors of permanently removed stations', async () => {
    const made = await stations.put(['a', 'b', 'c'].map((id) => ({ ...JFK, id })));
    const [a, b, c] = made.map(({ station }) => station.number) as [number, number, number];
    const { observations, storedRecords } = opened();
    const others = [`notices ${a}9`, `${sourceFlagRecordsOf(Number(`${a}9`))}0/1/`, 'other'];
    const recordsOf = (number: number) => [
      noticeRecordOf(number),
      ...['-13/0/', '0/12/'].map((layer) => sourceFlagRecordsOf(number) + layer),
      `${sensorRecordsOf(number)}source roof/iss 1`,
    ];
    const names = [...[a, b, c].flatMap(recordsOf), ...others];
    await storedRecords.put(names.map((name) => ({ name, key: null, revision: 0, text: '{}', time: 1 })));
    const times = Float64Array.from(
      { length: 9 },
      (_, row) => Date.UTC(1969, 0, 1) + row * 200 * MILLISECONDS.day,
    );
    for (const number of [a, b, c]) {
      const [stationsOf, values] = [new Uint32Array(9).fill(number), new Map([[1, new Float64Array(9)]])];
      await observations.write([
        { batch: { stations: stationsOf, times: times.slice(), values, flags: new Map() } },
      ]);
    }
    await stations.hide('b', 1);
    await stations.remove('a');
    for (const number of [b, c, 4711]) expect(await stations.eraseRows(number)).to.equal(false);
    await eraseRows(stations);
    expect(await stations.erased()).to.deep.equal([]);
    expect(await stations.eraseRows(a)).to.equal(false);
    const rows = new Map<number, number>();
    for await (const batch of observations.read({ from: -8.64e15, to: 8.64e15 })) {
      for (const number of batch.stations) rows.set(number, (rows.get(number) ?? 0) + 1);
    }
    expect([...rows]).to.deep.equal([
      [b, 9],
      [c, 9],
    ]);
    const left = (await storedRecords.records('')).map(({ name }) => name);
    expect(left).to.have.members([...[b, c].flatMap(recordsOf), ...others]);
  });
}
