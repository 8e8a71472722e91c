import { expect } from 'chai';
import sinon from 'sinon';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { SLICE } from '#application/observations/ingest/slices.js';
import { Derive } from '#application/observations/read/derived/derive.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { UNLIMITED } from '#application/observations/read/gate/permit.js';
import { GetLatest } from '#application/observations/read/get-latest.js';
import { ListLatest } from '#application/observations/read/list-latest.js';
import { type ReadInput, ReadObservations } from '#application/observations/read/read-observations.js';
import { type SummarizeInput, Summarize } from '#application/observations/read/summarize.js';
import { ListStations } from '#application/stations/list-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { UnreadableRows } from '#domain/weather/sent-rows.js';
import { domainErrorOf, rejectionOf } from '../../support/rejection.js';
import { addStation, record, sentColumns, STATION } from '../../support/weather-world.js';
import { CALLER, World } from '../../support/world.js';

const at = (text: string) => Date.parse(text);
const WHOLE: ReadInput = {
  from: undefined,
  to: undefined,
  variables: undefined,
  quality: 'all',
  limit: 100,
  cursor: undefined,
};

describe('weather', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });

  const read = async ({ station = 'JFK', ...given }: Partial<ReadInput> & { station?: string } = {}) => {
    const input: ReadInput = { ...WHOLE, ...given };
    const described = await world.get(DescribeStation).execute(station, input);
    return await world.get(ReadObservations).execute(described, input);
  };
  const summarize = async (input: Partial<SummarizeInput> = {}) => {
    const described = await world.get(DescribeStation).execute('JFK');
    const page = await world.get(Summarize).execute(described, {
      interval: 'day',
      timeZone: 'station',
      dayStart: 0,
      from: undefined,
      to: undefined,
      variables: undefined,
      quality: 'pass',
      ...input,
    });
    return { ...page, rows: [...page.rows] };
  };

  describe('PutStations, DescribeStation, RemoveStation', () => {
    it('create, change and remove a station, and record it', async () => {
      await addStation(world, { name: 'Kennedy' });
      const { station, inventory } = await world.get(DescribeStation).execute('JFK');
      expect(station).to.include({ name: 'Kennedy', number: 1 });
      expect(inventory).to.deep.equal({ first: null, last: null, count: 0, variables: [] });
      await world.get(RemoveStation).execute('JFK', CALLER);
      await domainErrorOf(world.get(DescribeStation).execute('JFK'), 'STATION_UNKNOWN');
      await domainErrorOf(world.get(RemoveStation).execute('JFK', CALLER), 'STATION_UNKNOWN');
      expect((await world.auditTrail()).slice(-2)).to.deep.equal([
        'station-put done JFK',
        'station-remove done JFK',
      ]);
    });

    it('take an offset in place of a time zone', async () => {
      for (const timeZone of ['-05:00', '+05:45', '+14:00']) {
        await addStation(world, { timeZone });
        expect((await world.get(DescribeStation).execute('JFK')).station.timeZone).to.equal(timeZone);
      }
      for (const timeZone of ['-5:00', '+14:30', '-0500', '05:00', 'GMT-05:00']) {
        const error = await domainErrorOf(addStation(world, { timeZone }), 'REQUEST_INVALID');
        expect(error.message, timeZone).to.contain('or an offset such as -05:00');
      }
    });

    it('take all or none', async () => {
      const drafts = [
        { ...STATION, id: 'new' },
        { ...STATION, id: 'bad', timeZone: 'Mars/Base' },
      ];
      await domainErrorOf(world.get(PutStations).execute(drafts, CALLER), 'REQUEST_INVALID');
      expect((await world.get(ListStations).execute()).map(({ id }) => id)).to.deep.equal(['JFK']);
    });
  });

  describe('RecordObservations', () => {
    for (const [order, step] of [
      ['rising', 60_000],
      ['falling', -60_000],
    ] as const) {
      for (const count of [1, SLICE, SLICE + 1, 2 * SLICE + 1]) {
        it(`tells the audit trail the first and the last of ${count} rows, ${order} in time`, async () => {
          const start = at('2013-01-01T00:00:00Z');
          const times = Float64Array.from({ length: count }, (_, row) => start + row * step);
          const columns = [{ variable: 'air_temperature', values: new Float64Array(count).fill(20) }];
          await world.get(RecordObservations).execute({ stations: 'JFK', times, columns }, CALLER);
          const [event] = await world.stores.audit.list(1);
          expect(event?.detail).to.deep.equal({
            from: Math.min(...times),
            to: Math.max(...times),
            rows: count,
            inserted: count,
            updated: 0,
            unchanged: 0,
            rejected: 0,
          });
        });
      }
    }

    it('records the rows before a failed commit in the audit trail', async () => {
      const start = at('2013-01-01T00:00:00Z');
      const count = 2 * SLICE + 1;
      const times = Float64Array.from({ length: count }, (_, row) => start + row * 60_000);
      const columns = [{ variable: 'air_temperature', values: new Float64Array(count).fill(20) }];
      const write = sinon.stub(world.stores.observations, 'write').callThrough();
      const failure = new Error('the disk is full');
      write.onThirdCall().rejects(failure);
      const recording = world.get(RecordObservations).execute({ stations: 'JFK', times, columns }, CALLER);
      expect(await rejectionOf(recording)).to.equal(failure);
      const [event] = await world.stores.audit.list(1);
      expect(event?.detail).to.include({
        from: start,
        to: start + (2 * SLICE - 1) * 60_000,
        rows: 2 * SLICE,
        inserted: 2 * SLICE,
      });
    });

    it('keeps the good rows of a batch and names the others', async () => {
      world.clock.time = at('2026-01-31T12:00:00Z');
      const unreadable = new UnreadableRows();
      unreadable.add(4, 0, () => 'is no time');
      const receipt = await world.get(RecordObservations).execute(
        {
          stations: 'JFK',
          times: Float64Array.from([
            at('2026-01-31T12:00:00Z'),
            at('2026-01-31T12:10:00Z'),
            at('2026-01-31T12:10:01Z'),
            at('1599-12-31T23:59:59Z'),
            Number.NaN,
            at('2026-01-31T11:00:00Z'),
            at('2026-01-31T10:00:00Z'),
          ]),
          columns: sentColumns({ air_temperature: [1, 2, 3, 4, 5, NaN, Infinity] }),
          unreadable,
        },
        CALLER,
      );
      expect(receipt).to.deep.include({ inserted: 2, updated: 0, unchanged: 0, rejected: 5 });
      expect(receipt.rejections).to.deep.equal([
        { row: 2, reason: 'time', variable: 0, text: 'is in the future' },
        { row: 3, reason: 'time', variable: 0, text: 'is before 1600' },
        { row: 4, reason: 'time', variable: 0, text: 'is no time' },
        { row: 5, reason: 'row', variable: 0, text: 'has no value' },
        { row: 6, reason: 'value', variable: 1, text: 'is not finite' },
      ]);
    });

    it('converts values to the stored units', async () => {
      await world.get(RecordObservations).execute(
        {
          stations: 'JFK',
          times: Float64Array.of(at('2013-01-01T06:00:00Z')),
          columns: sentColumns(
            { air_temperature: [39.02], wind_speed: [10] },
            { air_temperature: '°F', wind_speed: 'kt' },
          ),
        },
        CALLER,
      );
      const { series } = await read();
      expect([...series.values].map(([, column]) => column[0])).to.deep.equal([3.9, 5.14444444444]);
    });

    it('refuses an inconsistent batch', async () => {
      const times = Float64Array.of(0);
      const send = (name: string, column: number[], units = {}) =>
        world
          .get(RecordObservations)
          .execute({ stations: 'JFK', times, columns: sentColumns({ [name]: column }, units) }, CALLER);
      await domainErrorOf(send('temperature', [1]), 'REQUEST_INVALID');
      await domainErrorOf(send('air_temperature', [1, 2]), 'REQUEST_INVALID');
      await domainErrorOf(send('air_temperature', [1], { air_temperature: 'hPa' }), 'REQUEST_INVALID');
      await domainErrorOf(
        record(world, '2013-01-01T00:00:00Z', { air_temperature: [1] }, 'LGA'),
        'STATION_UNKNOWN',
      );
    });

    it('checks by the limits of the station', async () => {
      await addStation(world, { limits: { air_temperature: { min: -10, max: 10 } } });
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [11, 5] });
      const { series } = await read({ quality: 'pass' });
      expect([...(series.values.get(1) ?? [])]).to.deep.equal([NaN, 5]);
    });
  });

  describe('ReadObservations', () => {
    beforeEach(() =>
      record(world, '2013-01-01T00:00:00Z', {
        air_temperature: [1, 2, 3, 4, 5],
        relative_humidity: [50, 51, 52, 53, 54],
      }),
    );

    it('reads all rows, or those between from and to', async () => {
      const all = await read();
      expect([all.from, all.to]).to.deep.equal([at('2013-01-01T00:00Z'), at('2013-01-01T04:00Z') + 1]);
      expect(all.series.times).to.have.length(5);
      expect(all.variables.map(({ name }) => name)).to.deep.equal(['air_temperature', 'relative_humidity']);
      const some = await read({
        from: at('2013-01-01T01:00Z'),
        to: at('2013-01-01T03:00Z'),
        variables: ['relative_humidity'],
      });
      expect([...(some.series.values.get(3) ?? [])]).to.deep.equal([51, 52]);
      expect(some.variables.map(({ name }) => name)).to.deep.equal(['relative_humidity']);
    });

    it('pages without a gap or a repetition', async () => {
      const seen: number[] = [];
      let cursor: number | undefined;
      for (;;) {
        const { series, next } = await read({ limit: 2, cursor });
        seen.push(...(series.values.get(1) ?? []));
        if (next === null) break;
        cursor = next;
      }
      expect(seen).to.deep.equal([1, 2, 3, 4, 5]);
      expect(await read({ limit: 5 })).to.have.property('next', null);
    });

    it('takes the rows of a short range from the description of the station, where they are those that are asked for', async () => {
      const range = { from: at('2013-01-01T01:00Z'), to: at('2013-01-01T04:00Z') };
      const inputs: readonly Partial<ReadInput>[] = [
        range,
        { ...range, limit: 2 },
        { ...range, limit: 3 },
        { ...range, cursor: at('2013-01-01T02:00Z') },
        { ...range, cursor: at('2012-01-01T02:00Z') },
        { ...range, variables: ['relative_humidity'] },
        { ...range, quality: 'pass' },
        { from: at('2013-01-03T01:00Z'), to: at('2013-01-04T01:00Z') },
      ];
      const shown = ({ series, next, variables }: Awaited<ReturnType<typeof read>>) => ({
        times: [...series.times],
        values: [...series.values].map(([variable, column]) => [variable, ...column]),
        variables,
        next,
      });
      const store = world.stores.observations;
      const left = await Promise.all(inputs.map(async (input) => shown(await read(input))));
      const describeAlone = store.describe.bind(store);
      sinon.replace(store, 'describe', async (id, short) => {
        const found = await describeAlone(id);
        if (found === undefined || short === undefined) return found;
        const batches = [];
        const { from, to, variables } = short;
        for await (const batch of store.read({ from, to, ...(variables && { variables }) }))
          batches.push(batch);
        return { ...found, rows: concatenate(batches) };
      });
      const calls = sinon.spy(store, 'read');
      for (const [index, input] of inputs.entries()) {
        calls.resetHistory();
        expect(shown(await read(input))).to.deep.equal(left[index]);
        // That of `describe` above.
        expect(calls.callCount).to.equal(1);
      }
      const described = await world
        .get(DescribeStation)
        .execute('JFK', { ...range, variables: undefined, cursor: undefined });
      const others: Partial<ReadInput>[] = [
        { from: range.from + 1, to: range.to },
        { from: range.from, to: range.to + 1 },
        { ...range, variables: ['air_temperature'] },
        { ...range, cursor: range.from + 1 },
      ];
      for (const other of others) {
        calls.resetHistory();
        await world.get(ReadObservations).execute(described, { ...WHOLE, ...other });
        expect(calls.callCount).to.equal(1);
      }
    });

    it('reports what is wrong with a query', async () => {
      await domainErrorOf(read({ station: 'LGA' }), 'STATION_UNKNOWN');
      await domainErrorOf(read({ variables: ['temp'] }), 'REQUEST_INVALID');
      await domainErrorOf(read({ from: 1, to: 0 }), 'REQUEST_INVALID');
    });

    it('stops when nobody waits for it any more', async () => {
      const input = {
        from: 0,
        to: 2e12,
        variables: undefined,
        quality: 'all',
        limit: 9,
        cursor: undefined,
      } as const;
      const stopped = world
        .get(ReadObservations)
        .execute(await world.get(DescribeStation).execute('JFK'), input, {
          ...UNLIMITED,
          signal: AbortSignal.abort(),
        });
      expect(await stopped.catch((error: Error) => error.name)).to.equal('AbortError');
    });

    it('has no rows of a silent station', async () => {
      await addStation(world, { id: 'LGA' });
      expect((await read({ station: 'LGA' })).series.times).to.have.length(0);
    });
  });

  describe('GetLatest', () => {
    it('has the newest value of each variable with its time, for one station or many', async () => {
      await addStation(world, { id: 'LGA', latitude: 40.777245, longitude: -73.872608 });
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1, 2], relative_humidity: [50, NaN] });
      const latest = await world.get(GetLatest).execute('JFK');
      expect(latest.newest.values.get(1)).to.include({ time: at('2013-01-01T01:00Z'), value: 2 });
      expect(latest.newest.values.get(3)).to.include({ time: at('2013-01-01T00:00Z'), value: 50 });
      expect(latest.newest.lastSeen).to.equal(at('2013-01-01T01:00Z'));
      expect(latest.asOf).to.equal(world.clock.time);
      const near = { latitude: 40.78, longitude: -73.87 };
      const { stations, next } = await world.get(ListLatest).execute({ near }, 0, 1);
      expect(stations.map(({ station, newest: { lastSeen } }) => [station.id, lastSeen])).to.deep.equal([
        ['LGA', null],
      ]);
      expect(stations[0]?.distance).to.be.below(1);
      expect(next).to.equal(1);
      await domainErrorOf(world.get(ListLatest).execute({ radius: 1 }, 0, 1), 'REQUEST_INVALID');
      await domainErrorOf(world.get(GetLatest).execute('EWR'), 'STATION_UNKNOWN');
    });
  });

  describe('Summarize', () => {
    it('has the days of the station, also of 23 and 25 hours, with the expected number of values', async () => {
      await record(world, '2013-03-09T05:00:00Z', {
        air_temperature: Array.from({ length: 71 }, (_, hour) => hour % 10),
      });
      const { rows, timeZone, format } = await summarize();
      expect(timeZone).to.equal('America/New_York');
      expect(rows.map(({ start, expected, complete }) => [format(start), expected, complete])).to.deep.equal([
        ['2013-03-09T00:00:00-05:00', 24, true],
        ['2013-03-10T00:00:00-05:00', 23, true],
        ['2013-03-11T00:00:00-04:00', 24, true],
      ]);
      expect(rows.map(({ statistics }) => statistics[0]?.count)).to.deep.equal([24, 23, 24]);
    });

    it('begins days at the requested time in the requested zone', async () => {
      await record(world, '2013-01-01T00:00:00Z', {
        precipitation_amount: Array.from({ length: 49 }, () => 1),
      });
      const { rows } = await summarize({ timeZone: 'UTC', dayStart: 6 * 60 });
      expect(rows.map(({ statistics }) => statistics[0]?.sum)).to.deep.equal([7, 24, 18]);
    });

    it('begins with the day that was asked for, also if an amount of its first instant belongs to the day before', async () => {
      await record(world, '2013-01-01T05:00:00Z', {
        precipitation_amount: Array.from({ length: 60 * 24 }, () => 1),
      });
      expect((await summarize({ interval: 'day', from: at('2013-01-01T05:00:00Z') })).rows).to.have.length(
        60,
      );
      const { rows } = await summarize({ interval: 'month', from: at('2012-12-01T05:00:00Z') });
      expect(rows.map(({ statistics }) => statistics[0]?.count)).to.deep.equal([1, 744, 672, 23]);
    });

    it('begins with the first row where there are no amounts', async () => {
      await record(world, '2013-01-01T05:00:00Z', { air_temperature: [1, 2] });
      expect((await summarize()).rows).to.have.length(1);
      expect((await summarize({ variables: ['precipitation_amount'] })).rows).to.have.length(1);
    });

    it('adds weeks and seasons up from their days', async () => {
      await record(world, '2013-02-20T05:00:00Z', {
        air_temperature: Array.from({ length: 24 * 30 }, (_, hour) => (hour * 0.1) % 17),
        precipitation_amount: Array.from({ length: 24 * 30 }, (_, hour) => hour % 3),
      });
      const days = (await summarize({ interval: 'day' })).rows;
      for (const interval of ['week', 'season'] as const) {
        const { rows } = await summarize({ interval });
        expect(rows).to.have.length(interval === 'week' ? 5 : 2);
        for (const { start, end, statistics } of rows) {
          const own = days.filter((day) => day.start >= start && day.end <= end);
          for (const [column, { count, max }] of statistics.entries()) {
            expect(count).to.equal(own.reduce((sum, day) => sum + (day.statistics[column]?.count ?? 0), 0));
            const maxima = own.map((day) => day.statistics[column]?.max ?? Number.NaN);
            expect(max).to.equal(Math.max(...maxima.filter((value) => !Number.isNaN(value))));
          }
        }
      }
    });

    it('takes an offset in place of a time zone', async () => {
      await record(world, '2013-07-01T05:00:00Z', { air_temperature: Array.from({ length: 24 }, () => 1) });
      const { rows, timeZone, format } = await summarize({ timeZone: '-05:00' });
      expect([timeZone, rows.length, format(rows[0]?.start ?? 0)]).to.deep.equal([
        '-05:00',
        1,
        '2013-07-01T00:00:00-05:00',
      ]);
      await domainErrorOf(summarize({ timeZone: '-25:00' }), 'REQUEST_INVALID');
    });

    it('marks an interval with too few values, also if the reporting interval is unknown', async () => {
      await record(world, '2013-01-01T05:00:00Z', { air_temperature: Array.from({ length: 19 }, () => 1) });
      expect((await summarize()).rows[0]).to.include({ complete: false, expected: 24 });
      await addStation(world, { reportingInterval: null });
      // The values are an hour apart, so that the last five hours are missing.
      expect((await summarize()).rows[0]).to.include({ complete: false, expected: null });
      await record(world, '2013-01-03T05:00:00Z', { air_temperature: [1] });
      expect((await summarize()).rows[2]).to.include({ complete: false, expected: null });
    });

    it('weights the wind by its speed even if only the direction is requested', async () => {
      await record(world, '2013-01-01T06:00:00Z', { wind_from_direction: [0, 90], wind_speed: [1, 3] });
      const { rows } = await summarize({ variables: ['wind_from_direction'] });
      expect(rows[0]?.statistics[0]?.mean).to.be.closeTo(71.565, 0.001);
    });

    it('refuses too many intervals, with the limit, and unknown zones', async () => {
      const range = { from: at('1900-01-01T00:00Z'), to: at('2020-01-01T00:00Z') };
      const error = await domainErrorOf(summarize({ ...range, interval: 'hour' }), 'REQUEST_INVALID');
      expect(error.message).to.contain('11000');
      expect(
        (await summarize({ ...range, interval: 'month', variables: ['air_temperature'] })).rows,
      ).to.have.length(1441);
      await domainErrorOf(summarize({ timeZone: 'Mars/Base' }), 'REQUEST_INVALID');
      await domainErrorOf(summarize({ variables: ['temp'] }), 'REQUEST_INVALID');
    });
  });

  describe('Derive', () => {
    const derive = async (variables: string[]) =>
      world.get(Derive).execute(await world.get(DescribeStation).execute('JFK'), {
        variables,
        from: undefined,
        to: undefined,
        quality: 'pass',
        limit: 10,
        cursor: undefined,
      });

    it('computes values only in the range of the formulas', async () => {
      await record(world, '2013-07-18T16:00:00Z', {
        air_temperature: [30, 31],
        relative_humidity: [70, NaN],
      });
      await record(world, '2013-12-18T16:00:00Z', { air_temperature: [5], wind_speed: [10] });
      const { parts } = await derive(['heat_index', 'wind_chill']);
      const { times, values } = concatenate(parts);
      expect(times).to.have.length(3);
      const [heat, chill] = [...values.values()].map((column) => [...column]);
      expect(heat?.[0]).to.be.closeTo(35.04, 0.1);
      expect([heat?.[1], heat?.[2], chill?.[0], chill?.[1]]).to.deep.equal([NaN, NaN, NaN, NaN]);
      expect(chill?.[2]).to.be.closeTo(-0.43, 0.01);
      await domainErrorOf(derive(['happiness']), 'REQUEST_INVALID');
    });
  });

  it('DescribeStation › changes with the data and the station', async () => {
    const version = world.get(DescribeStation);
    const versions = [await version.execute('JFK')];
    await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1] });
    versions.push(await version.execute('JFK'));
    await addStation(world, { elevation: 5 });
    versions.push(await version.execute('JFK'));
    expect(new Set(versions.map((known) => known.version))).to.have.property('size', 3);
  });
});
