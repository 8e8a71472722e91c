import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { ObservationQuery } from '#application/ports/observation-store.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { BucketSums, CalendarInterval } from '#domain/weather/summaries/bucket.js';
import type { SummedStation, SumsQuery } from '#domain/weather/summaries/sums-query.js';
import { rowsOfBuckets, summariesOf, summedStation } from '#domain/weather/summaries/sums-query.js';
import { type Series, sliceSeries } from '#domain/weather/series.js';
import { isDaily, V, VARIABLES as CATALOG } from '#domain/weather/variables.js';
import { JFK } from './station-store.js';

const { minute, hour, day } = MILLISECONDS;
/** On the next day clocks change in America, and three weeks later in Europe and Oceania. */
const START = Date.UTC(2024, 2, 9);
const MINUTES = 40 * 24 * 60;

/** Offsets of whole hours, of 30 and of 45 minutes, clocks that change by 30 minutes, and both ends of the calendar. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'Europe/London',
  'Africa/Cairo',
  'America/New_York',
  'America/Los_Angeles',
  'America/St_Johns',
  'America/Caracas',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Yangon',
  'Asia/Tokyo',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
  'Pacific/Marquesas',
  '-03:30',
];
/** A variable with one value a day, which PostgreSQL and SQLite store apart from the reports. */
const DAILY = CATALOG.find(({ number }) => isDaily(number))?.number ?? 0;
const VARIABLES = [V.temperature, V.windSpeed, V.windDirection, V.gust, V.precipitation, V.radiation, DAILY];
/**
 * Stations are stored in groups of 64. PostgreSQL sums the stations of one group in the thread of the caller, and those of several groups in
 * other threads.
 */
const GROUP = 64;

/** A value may be absent, and some values are outside of the gross limits, so that they do not pass quality control. */
const row = fc.tuple(
  fc.oneof(
    fc.nat(MINUTES),
    fc.nat(MINUTES / 60).map((at) => at * 60),
  ),
  fc.constantFrom(Number.NaN, -3.5, 0, 0, 4.25, 21, 12, 500),
  fc.constantFrom(Number.NaN, 0, 0.3, 8, 19.5, 180, 5000),
);
const configuration = fc.record({
  reportingInterval: fc.constantFrom(null, 600, 3600),
  earlier: fc.option(fc.nat(MINUTES), { nil: undefined }),
  isInterval: fc.boolean(),
  latitude: fc.constantFrom(-70, 0, 40),
  hasRoutines: fc.boolean(),
});
type Configuration = typeof configuration extends fc.Arbitrary<infer T> ? T : never;
const question = fc.record({
  zone: fc.constantFrom(...ZONES),
  interval: fc.constantFrom<CalendarInterval>('hour', '6h', 'day', 'week', 'month'),
  dayStart: fc.constantFrom(0, 0, 0, 360),
  includeAll: fc.boolean(),
  variables: fc.option(fc.subarray(VARIABLES, { minLength: 1 }), { nil: undefined }),
  isSingle: fc.boolean(),
  configurations: fc.array(configuration, { minLength: 3, maxLength: 3 }),
  from: fc.nat(40),
  days: fc.integer({ min: 1, max: 40 }),
});

/** A station that is created, with its rows. */
interface StationRows {
  readonly id: string;
  readonly times: readonly number[];
  readonly valuesOf: (row: number) => readonly number[];
}

/** A station of a query with another configuration than the stored station. */
function configured(
  station: Station,
  { earlier, isInterval, hasRoutines, ...given }: Configuration,
): SummedStation {
  const before = { ...station, latitude: -70, reportingInterval: 7200, until: START };
  return summedStation(
    {
      ...station,
      ...given,
      ...(isInterval && { cellMethods: { air_temperature: 'interval' } }),
      ...(earlier !== undefined && { earlier: [{ ...before, until: START + earlier * minute }] }),
    },
    hasRoutines
      ? [
          { start: START, end: START + 10 * day, intervals: new Map([[V.temperature, 20 * minute]]) },
          { start: START + 10 * day, end: START + 99 * day, intervals: new Map([[V.gust, hour]]) },
        ]
      : [],
  );
}

