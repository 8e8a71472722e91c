import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { ClimateTable } from '#application/observations/climate/climate-table.js';
import { ComputeNormals } from '#application/observations/climate/compute-normals.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { SumDegreeDays } from '#application/observations/climate/sum-degree-days.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { type StationSnapshot, DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import type { SummaryRow } from '#application/observations/read/summary-rows.js';
import { MILLISECONDS } from '#domain/time.js';
import { dateNumber, dateText } from '#domain/weather/climate/climate-days.js';
import type { Figure } from '#domain/weather/climate/validity.js';
import { DEFAULT_BASES } from '#domain/weather/summaries/of-days.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

/** The values come every six hours. */
const STEP = 6 * MILLISECONDS.hour;
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  '+14:00',
  '-09:30',
];
/** Ends of months and years, and the days on which some of the zones change their clocks. */
const DATES = [
  '2013-01-01',
  '2013-03-01',
  '2013-03-10',
  '2013-03-31',
  '2013-04-07',
  '2013-10-06',
  '2013-10-27',
];

const MONTHS = { dayStart: 0, rule: 'wmo_1203' } as const;
const shownDate = (date: number) => (Number.isNaN(date) ? null : dateText(date));

const described = (world: World) => world.get(DescribeStation).execute('JFK');

function figureOf({ elements, sections }: ClimateTable, section: string, label: string, element: string) {
  const row = sections[section]?.find((one) => one.label === label);
  return row?.figures[elements.findIndex(({ name }) => name === element)];
}

/** Records temperatures and amounts every six hours, without some of them. */
async function fill(
  world: World,
  from: number,
  to: number,
  isMissing: (index: number) => boolean = () => false,
) {
  const times = Float64Array.from(
    { length: Math.ceil((to - from) / STEP) },
    (_, index) => from + index * STEP,
  );
  const values = (of: (index: number) => number) =>
    Array.from(times, (_time, index) => (isMissing(index) ? Number.NaN : of(index)));
  const columns = {
    air_temperature: values((index) => (index % 11) - 3),
    precipitation_amount: values((index) => (index % 5 === 0 ? 0.4 : 0)),
  };
  const sent = { stations: 'JFK', times, columns: sentColumns(columns) };
  await world.get(RecordObservations).execute(sent, CALLER);
}

async function given(timeZone = 'UTC'): Promise<World> {
  const world = await World.make();
  await addStation(world, { reportingInterval: 21_600, timeZone });
  return world;
}

