import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { SummarizeMany } from '#application/observations/read/many/summarize-many.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import {
  Summarize,
  type SummarizeInput,
  type SummaryPage,
} from '#application/observations/read/summarize.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import type { CalendarInterval } from '#domain/weather/summaries/bucket.js';
import type { Station } from '#domain/weather/station.js';
import { V, VARIABLES, variableNumbered } from '#domain/weather/variables.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { JFK } from './station-store.js';

const { hour, day } = MILLISECONDS;
/** The ranges of the questions contain whole months, and months in which clocks change. */
const START = Date.UTC(2024, 1, 20);
const DAYS = 70;
const CALENDAR = new TemporalCalendar();
/** Daily amounts, and their traces: a station with traces has other columns than a station without. */
const DAILY = VARIABLES.flatMap(({ mark, number }) =>
  mark?.kind === 'trace' ? [mark.of, number] : [],
).slice(0, 2);
const SUMMARIZED = [
  V.temperature,
  V.windSpeed,
  V.windDirection,
  V.gust,
  V.precipitation,
  V.radiation,
  ...DAILY,
];
/**
 * Some stations have the same time zone. The days of Casablanca and Lagos have the same first and last bound, but not the same bounds
 * in Ramadan, when the clocks of Casablanca are set back.
 */
const STATIONS = [
  { id: 'many-a', timeZone: 'America/New_York', reportingInterval: 3600 },
  { id: 'many-b', timeZone: 'Europe/Berlin', reportingInterval: null },
  { id: 'many-c', timeZone: 'America/New_York', reportingInterval: 600, latitude: -70 },
  { id: 'many-d', timeZone: 'Europe/Berlin', reportingInterval: 3600 },
  { id: 'many-e', timeZone: 'Africa/Casablanca', reportingInterval: null },
  { id: 'many-f', timeZone: 'Africa/Lagos', reportingInterval: null },
];

/** A value may be absent, and some values are outside of the gross limits, so that they do not pass quality control. */
const row = fc.tuple(fc.nat(DAYS * 24), fc.constantFrom(Number.NaN, 0, 0.3, 8, 19.5, 180, 5000));
const rowsOfStation = fc.record({
  rows: fc.array(row, { maxLength: 60 }),
  variables: fc.subarray(SUMMARIZED, { minLength: 1 }),
  hasAggregates: fc.boolean(),
});
const everyQuestion = {
  timeZone: fc.constantFrom('station', 'station', 'UTC'),
  dayStart: fc.constantFrom(0, 0, 0, 360),
  quality: fc.constantFrom('pass', 'pass', 'all'),
  variables: fc.option(
    fc.subarray(
      SUMMARIZED.map((number) => variableNumbered(number).name),
      { minLength: 1 },
    ),
    { nil: undefined },
  ),
};
const longQuestion = fc.record({
  ...everyQuestion,
  interval: fc.constantFrom<CalendarInterval>('6h', 'day', 'day', 'week', 'month', 'year'),
  from: fc.constantFrom(undefined, '2024-02-25', START + 12 * day + hour),
  to: fc.constantFrom(undefined, '2024-04-20', START + 50 * day),
});
/**
 * Hours of at most 23 days, because more hours take most of the time of the test. Clocks change in each range. Hours of time zones
 * whose offsets are whole hours have the same bounds, so a longer range compares nothing more.
 */
const hourlyQuestion = fc
  .record({
    ...everyQuestion,
    interval: fc.constant<CalendarInterval>('hour'),
    range: fc.constantFrom(
      { from: undefined, to: '2024-03-14' },
      { from: '2024-03-08', to: START + 25 * day + hour },
      { from: START + 37 * day + hour, to: '2024-04-18' },
      { from: '2024-04-10', to: undefined },
    ),
  })
  .map(({ range, ...asked }) => ({ ...asked, ...range }));
const question = fc.oneof({ weight: 6, arbitrary: longQuestion }, { weight: 1, arbitrary: hourlyQuestion });

