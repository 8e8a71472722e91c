import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import type { CalendarInterval } from '#domain/weather/summaries/bucket.js';
import { RoutineReports } from '#domain/weather/summaries/routine-interval.js';
import { V } from '#domain/weather/variables.js';
import { addStation, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const JANUARY = Date.UTC(2023, 0, 1);
type Report = readonly [time: number, value: number];

async function given(reports: readonly Report[], reportingInterval: number | null): Promise<World> {
  const world = await World.make();
  await addStation(world, { reportingInterval, timeZone: '-06:00' });
  await write(world, reports);
  return world;
}

async function write(world: World, reports: readonly Report[]): Promise<void> {
  const input = {
    stations: 'JFK',
    times: Float64Array.from(reports, ([time]) => time),
    columns: sentColumns({ air_temperature: reports.map(([, value]) => value) }),
  };
  await world.get(RecordObservations).execute(input, CALLER);
}

async function summaries(world: World, interval: CalendarInterval, range: object = {}) {
  const described = await world.get(DescribeStation).execute('JFK');
  const page = await world.get(Summarize).execute(described, {
    interval,
    timeZone: 'station',
    dayStart: 0,
    variables: ['air_temperature'],
    quality: 'all',
    from: undefined,
    to: undefined,
    ...range,
  });
  return [...page.rows];
}

/** METARs of Lincoln: 753 routine reports at minute 54, and special ones of bad weather between them. */
function lincoln() {
  const lines = readFileSync(
    new URL('../../../../../test/fixtures/lincoln-2023-01.csv', import.meta.url),
    'utf8',
  )
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const reports = lines
    .filter(([, type]) => type !== 'SOD')
    .map(([date, , value]): Report => [Date.parse(`${date ?? ''}-06:00`), Number(value)]);
  const published = lines.filter(([, type]) => type === 'SOD').map((line) => Number(line[3]));
  return { reports, published: published.reduce((sum, value) => sum + value, 0) / published.length };
}

describe('a station whose reporting interval is unknown', () => {
  it('has a whole January of routine and special METARs, and the published mean to 0.1 °F', async () => {
    const { reports, published } = lincoln();
    const fahrenheit = 1.8;
    const means: number[] = [];
    for (const interval of [3600, null]) {
      const world = await given(reports, interval);
      const days = await summaries(world, 'day');
      expect(days.slice(0, 31).map(({ complete }) => complete)).to.deep.equal(Array(31).fill(true));
      const { elements, sections } = await world
        .get(ListClimateMonths)
        .execute(await world.get(DescribeStation).execute('JFK'), { dayStart: 0, rule: 'five_three' });
      const column = elements.findIndex(({ name }) => name === 'mean_temperature');
      const figure = sections['months']?.[0]?.figures[column];
      expect(figure).to.include({ days: 31, missing: 0, valid: true });
      means.push(figure?.value ?? Number.NaN);
    }
    const [known = Number.NaN, unknown = Number.NaN] = means;
    expect(unknown).to.be.closeTo(known, 0.01);
    expect(unknown * fahrenheit).to.be.closeTo(published * fahrenheit, 0.1);
  });

  it('has the interval of its routine reports, with special ones in 40 % of the intervals, or 20 % of them lost', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 5, 10, 20, 30, 60, 180),
        fc.constantFrom('special', 'lost', 'neither'),
        fc.nat(),
        (minutes, what, seed) => {
          const interval = minutes * MINUTE;
          const chances = Array.from({ length: 720 }, (_, index) =>
            createHash('md5').update(`${seed} ${index}`).digest().readUInt32LE(0),
          );
          // Exactly the share that the title names: the interval of more lost reports is not always found.
          const bound =
            chances.toSorted((a, b) => a - b)[chances.length * (what === 'lost' ? 0.2 : 0.4)] ?? 0;
          const times = chances.flatMap((chance, index) => {
            const time = index * interval;
            if (what === 'lost' && chance < bound) return [];
            if (what !== 'special' || chance >= bound) return [time];
            return [0, 0.17, 0.29, 0.6].map((share) => time + share * interval);
          });
          const found = new RoutineReports();
          const values = new Map([[V.temperature, Float64Array.from(times, () => 1)]]);
          found.add({ times: Float64Array.from(times), values, flags: new Map() });
          expect(found.intervals().get(V.temperature)).to.equal(interval);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('keeps the interval of each time where it changes, is silent for months, or reports less at night', async () => {
    const every = (minutes: number, from: number, to: number): Report[] =>
      Array.from({ length: ((to - from) * DAY) / (minutes * MINUTE) }, (_, index) => [
        JANUARY + 6 * HOUR + from * DAY + index * minutes * MINUTE,
        5,
      ]);
    const cases: Readonly<Record<string, readonly Report[]>> = {
      'hourly, then every 10 minutes': [...every(60, 0, 5), ...every(10, 5, 60)],
      'every 10 minutes, then hourly': [...every(10, 0, 29), ...every(60, 29, 60)],
      'silent for 80 days': [...every(60, 0, 20), ...every(10, 100, 130)],
      'every 3 hours at night': every(60, 0, 45).filter(([time]) => {
        const hour = ((time - JANUARY) / HOUR) % 24;
        return (hour >= 12 && hour < 24) || hour % 3 === 0;
      }),
    };
    for (const [what, reports] of Object.entries(cases)) {
      const world = await given(reports, null);
      const days = await summaries(world, 'day');
      for (const { start, statistics, complete } of days)
        if (statistics[0]?.count !== 0)
          expect(complete, `${what}: ${new Date(start).toISOString()}`).to.equal(true);
    }
  });

  it('has the same numbers in whatever order the reports arrive, and whatever part is asked for', async () => {
    const { reports } = lincoln();
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(reports, { minLength: reports.length, maxLength: reports.length }),
        fc.nat(30),
        fc.constantFrom('hour', 'day', '6h'),
        fc.integer({ min: 1, max: 400 }),
        async (shuffled, day, interval, piece) => {
          const [inOrder, inPieces] = [await given(reports, null), await given([], null)];
          for (let at = 0; at < shuffled.length; at += piece)
            await write(inPieces, shuffled.slice(at, at + piece));
          const expected = await summaries(inOrder, interval);
          expect(await summaries(inPieces, interval)).to.deep.equal(expected);
          const range = { from: JANUARY + day * DAY + 6 * HOUR, to: JANUARY + (day + 1) * DAY + 6 * HOUR };
          const part = await summaries(inPieces, interval, range);
          const sameTime = expected.filter(({ start }) => start >= range.from && start < range.to);
          expect(part).to.deep.equal(sameTime);
        },
      ),
      { numRuns: 10 },
    );
  });
});