describe('the climate of a running month and year', () => {
  const calendar = new TemporalCalendar();

  it('is what the summaries of its days up to yesterday make, in any zone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ZONES),
        fc.constantFrom(0, 9 * 60),
        fc.constantFrom(...DATES),
        fc.integer({ min: -3 * MILLISECONDS.day, max: 3 * MILLISECONDS.day }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 3, max: 30 }),
        async (timeZone, dayStart, date, offset, length, silence, gap) => {
          const world = await given(timeZone);
          const now = Date.parse(`${date}T00:00:00Z`) + offset;
          const last = now - silence * MILLISECONDS.day;
          await fill(world, last - length * MILLISECONDS.day, last, (index) => index % gap === 2);
          world.clock.time = now;
          const station = await described(world);
          const table = await world.get(ListClimateMonths).execute(station, { ...MONTHS, dayStart });
          const bases = DEFAULT_BASES;
          const degrees = await world.get(SumDegreeDays).execute(station, { dayStart, bases, mean: 'mean' });
          const [today] = calendar.buckets('day', timeZone, dayStart, now, now + 1);
          const local = calendar.format(today?.start ?? 0, timeZone).slice(0, 10);
          for (const [section, label] of [
            ['months', local.slice(0, 7)],
            ['years', local.slice(0, 4)],
          ] as const) {
            const first = `${label}-01-01`.slice(0, 10);
            const rows = await summaries(world, station, { from: first, to: local, dayStart });
            const found = (element: string, of: ClimateTable = table) =>
              figureOf(of, section, label, element);
            const observed = found('mean_temperature');
            if (observed === undefined) continue;
            const [temperatures, amounts] = [0, 1].map((index) => known(rows, index)) as [Known, Known];
            const means = temperatures.map(({ mean }) => mean);
            const passed = dateNumber(local) - dateNumber(first);
            const until = passed === 0 ? Number.NaN : dateNumber(local) - 1;
            const shows = (figure: Figure | undefined, value: number, present: number) => {
              expect(figure, label).to.deep.include({ value: Number.NaN, valid: false });
              const counts = { days: present, missing: passed - present, until };
              expect(figure?.soFar, label).to.deep.include(counts);
              if (present === 0) expect(figure?.soFar?.value).to.deep.equal(Number.NaN);
              else expect(figure?.soFar?.value, label).to.be.closeTo(value, 1e-6);
            };
            shows(observed, sum(means) / means.length, means.length);
            shows(
              found('highest_temperature'),
              Math.max(...temperatures.map(({ max }) => max)),
              means.length,
            );
            shows(found('precipitation'), sum(amounts.map((one) => one.sum)), amounts.length);
            const heating = sum(means.map((mean) => Math.max(0, bases.heating - mean)));
            shows(found('heating', degrees), heating, means.length);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('has nothing before its first day is over, and no row without an observation in it', async () => {
    const world = await given('America/New_York');
    // The last value is of 1 January 2013, 01:00 local time.
    await fill(world, Date.parse('2012-11-28T00:00:00Z'), Date.parse('2013-01-01T07:00:00Z'));
    const shown = async (now: string, section: string, label: string) => {
      world.clock.time = Date.parse(now);
      const table = await world.get(ListClimateMonths).execute(await described(world), MONTHS);
      const figure = figureOf(table, section, label, 'mean_temperature');
      const { soFar } = figure ?? {};
      return soFar === undefined ? figure : [soFar.days, soFar.missing, shownDate(soFar.until)];
    };
    expect(await shown('2013-01-01T05:00:00Z', 'months', '2013-01')).to.deep.equal([0, 0, null]);
    expect(await shown('2013-01-02T04:59:59Z', 'years', '2013')).to.deep.equal([0, 0, null]);
    // Of 1 January there are two values.
    expect(await shown('2013-01-02T05:00:00Z', 'years', '2013')).to.deep.equal([0, 1, '2013-01-01']);
    expect(await shown('2013-02-11T12:00:00Z', 'months', '2013-02')).to.equal(undefined);
    expect(await shown('2013-02-11T12:00:00Z', 'years', '2013')).to.deep.equal([0, 41, '2013-02-10']);
    // The last day of a month is over when the next one begins.
    expect(await shown('2013-01-01T04:59:59Z', 'months', '2012-12')).to.deep.equal([30, 0, '2012-12-30']);
    expect(await shown('2013-01-01T05:00:00Z', 'months', '2012-12')).to.include({ days: 31, valid: true });
  });

  it('is in no normal, although few of its days are missing', async () => {
    const world = await given();
    await fill(world, Date.parse('2013-07-01T00:00:00Z'), Date.parse('2013-07-31T00:00:00Z'));
    const years = async (now: string) => {
      world.clock.time = Date.parse(now);
      const period = { from: 2004, to: 2013 };
      const { sections } = await world.get(ComputeNormals).execute(await described(world), period, MONTHS);
      return sections['months']?.[6]?.figures[0]?.years;
    };
    expect(await years('2013-07-31T23:59:59Z')).to.equal(0);
    expect(await years('2013-08-01T00:00:00Z')).to.equal(1);
  });
});

type Known = readonly SummaryRow['statistics'][number][];

/** The statistics of a variable in the days that have enough values of it. */
const known = (rows: readonly SummaryRow[], index: number): Known =>
  rows.flatMap(({ statistics, completeness }) =>
    completeness[index]?.complete === true ? (statistics[index] ?? []) : [],
  );

/** The summaries of days, but for the one before the first row. */
async function summaries(
  world: World,
  station: StationSnapshot,
  asked: { readonly from: string; readonly to: string; readonly dayStart: number },
): Promise<readonly SummaryRow[]> {
  const variables = ['air_temperature', 'precipitation_amount'];
  const days = { interval: 'day', timeZone: 'station', quality: 'pass', variables } as const;
  const { rows } = await world.get(Summarize).execute(station, { ...days, ...asked });
  return [...rows].filter(({ end }) => end > (station.inventory.first ?? Infinity));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
