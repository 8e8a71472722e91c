import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { encodeDailyAggregates } from '#adapters/formats/packed/daily-aggregate-codec.js';
import { decodeDailyAggregates } from '#adapters/formats/packed/packed-days.js';
import { checksumOf, type NewestRow } from '#adapters/packed-store/station-states.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import type { Difference } from '#application/ports/data-verifier.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import { describeRows, hourlyRows } from '../../contracts/stores/erase.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { olderBlob } from '../../support/older-blob.js';
import { Place } from '../../support/place.js';
import { flipped, RawStore } from '../../support/raw-store.js';
import { domainErrorOf } from '../../support/rejection.js';
import { WATCH } from '../../support/verify-watch.js';

/** The time of hour 0 of `hourlyRows`. */
const START = Date.UTC(2024, 1, 28);
/** The first of the 64 days of a chunk of sparse rows with `START`. */
const CHUNK_DAY = Math.floor(START / 86_400_000 / 64) * 64;
const CALENDAR = new TemporalCalendar();
const DAY = MILLISECONDS.day;

for (const name of ['sqlite', 'postgres']) {
  describe(`the check of observations › ${name}`, () => {
    let place: Place;
    let stores: Stores;
    let raw: RawStore;
    let a: number;
    let b: number;

    const merge = () => (stores.observations as unknown as { merge(): Promise<void> }).merge();
    const verify = async () => await stores.verifier.verify(WATCH);
    const discard = async () => await stores.verifier.discard(WATCH);
    const write = (station: number, hours: readonly number[], scale = 1) =>
      stores.observations.write([
        {
          batch: hourlyRows(
            hours.map((hour) => [
              station,
              hour,
              { 1: (hour % 17) * scale, 6: hour % 5, 7: (hour * 7) % 360, 11: hour % 3 },
            ]),
          ),
        },
      ]);
    const makeTables = async (id: string, from: number, to: number) => {
      const keep = new MaintainDailyAggregates(CALENDAR, stores.observations, stores.dailyAggregates);
      const station = (await stores.observations.describe(id))?.station;
      if (station === undefined) throw new Error('no station');
      keep.request(station, CALENDAR.buckets('month', station.timeZone, 0, from, to));
      await keep.execute();
    };
    /** Where the statement finds the chunk of a station that begins at a day. */
    const chunkAt = (station: number, day: number) =>
      raw.isSqlite ? `key = ${station * 2 ** 20 + day + 2 ** 19}` : `station = ${station} AND day = ${day}`;
    const reopen = async () => {
      await stores.close();
      stores = await place.open();
    };
    const reasons = (found: readonly Difference[]) =>
      found.map(({ station, reason }) => `${station}: ${reason}`);
    /** Three months of every third hour, with tables of all but the last. */
    const fill = async () => {
      await write(
        a,
        Array.from({ length: 8 * 95 }, (_, index) => index * 3),
      );
      await write(b, [0, 1, 24]);
      await merge();
      await makeTables('a', START, START + 94 * DAY);
      expect(await raw.count('day_table')).to.equal(3);
    };

    beforeEach(async () => {
      place = await Place.ready(name);
      stores = await place.open();
      raw = new RawStore(place);
      const made = await stores.stations.put(
        ['a', 'b'].map((id) => ({ ...JFK, id, timeZone: 'UTC', limits: {} })),
      );
      [a, b] = made.map(({ station }) => station.number) as [number, number];
      // Tables begin with whole months.
      await write(a, [-28 * 24]);
    });
    afterEach(async () => {
      await stores.close();
      await place.remove();
    });

    it('finds nothing wrong after any writes, merges, erasures, undos and tables, in any order', async () => {
      const hours = fc.array(fc.integer({ min: -700, max: 3000 }), { minLength: 1, maxLength: 40 });
      const command = fc.oneof(
        fc.record({ kind: fc.constant('write' as const), hours, station: fc.boolean() }),
        fc.record({ kind: fc.constantFrom('merge' as const, 'tables' as const, 'erase' as const), hours }),
        fc.record({ kind: fc.constantFrom('import' as const, 'undo' as const, 'move' as const), hours }),
      );
      let round = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 12 }), async (commands) => {
          let last: number | undefined;
          for (const one of commands) {
            round += 1;
            const from = START + (one.hours[0] ?? 0) * MILLISECONDS.hour;
            if (one.kind === 'write') await write(one.station ? a : b, one.hours, round % 7);
            else if (one.kind === 'merge') await merge();
            else if (one.kind === 'tables') await makeTables('a', START - 60 * DAY, START + 90 * DAY);
            else if (one.kind === 'erase')
              await stores.observations.erase([{ station: a, from, to: from + 3 * DAY, variables: [1] }]);
            else if (one.kind === 'move')
              await stores.stations.put([
                { ...JFK, id: 'a', timeZone: 'UTC', limits: {}, longitude: round % 180 },
              ]);
            else if (one.kind === 'import') {
              last = await stores.importLog.begin(`key ${round}`, 'rows.csv', 1);
              const batch = hourlyRows(one.hours.map((hour) => [a, hour, { 1: round % 9 }]));
              await stores.observations.write([{ batch, importNumber: last }]);
            } else if (last !== undefined) {
              await stores.importLog.beginUndo(last, 2);
              while (!(await stores.observations.undo(last)).isDone);
              last = undefined;
            }
          }
          const { faults, damage, differences } = await verify();
          expect({ faults, damage, differences }).to.deep.equal({ faults: [], damage: [], differences: [] });
        }),
        { numRuns: 6 },
      );
    });

    it('counts every blob, and reports the rows as it reads them', async () => {
      await fill();
      await write(b, [50]);
      let [expected, read] = [0, 0];
      const { verified } = await stores.verifier.verify({
        ...WATCH,
        onStart: (rows) => (expected = rows),
        onRows: (rows) => (read += rows),
      });
      expect([expected, read]).to.deep.equal([8 * 95 + 4, 8 * 95 + 5]);
      expect(verified).to.equal((await raw.count('chunk')) + (await raw.count('run')) + 3);
    });

    it('ends with the reason of a signal', async () => {
      await fill();
      const signal = AbortSignal.abort(new Error('enough'));
      const ended = await stores.verifier.verify({ ...WATCH, signal }).catch(String);
      expect(ended).to.equal('Error: enough');
      expect((await verify()).differences).to.deep.equal([]);
    });

    it('finds totals and newest values that differ from the rows, and computes them again', async () => {
      await fill();
      await raw.run(`UPDATE @newest SET rows = rows + 1, first = 5 WHERE station = ${b}`);
      // The value of air temperature follows the header of the state and the fields of the variable.
      await raw.change('newest', `station = ${a}`, (blob) => {
        blob.writeDoubleLE(99.5, 20);
        return blob;
      });
      await reopen();
      const wrong = (id: string) => `${id}: the checksum of the stored totals and newest values is wrong`;
      expect(reasons((await verify()).differences)).to.deep.equal([wrong('a'), wrong('b')]);
      // As if they had been written so.
      for (const station of [a, b]) {
        const [row] = await raw.run(
          `SELECT revision, rows, first, data, unjudged_from AS "uncheckedFrom", unjudged_to AS "uncheckedTo"
           FROM @newest WHERE station = ${station}`,
        );
        const numbers = Object.entries(row ?? {}).map(([column, value]) => [
          column,
          typeof value === 'string' ? Number(value) : value,
        ]);
        const checksum = checksumOf(station, Object.fromEntries(numbers) as NewestRow);
        await raw.run(`UPDATE @newest SET checksum = ? WHERE station = ${station}`, [checksum]);
      }
      await reopen();
      const found = reasons((await verify()).differences);
      expect(found).to.have.length(3);
      expect(found[0]).to.match(
        /^a: the stored newest air_temperature is 99\.5 of 2024-06-01\S+ instead of /,
      );
      expect(found[1]).to.equal('b: the stored number of rows is 4 instead of 3');
      expect(found[2]).to.equal(
        'b: the stored first time is 1970-01-01T00:00:00.005Z instead of 2024-02-28T00:00:00.000Z',
      );
      const before = await describeRows(stores);
      expect((await discard()).damage).to.deep.equal([]);
      expect((await verify()).differences).to.deep.equal([]);
      expect(await describeRows(stores)).to.deep.equal(before);
      expect((await stores.observations.inventory([b]))[0]?.count).to.equal(3);
    });

    it('finds totals that cannot be read', async () => {
      await fill();
      await raw.change('newest', `station = ${b}`, (blob) => blob.subarray(0, 20));
      await reopen();
      expect(reasons((await verify()).differences)).to.deep.equal([
        'b: the checksum of the stored totals and newest values is wrong',
      ]);
      await discard();
      expect((await verify()).differences).to.deep.equal([]);
    });

    it('finds tables of days that are damaged, or differ from the rows in the last bit', async () => {
      await fill();
      const [march, april] = [Date.UTC(2024, 2, 1), Date.UTC(2024, 3, 1)];
      await raw.change('day_table', `start = ${march}`, flipped);
      await raw.change('day_table', `start = ${april}`, (blob) => {
        const month = { station: a, start: april, end: Date.UTC(2024, 4, 1), zone: 'UTC' };
        const table = decodeDailyAggregates({ ...month, data: blob });
        const sums = table.sums.get(6)?.[1] as Float64Array;
        sums[9] = (sums[9] as number) * (1 + Number.EPSILON);
        return encodeDailyAggregates(month, table);
      });
      const { differences } = await verify();
      expect(differences.map(({ first, last }) => [first, last])).to.deep.equal([
        [march, april - 1],
        [april, Date.UTC(2024, 4, 1) - 1],
      ]);
      expect(reasons(differences)).to.deep.equal([
        'a: the table of daily aggregates cannot be read: its checksum is wrong',
        'a: the daily aggregates differ from the rows: wind_speed of day 10 of the month',
      ]);
      await discard();
      expect(await raw.count('day_table')).to.equal(1);
      expect((await verify()).differences).to.deep.equal([]);
    });

    it('compares no table of a month in which the reporting interval changed', async () => {
      const { latitude, longitude, elevation } = JFK;
      const earlier = [{ latitude, longitude, elevation, reportingInterval: 60, until: START + 40.5 * DAY }];
      await stores.stations.put([{ ...JFK, id: 'a', timeZone: 'UTC', limits: {}, earlier }]);
      await fill();
      expect(reasons((await verify()).differences)).to.deep.equal([]);
    });

    it('finds days whose rows are not in order, and columns beside a blob that differ from it', async () => {
      await fill();
      const times = Float64Array.of(START + 5, START + 5, START + 6);
      const values = new Map([[1, Float64Array.of(1, 2, 3)]]);
      const chunk = encodeChunk(
        { station: b, day: CHUNK_DAY, days: 64 },
        { times, values, flags: new Map() },
      );
      await raw.change('chunk', chunkAt(b, CHUNK_DAY), () => chunk);
      await raw.run(`UPDATE @chunk SET variables = 2 WHERE ${chunkAt(a, CHUNK_DAY)}`);
      const { differences } = await verify();
      expect(reasons(differences)).to.include('b: rows of a chunk are not in order of time');
      expect(reasons(differences)).to.include(
        'a: the variables of a chunk differ from its column "variables"',
      );
      expect(differences.filter(({ isDerived }) => !isDerived).length).to.be.at.least(2);
    });

    it('finds chunks that overlap, that have rows of other days, or that begin at a wrong day', async () => {
      await fill();
      // The checksum of the current version covers the number of days.
      for (const station of [a, b])
        await raw.change('chunk', chunkAt(station, CHUNK_DAY), (blob) => olderBlob(blob));
      await raw.run(`UPDATE @chunk SET days = 128 WHERE ${chunkAt(a, CHUNK_DAY)}`);
      await raw.run(`UPDATE @chunk SET days = 1 WHERE ${chunkAt(b, CHUNK_DAY)}`);
      const differences = (await verify()).differences.filter(
        ({ reason }) => !reason.endsWith(' are stored'),
      );
      const [first, next] = [CHUNK_DAY * DAY, (CHUNK_DAY + 64) * DAY];
      expect(differences.map(({ station, first: from, reason }) => [station, from, reason])).to.deep.equal([
        ['a', first, 'the days of a chunk are impossible or overlap the chunk before'],
        ['a', next, 'the days of a chunk are impossible or overlap the chunk before'],
        ['b', first, 'rows of a chunk are not in order of time'],
      ]);
    });

    it('finds an undo that is no longer possible, and gives it up', async () => {
      const number = await stores.importLog.begin('key', 'rows.csv', 1);
      await stores.observations.write([{ batch: hourlyRows([[a, 4, { 1: 5 }]]), importNumber: number }]);
      await raw.change('import_journal', '1 = 1', flipped);
      expect(reasons((await verify()).differences)).to.deep.equal([
        `null: import ${number} cannot be undone: its checksum is wrong`,
      ]);
      await discard();
      expect((await verify()).differences).to.deep.equal([]);
      expect((await stores.importLog.find(number))?.isForgotten).to.equal(true);
    });

    it('finds damaged days and commits, which are deleted on request, and all else is kept', async () => {
      await fill();
      await write(a, [3000]);
      await write(b, [48]);
      expect((await verify()).damage).to.deep.equal([]);
      expect(await raw.change('chunk', chunkAt(a, CHUNK_DAY + 64), flipped)).to.equal(1);
      const last = Number((await raw.run('SELECT max(id) AS id FROM @run'))[0]?.['id']);
      await raw.change('run', `id = ${last}`, flipped);
      await reopen();
      const { damage, differences } = await verify();
      expect(differences).to.deep.equal([]);
      expect(
        damage.map(({ stations, first, rows, reason }) => [stations, first, rows, reason]),
      ).to.have.deep.members([
        [['a'], (CHUNK_DAY + 64) * DAY, 288, 'its checksum is wrong'],
        [['b'], START + 2 * DAY, 1, 'its checksum is wrong'],
      ]);
      await domainErrorOf(describeRows(stores), 'DATA_DAMAGED');
      expect((await discard()).damage).to.have.length(2);
      expect((await verify()).damage).to.deep.equal([]);
      expect((await verify()).differences).to.deep.equal([]);
      const rows = await describeRows(stores);
      expect(rows).to.have.length(1 + 8 * 95 - 288 + 1 + 3);
      expect(rows.filter((row) => row.startsWith(`${b} `))).to.have.length(3);
      for (const check of stores.checks) expect(await check.check()).to.equal(undefined);
    });
  });
}