/** Rules for `ObservationStore.sum`: the sums are those of the rows that `read` returns. */
export function bucketSumsContract(opened: () => Stores): void {
  const calendar = new TemporalCalendar();

  /**
   * Compares the sums that the store computes with the sums of the rows of each station.
   *
   * @returns the number of variables with values, for each station
   */
  const compare = async (query: SumsQuery) => {
    const { observations } = opened();
    const { stations, buckets, columns } = query;
    const found = summariesOf(query);
    for await (const { at, sums } of observations.sum(query)) found.addSums(at, sums);
    const all = (sums: BucketSums) =>
      [...sums]
        .filter(([, [counts]]) => counts?.some((count) => count > 0))
        .sort(([a], [b]) => a - b)
        .map(([variable, fields]) => [variable, ...fields.map((field) => [...field])]);
    const rows = new Map<number, Series[]>(stations.map(({ number }) => [number, []]));
    const range: ObservationQuery = { stations: [...rows.keys()], ...rowsOfBuckets(buckets) };
    for await (const batch of observations.read(columns ? { ...range, variables: columns } : range))
      for (let from = 0; from < batch.times.length;) {
        const number = batch.stations[from] as number;
        let to = from + 1;
        while (batch.stations[to] === number) to += 1;
        rows.get(number)?.push(sliceSeries(batch, from, to));
        from = to;
      }
    return stations.map((station, index) => {
      const expected = summariesOf({ ...query, stations: [station] });
      for (const series of rows.get(station.number) ?? []) expected.add(series);
      const sums = all(found.sums(index * buckets.length, (index + 1) * buckets.length));
      expect(sums).to.deep.equal(all(expected.sums(0, buckets.length)));
      return sums.length;
    });
  };
  /** Creates stations and writes their rows. The values of a row are in the order of `VARIABLES`. */
  const write = async (all: readonly StationRows[]): Promise<Station[]> => {
    const { stations, observations } = opened();
    const put = await stations.put(all.map(({ id }) => ({ ...JFK, id, reportingInterval: null })));
    const batches = all.map(({ times, valuesOf }, index) => {
      const rows = times.map((_time, at) => valuesOf(at));
      return {
        batch: {
          stations: new Uint32Array(times.length).fill(put[index]?.station.number ?? 0),
          times: Float64Array.from(times),
          values: new Map(
            VARIABLES.map((variable, at) => [
              variable,
              Float64Array.from(rows, (values) => values[at] as number),
            ]),
          ),
          flags: new Map(),
        },
      };
    });
    await observations.write(batches);
    return put.map(({ station }) => station);
  };

  /** Creates stations, so that the last of `ids` is in another group than the others. */
  const spread = async (ids: readonly string[]) => {
    const between = Array.from({ length: GROUP }, (_, index) => `summed-between-${index}`);
    const all = [...ids.slice(0, -1), ...between, ...ids.slice(-1)];
    await opened().stations.put(all.map((id) => ({ ...JFK, id })));
  };

  it('has the sums of the rows, to the last bit, in 20 time zones', async () => {
    await spread(['summed-0', 'summed-1', 'summed-2']);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { maxLength: 60 }), { minLength: 3, maxLength: 3 }),
        fc.array(question, { minLength: 6, maxLength: 6 }),
        async (rowsOf, questions) => {
          const stations = await write(
            rowsOf.map((rows, number) => ({
              id: `summed-${number}`,
              times: rows.map(([at]) => START + at * minute),
              valuesOf: (index) => {
                const [, first, second] = rows[index] as (typeof rows)[number];
                return [first, second, second, second, first, second, first];
              },
            })),
          );
          for (const {
            zone,
            interval,
            dayStart,
            isSingle,
            configurations,
            from,
            days,
            ...asked
          } of questions) {
            const begin = START + from * day;
            const { variables, includeAll } = asked;
            await compare({
              stations: stations
                .slice(0, isSingle ? 1 : stations.length)
                .map((station, index) => configured(station, configurations[index] as Configuration)),
              buckets: calendar.buckets(interval, zone, dayStart, begin, begin + days * day),
              variables,
              columns: variables && [...new Set([...variables, ...VARIABLES])],
              includeAll,
            });
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('has them in a range that needs several calls of several threads', async () => {
    // The last row is in the last bucket.
    const times = Array.from({ length: 14_000 }, (_, index) => START + index * 10 * minute);
    times.push(START + 300 * day + 22.5 * hour);
    const valuesOf = (index: number) => [
      index % 31,
      index % 7,
      (index * 37) % 360,
      index % 11,
      index % 5 === 0 ? 0.2 : 0,
      index % 800,
    ];
    await spread(['summed-long', 'summed-short']);
    const stations = await write([
      { id: 'summed-long', times, valuesOf },
      { id: 'summed-short', times: times.slice(-9), valuesOf },
    ]);
    await (opened().observations as { merge?(): Promise<void> }).merge?.();
    const [from, to] = [START - day, (times.at(-1) as number) + 1];
    const both = stations.map((station) => summedStation(station));
    const common = { variables: undefined, includeAll: false };
    // A question with many variables reads few rows at a time.
    const columns = Array.from({ length: 50 }, (_, index) => index + 1);
    const reported = VARIABLES.length - 1;
    for (const [zone, interval, asked] of [
      ['UTC', 'day', both.slice(0, 1)],
      ['Asia/Kathmandu', 'day', both],
      ['Europe/Berlin', 'hour', both],
    ] as const) {
      const buckets = calendar.buckets(interval, zone, 0, from, to);
      const count = await compare({ ...common, stations: asked, buckets, columns });
      expect(count).to.deep.equal(asked.map(() => reported));
    }
    const buckets = [{ start: from, end: to }];
    const variables = [V.temperature];
    expect(await compare({ ...common, stations: both, buckets, columns, variables })).to.deep.equal([1, 1]);
  });

  it('has them for more stations than one call can sum', async () => {
    const all = Array.from({ length: 150 }, (_, index) => {
      // Every ninth station has no rows, and the stations have different numbers of rows.
      const rows = index % 9 === 0 ? 0 : 1 + ((index * 29) % 90);
      return {
        id: `summed-many-${index}`,
        times: Array.from({ length: rows }, (_row, at) => START + at * ((index % 4) + 1) * hour),
        valuesOf: (at: number) => [at % 31, at % 7, at, at % 11, 0.2, index],
      };
    });
    const merged = await write(all.slice(0, 71));
    await (opened().observations as { merge?(): Promise<void> }).merge?.();
    const stations = [...merged, ...(await write(all.slice(71)))];
    // The order of the stations is not the order of their numbers.
    const reversed = stations.reverse().map((station) => summedStation(station));
    const common = { stations: reversed, variables: undefined, columns: undefined, includeAll: false };
    for (const days of [1, 5, 200]) {
      const buckets = calendar.buckets('day', 'Asia/Kathmandu', 0, START, START + days * day);
      const counts = await compare({ ...common, buckets });
      expect(counts.filter((count) => count > 0)).to.have.lengthOf(133);
    }
  });

  it('has no sums without buckets or stations, and none of a station without rows', async () => {
    const { stations, observations } = opened();
    const [put] = await stations.put([{ ...JFK, id: 'summed-empty' }]);
    const { station } = put as { station: Station };
    const common = { columns: undefined, variables: undefined, includeAll: false };
    const buckets = [{ start: START, end: START + day }];
    const sum = async (query: SumsQuery) => {
      const variables: number[] = [];
      for await (const { sums } of observations.sum(query)) variables.push(...sums.keys());
      return variables;
    };
    expect(await sum({ ...common, stations: [summedStation(station)], buckets: [] })).to.deep.equal([]);
    expect(await sum({ ...common, stations: [summedStation(station)], buckets })).to.deep.equal([]);
    expect(await sum({ ...common, stations: [], buckets })).to.deep.equal([]);
  });
}
