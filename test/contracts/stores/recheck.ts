import { expect } from 'chai';
import fc from 'fast-check';
import type { Stores } from '#application/ports/stores.js';
import { recheckRange } from '#domain/weather/quality/recheck-range.js';
import { applyOverrides, type QualityOverride } from '#domain/weather/quality/override.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { FLAG, type ObservationBatch, type Series } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { catchUp, recheckOf } from '../../support/recheck.js';
import { describeRows } from './erase.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 1, 28);
const HOUR = 3_600_000;
const ALL = { from: -8.64e15, to: 8.64e15 };

/** A row of one station: its hour after `START`, temperature and humidity. */
type Row = readonly [hour: number, temperature: number, humidity: number];

function batchOf(station: number, rows: readonly Row[]): ObservationBatch {
  return {
    stations: new Uint32Array(rows.length).fill(station),
    times: Float64Array.from(rows, ([hour]) => START + hour * HOUR),
    values: new Map([
      [1, Float64Array.from(rows, ([, temperature]) => temperature)],
      [3, Float64Array.from(rows, ([, , humidity]) => humidity)],
    ]),
    flags: new Map(),
  };
}

/** What the flags must be once judging has caught up. */
function expectedRows(
  rows: readonly Row[],
  station: Station,
  overrides: readonly QualityOverride[] = [],
): string[] {
  const sorted = rows.toSorted(([a], [b]) => a - b);
  const series: Series = batchOf(station.number, sorted);
  const flags = new Map(recheckRange(series, ALL, rulesOf(station), []));
  applyOverrides(series, flags, overrides);
  return sorted.map(([hour, ...values], row) => {
    const cells = [1, 3].map((variable, index) => {
      const flag = flags.get(variable)?.[row] ?? 0;
      return `${variable}=${values[index]}${flag === 0 ? '' : `/${flag}`}`;
    });
    return `${station.number} ${hour}h ${cells.join(' ')}`;
  });
}