/** Rules for the summaries of many stations: they are those of the single stations, and need few questions to the store. */
export function manySummariesContract(opened: () => Stores): void {
  let stores: Stores;
  let stations: readonly Station[];
  let keep: MaintainDailyAggregates;
  let summarize: Summarize;
  let many: SummarizeMany;

  beforeEach(async () => {
    stores = opened();
    const put = await stores.stations.put(STATIONS.map((own) => ({ ...JFK, identifiers: {}, ...own })));
    stations = put.map(({ station }) => station);
    const { observations, dailyAggregates } = stores;
    keep = new MaintainDailyAggregates(CALENDAR, observations, dailyAggregates);
    summarize = new Summarize(CALENDAR, observations, new SumFromAggregates(CALENDAR, dailyAggregates, keep));
    many = new SummarizeMany(CALENDAR, summarize);
  });
  afterEach(() => sinon.restore());

  const describeAll = () => {
    const describe = new DescribeStation(new FakeClock(), stores.observations);
    return Promise.all(STATIONS.map(({ id }) => describe.execute(id)));
  };
  const write = async (
    { number }: Station,
    rows: readonly (readonly [at: number, value: number])[],
    variables: readonly number[],
  ) => {
    const batch = {
      stations: new Uint32Array(rows.length).fill(number),
      times: Float64Array.from(rows, ([at]) => START + at * hour),
      values: new Map(variables.map((variable) => [variable, Float64Array.from(rows, ([, value]) => value)])),
      flags: new Map(),
    };
    await stores.observations.write([{ batch }]);
  };
  const computeAggregates = (station: Station) => {
    const months = CALENDAR.buckets('month', station.timeZone, 0, START, START + DAYS * day);
    return keep.compute(station, months);
  };
  const contentOf = ({ rows, format, station, variables, ...page }: SummaryPage) => ({
    ...page,
    id: station.id,
    variables: variables.map(({ name }) => name),
    rows: [...rows],
    start: format(START),
  });
  /** Compares the summaries of all stations, in an order that is not the order of their numbers. */
  const compare = async (input: SummarizeInput) => {
    const described = (await describeAll()).toReversed();
    const found = await many.execute(described, input);
    const expected = [];
    for (const one of described) expected.push(contentOf(await summarize.execute(one, input)));
    expect(found.stations.map(contentOf)).to.deep.equal(expected);
  };

  it('has the summaries of each station, with and without daily aggregates, in several time zones', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowsOfStation, { minLength: STATIONS.length, maxLength: STATIONS.length }),
        fc.array(question, { minLength: 5, maxLength: 5 }),
        async (all, questions) => {
          for (const [index, { rows, variables, hasAggregates }] of all.entries()) {
            const station = stations[index] as Station;
            await write(station, rows, variables);
            if (hasAggregates) await computeAggregates(station);
          }
          for (const input of questions) await compare(input);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('asks once for stations with the same days, and only for days without aggregates', async () => {
    for (const station of stations)
      await write(
        station,
        Array.from({ length: DAYS * 24 }, (_, at) => [at, at % 19] as const),
        [V.temperature],
      );
    const common = { interval: 'day', timeZone: 'station', dayStart: 0, quality: 'pass' } as const;
    await compare({ ...common, from: '2024-02-25', to: '2024-04-20', variables: ['air_temperature'] });
    const sum = sinon.spy(stores.observations, 'sum');
    const questions = async (input: Partial<SummarizeInput>) => {
      sum.resetHistory();
      const range = { from: '2024-03-01', to: '2024-04-11', variables: ['air_temperature'] };
      const asked = await many.execute(await describeAll(), { ...common, ...range, ...input });
      expect(asked.stations).to.have.lengthOf(STATIONS.length);
      return sum.args
        .map(([query]) => {
          const ids = query.stations.map(({ number }) => stations.find((one) => one.number === number)?.id);
          return `${ids.join(' ')}: ${query.buckets.length}`;
        })
        .toSorted();
    };
    const all = ['many-a many-c: 41', 'many-b many-d: 41', 'many-e: 41', 'many-f: 41'];
    expect(await questions({})).to.deep.equal(all);
    const alone = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => `many-${letter}: 41`);
    for (const variables of [undefined, ['air_temperature', 'wind_from_direction']])
      expect(await questions({ variables })).to.deep.equal(alone);
    for (const index of [0, 1, 2]) await computeAggregates(stations[index] as Station);
    // The stations with aggregates of March need only the rows of April.
    const parts = ['many-a many-c: 10', 'many-b: 10', 'many-d: 41', 'many-e: 41', 'many-f: 41'];
    expect(await questions({})).to.deep.equal(parts);
    const inUtc = ['many-a many-b many-c many-d many-e many-f: 41'];
    expect(await questions({ timeZone: 'UTC' })).to.deep.equal(inUtc);
  });
}