/** The rules for judging stored rows again in every store. */
export function recheckContract(opened: () => Stores): void {
  let stores: Stores;
  let station: Station;
  let number: number;
  const write = (...rows: Row[]) => stores.observations.write([{ batch: batchOf(number, rows) }]);
  const merge = async () => await (stores.observations as { merge?(): Promise<void> }).merge?.();
  const revision = async () => (await stores.observations.newest([number]))[0]?.revision ?? '';
  const checked = (hours: readonly number[], flags: readonly number[]): Series => ({
    times: Float64Array.from(hours, (hour) => START + hour * HOUR),
    values: new Map([[1, new Float64Array(hours.length).fill(5)]]),
    flags: new Map([[1, Uint8Array.from(flags)]]),
  });

  beforeEach(async () => {
    stores = opened();
    const [made] = await stores.stations.put([{ ...JFK, limits: {} }]);
    station = made?.station as Station;
    ({ number } = station);
  });

  /** Requests without their ids. */
  const requested = async (limit = 100) =>
    (await stores.recheck.requests(limit)).map(({ id: _id, ...request }) => request);

  for (const isMerged of [false, true]) {
    it(`requests a recheck of ${isMerged ? 'merged' : 'new'} rows that were written, changed or erased, once`, async () => {
      expect(await requested()).to.deep.equal([]);
      const first = { station: number, from: START, to: START + 2 * HOUR + 1, spreads: true };
      await write([2, 5, 50], [0, 5, 50]);
      if (isMerged) await merge();
      expect(await requested()).to.deep.equal([first]);
      expect(await requested()).to.deep.equal([first]);
      await stores.recheck.finish((await stores.recheck.requests(9)).map(({ id }) => ({ id })));
      await write([2, 5, 50]);
      expect(await requested(), 'an unchanged row').to.deep.equal([]);
      await write([1, 5, 50]);
      await write([2, 6, 50]);
      if (isMerged) await merge();
      expect(await requested()).to.deep.equal([{ ...first, from: START + HOUR }]);
      await stores.recheck.finish((await stores.recheck.requests(9)).map(({ id }) => ({ id })));
      const range = { station: number, from: START, to: START + 1 };
      await stores.observations.erase([range]);
      expect(await requested()).to.deep.equal([{ ...range, spreads: true }]);
    });

    it(`tells the ranges that wait at stations, and creates requests for ${isMerged ? 'merged' : 'new'} rows only on demand`, async () => {
      const { recheck } = stores;
      const pending = { station: number, from: START, to: START + HOUR + 1 };
      const all = async (stations?: readonly number[]) =>
        (await recheck.pending(stations)).filter((range) => range.station === number || range.station === 77);
      await write([0, 5, 50], [1, 5, 50]);
      if (isMerged) await merge();
      expect(await recheck.requests(9, 0, false)).to.deep.equal([]);
      expect(await all()).to.deep.equal([]);
      await recheck.requests(0);
      expect(await all()).to.deep.equal([pending]);
      await recheck.request([
        { station: 77, ...ALL, spreads: false },
        { station: null, near: { latitude: 1, longitude: 2 }, ...ALL, spreads: false },
        { station: number, from: 1, to: 2, spreads: true },
      ]);
      const more = { station: number, from: 1, to: 2 };
      expect(await all(), 'without the unknown station 77').to.deep.equal([pending, more]);
      expect(await all([number])).to.deep.equal([pending, more]);
      expect(await all([])).to.deep.equal([]);
      await stores.stations.hide(station.id, 1);
      expect(await all(), 'hidden').to.deep.equal([]);
      expect(await all([number]), 'hidden').to.deep.equal([]);
      await stores.stations.restore(station.id);
      expect(await all([number])).to.deep.equal([pending, more]);
    });

    it(`stores flags of ${isMerged ? 'merged' : 'new'} rows, in one revision and without a new request`, async () => {
      await write([0, 5, 50], [1, 5, 50], [2, 5, 50]);
      if (isMerged) await merge();
      await stores.recheck.finish((await stores.recheck.requests(9)).map(({ id }) => ({ id })));
      const before = await revision();
      const inventory = await stores.observations.inventory([number]);
      const changes = await stores.recheck.recheck(
        number,
        before,
        checked([0, 2], [FLAG.step, FLAG.grossRange]),
      );
      expect(String(changes?.revisions[0])).to.equal(await revision());
      expect(await revision()).not.to.equal(before);
      expect(changes && [changes.stations[0], changes.from[0], changes.to[0]]).to.deep.equal([
        number,
        START,
        START + 2 * HOUR,
      ]);
      const expected = [`${number} 0h 1=5/2 3=50`, `${number} 1h 1=5 3=50`, `${number} 2h 1=5/1 3=50`];
      const check = async () => {
        expect(await describeRows(stores)).to.deep.equal(expected);
        const [newest] = await stores.observations.newest([number]);
        expect(newest?.values.get(1)?.flags).to.equal(FLAG.grossRange);
        expect(await stores.observations.inventory([number])).to.deep.equal(inventory);
        expect(await requested()).to.deep.equal([]);
      };
      await check();
      await merge();
      await check();
      expect(await stores.recheck.recheck(number, before, checked([1], [1])), 'another revision').to.equal(
        undefined,
      );
      expect(await stores.recheck.recheck(number + 1, '0', checked([1], [1])), 'no station').to.equal(
        undefined,
      );
      await check();
      await stores.recheck.recheck(number, await revision(), checked([0, 2], [0, 0]));
      expect(await describeRows(stores)).to.deep.equal(
        [0, 1, 2].map((hour) => `${number} ${hour}h 1=5 3=50`),
      );
    });
  }

  it('keeps requests until they are finished, and puts the rest of a range behind the others', async () => {
    const one = { station: number, from: 0, to: 9, spreads: false };
    await stores.recheck.request([one, { ...one, to: 5, spreads: true }]);
    const [first] = await stores.recheck.requests(1);
    expect(await stores.recheck.requests(1)).to.deep.equal([first]);
    expect(await stores.recheck.waiting()).to.equal(2);
    await stores.recheck.finish([{ id: first?.id ?? 0, from: 3 }, { id: 999 }]);
    expect(await stores.recheck.waiting()).to.equal(2);
    expect(await requested()).to.deep.equal([
      { ...one, to: 5, spreads: true },
      { ...one, from: 3 },
    ]);
    const near = { latitude: 1.5, longitude: -2 };
    await stores.recheck.request([{ station: null, near, from: 1, to: 2, spreads: false }]);
    await stores.stations.hide(station.id, 1);
    expect(await requested()).to.deep.equal([{ station: null, near, from: 1, to: 2, spreads: false }]);
    expect(await stores.recheck.waiting(), 'of a hidden station').to.equal(1);
    await stores.stations.restore(station.id);
    expect(await requested()).to.have.length(3);
    expect(await stores.recheck.waiting()).to.equal(3);
    await stores.recheck.finish((await stores.recheck.requests(9)).map(({ id }) => ({ id })));
    expect(await stores.recheck.waiting()).to.equal(0);
  });

  it('puts the rests of several ranges in the order of their requests', async () => {
    const one = { station: number, from: 0, to: 9, spreads: false };
    await stores.recheck.request([one, { ...one, to: 8 }]);
    const stored = await stores.recheck.requests(9);
    await stores.recheck.finish(stored.toReversed().map(({ id }) => ({ id, from: 3 })));
    expect(await requested()).to.deep.equal([
      { ...one, from: 3 },
      { ...one, from: 3, to: 8 },
    ]);
  });

  it('keeps overrides, and requests a recheck of their ranges', async () => {
    const override: QualityOverride = {
      id: 'b',
      station: number,
      variable: 1,
      from: START,
      to: START + HOUR,
      verdict: 'bad',
      reason: 'Spider "x".',
      madeBy: null,
      madeAt: 7,
    };
    const later: QualityOverride = { ...override, id: 'a', verdict: 'good', madeBy: 'Åda', madeAt: 8 };
    await stores.overrides.add(later);
    await stores.overrides.add(override);
    expect(await stores.overrides.list(number)).to.deep.equal([override, later]);
    expect(await stores.overrides.list(number + 1)).to.deep.equal([]);
    const request = { station: number, from: START, to: START + HOUR, spreads: false };
    expect(await requested()).to.deep.equal([request, request]);
    expect(await stores.overrides.remove(number + 1, 'b')).to.equal(undefined);
    expect(await stores.overrides.remove(number, 'c')).to.equal(undefined);
    expect(await stores.overrides.remove(number, 'b')).to.deep.equal(override);
    expect(await stores.overrides.list(number)).to.deep.equal([later]);
    expect(await requested()).to.have.length(3);
    await stores.stations.remove(station.id);
    while (await stores.stations.eraseRows(number));
    expect(await stores.overrides.list(number)).to.deep.equal([]);
  });

  it('replaces many overrides at once, repeatedly too, with a request for each range', async () => {
    const made = (id: string, hour: number): QualityOverride => ({
      id,
      station: number,
      variable: 29,
      from: START + hour * HOUR,
      to: START + (hour + 1) * HOUR,
      verdict: 'bad',
      reason: 'failed a check of NOAA: bounds (flag X)',
      madeBy: 'import 1',
      madeAt: hour,
    });
    const all = Array.from({ length: 3000 }, (_, hour) => made(`import-1-${hour}`, hour));
    const range = { from: START, to: START + 3000 * HOUR };
    const change = { station: number, removed: [], added: all, ranges: [range] };
    await stores.overrides.replace(change);
    await stores.overrides.replace(change);
    expect(await stores.overrides.list(number)).to.deep.equal(all);
    const request = { ...range, station: number, spreads: false };
    expect(await requested()).to.deep.equal([request, request]);
    // An id may be removed and added at once. The override of another station is not removed.
    const [first = made('', 0), second = made('', 0)] = all;
    const longer = { ...first, to: START + 9 * HOUR };
    await stores.overrides.replace({
      ...change,
      station: number + 1,
      removed: [second.id],
      added: [],
      ranges: [],
    });
    const removed = all.slice(0, -1).flatMap(({ id }) => (id === second.id ? [] : [id]));
    await stores.overrides.replace({
      ...change,
      removed: [...removed, 'unknown'],
      added: [longer],
      ranges: [],
    });
    expect(await stores.overrides.list(number)).to.deep.equal([longer, second, all.at(-1)]);
    expect(await requested()).to.have.length(2);
  });

  it('keeps the settings and the history of a station', async () => {
    const changed = {
      ...JFK,
      steps: { air_temperature: { perMinute: 1, perHour: 5 } },
      persistence: { air_temperature: 3600 },
      sensorHeights: { wind_speed: 10 },
      cellMethods: { wind_speed: 'point' as const },
      stampInterval: 3600,
      dailyObservationTime: '07:00',
      visibility: 'hidden' as const,
      positionDecimals: 1,
      demo: 'live' as const,
    };
    const [change] = await stores.stations.change([{ id: station.id, change: changed, since: START }]);
    const { number: _number, limits: _limits, steps: _steps, persistence: _persistence, ...rest } = station;
    const { latitude, longitude, elevation, reportingInterval } = rest;
    const earlier = [{ latitude, longitude, elevation, reportingInterval, until: START }];
    expect(change?.station).to.deep.equal({ ...changed, number, earlier });
    expect(await stores.stations.find(station.id)).to.deep.equal(change?.station);
    expect(await stores.stations.list()).to.deep.equal([change?.station]);
    await stores.stations.hide(station.id, 1);
    expect((await stores.stations.hidden())[0]?.station).to.deep.equal(change?.station);
    await stores.stations.restore(station.id);
    const empty = {
      limits: {},
      steps: {},
      persistence: {},
      sensorHeights: {},
      cellMethods: {},
      stampInterval: null,
      dailyObservationTime: null,
      visibility: 'public' as const,
      positionDecimals: null,
    };
    const [cleared] = await stores.stations.change([{ id: station.id, change: empty, since: START - 1 }]);
    expect(cleared?.station).to.deep.equal({
      ...JFK,
      limits: {},
      number,
      sensorHeights: { wind_speed: 10 },
      dailyObservationTime: '07:00',
      // No request contains the mark of the demo, and every change keeps it.
      demo: 'live',
      earlier: [START - 1, START].map((until) => ({
        latitude,
        longitude,
        elevation,
        reportingInterval,
        until,
      })),
    });
    expect(await stores.stations.find(station.id)).to.deep.equal(cleared?.station);
  });

  it('has the same flags once quality control has caught up, whatever the order and the batches of the rows', async () => {
    const value = fc.constantFrom(5, 6, 40, -90, 70);
    const row = fc.tuple(fc.nat(30), value, fc.constantFrom(20, 50, 101));
    const rows = fc.uniqueArray(row, { selector: ([hour]) => hour, minLength: 1, maxLength: 12 });
    const order = fc.record({
      rows,
      order: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 12, maxLength: 12 }),
      /** What happens after each batch. */
      between: fc.array(fc.constantFrom('merge', 'judge', 'nothing', 'nothing'), {
        minLength: 12,
        maxLength: 12,
      }),
      verdict: fc.option(fc.constantFrom('bad' as const, 'good' as const), { nil: undefined }),
      max: fc.option(fc.integer({ min: 5, max: 50 }), { nil: undefined }),
    });
    const recheck = recheckOf(stores);
    let round = 0;
    await fc.assert(
      fc.asyncProperty(order, async ({ rows: all, order: keys, sizes, between, verdict, max }) => {
        const id = `order-${(round += 1)}`;
        const [made] = await stores.stations.put([{ ...JFK, id, limits: {} }]);
        const fresh = made?.station ?? station;
        ({ number } = fresh);
        const shuffled = all
          .map((one, index) => [keys[index] ?? 0, one] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, one]) => one);
        for (let at = 0, index = 0; at < shuffled.length; index += 1) {
          await write(...shuffled.slice(at, at + (sizes[index] ?? 1)));
          at += sizes[index] ?? 1;
          if (between[index] === 'merge') await merge();
          if (between[index] === 'judge') await recheck.execute();
        }
        const overrides: QualityOverride[] = [];
        if (verdict !== undefined) {
          const range = { from: START + 5 * HOUR, to: START + 20 * HOUR };
          const override = { id, station: number, variable: 1, ...range, verdict, reason: '-' };
          overrides.push({ ...override, madeBy: null, madeAt: 1 });
          await stores.overrides.add(overrides[0] as QualityOverride);
        }
        let now = fresh;
        if (max !== undefined) {
          const change = { limits: { air_temperature: { min: -80, max } } };
          now = (await stores.stations.change([{ id, change }]))[0]?.station as Station;
          await stores.recheck.request([{ station: number, ...ALL, spreads: false }]);
        }
        await catchUp(recheck);
        const found = (await describeRows(stores)).filter((text) => text.startsWith(`${number} `));
        expect(found).to.deep.equal(expectedRows(all, now, overrides));
        const stable = await revision();
        await stores.recheck.request([{ station: number, ...ALL, spreads: false }]);
        await catchUp(recheck);
        expect(await revision(), 'judged again').to.equal(stable);
        await stores.stations.remove(id);
        while (await stores.stations.eraseRows(number));
      }),
      { numRuns: 20 },
    );
  });
}
