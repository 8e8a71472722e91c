import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { CountWinds } from '#application/observations/read/charts/count-winds.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { Stores } from '#application/ports/stores.js';
import { SECTOR_COUNTS } from '#domain/weather/charts/wind-rose.js';
import { FakeClock } from '../../application/fakes/fakes.js';
import { JFK } from './station-store.js';

const START = Date.UTC(2024, 2, 9);
const HOUR = 3_600_000;
const HOURS = 24 * 5;
const [SPEED, DIRECTION] = [6, 7];
const BOUNDS = [2, 4, 8];

/** Speeds around calms and bounds, directions around bounds of sectors and north, and values that fail or are suspect. */
const speed = fc.constantFrom(Number.NaN, 0, 0.25, 0.5, 1, 2, 3.75, 4, 7, 8, 12, 30, 80, -3);
const direction = fc.oneof(
  fc.integer({ min: 0, max: 64 }).map((sector) => sector * 5.625),
  fc.constantFrom(Number.NaN, Number.NaN, 0, 5, 355, 360, 370, -10),
);
const rows = fc.array(fc.tuple(fc.nat(HOURS - 1), speed, direction), { minLength: 1, maxLength: 60 });
const question = fc.record({
  sectors: fc.constantFrom(...SECTOR_COUNTS),
  quality: fc.constantFrom('pass', 'all'),
  from: fc.nat(HOURS),
  length: fc.nat(HOURS),
});

/** Rules for counts of winds: they are those of the rows that the store returns. */
export function windRoseContract(opened: () => Stores): void {
  it('has the counts of the rows, by sector and class, of any range, with and without the values that did not pass', async () => {
    const { stations, observations } = opened();
    const [put] = await stations.put([{ ...JFK, id: 'windy' }]);
    const station = put?.station.number ?? 0;
    const countWinds = new CountWinds(new TemporalCalendar(), observations);

    const write = (sent: readonly (readonly [hour: number, speed: number, direction: number])[]) => {
      const column = (index: 1 | 2) => Float64Array.from(sent, (row) => row[index]);
      const values = new Map([
        [SPEED, column(1)],
        [DIRECTION, column(2)],
        // Rows without any wind are rows of the store too.
        [1, new Float64Array(sent.length).fill(5)],
      ]);
      const times = Float64Array.from(sent, ([hour]) => START + hour * HOUR);
      const batch = { stations: new Uint32Array(sent.length).fill(station), times, values, flags: new Map() };
      return observations.write([{ batch }]);
    };
    /** Speed and direction of each row; NaN where there is none that counts. */
    const read = async (from: number, to: number, quality: string) => {
      const found: [speed: number, direction: number][] = [];
      for await (const { times, values, flags } of observations.read({ stations: [station], from, to })) {
        const at = (variable: number, row: number) =>
          quality === 'pass' && (flags.get(variable)?.[row] ?? 0) !== 0
            ? Number.NaN
            : (values.get(variable)?.[row] ?? Number.NaN);
        for (const row of times.keys()) found.push([at(SPEED, row), at(DIRECTION, row)]);
      }
      return found;
    };

    await fc.assert(
      fc.asyncProperty(rows, fc.array(question, { minLength: 3, maxLength: 3 }), async (sent, questions) => {
        await write(sent);
        const described = await new DescribeStation(new FakeClock(), observations).execute('windy');
        for (const { sectors, quality, from: hour, length } of questions) {
          const [from, to] = [START + hour * HOUR, START + (hour + length) * HOUR];
          const { rose } = await countWinds.execute(described, {
            from,
            to,
            sectors,
            quality,
            bounds: BOUNDS,
          });
          // The wind of an interval is that of the range in which it ends.
          const all = await read(from + 1, to + 1, quality);
          const blowing = all.filter(([value]) => value >= 0.5);
          const width = 360 / sectors;
          const isSpread = blowing.every(([, value]) => Number.isNaN(value) || value % 10 === 0);
          for (const [sector, counts] of isSpread ? [] : rose.counts.entries()) {
            const ofSector = blowing.filter(([, value]) => {
              const away = (value - sector * width + 720) % 360;
              return away < width / 2 || away >= 360 - width / 2;
            });
            const ofClasses = [0.5, ...BOUNDS].map((bound, index) => {
              const next = BOUNDS[index] ?? Infinity;
              return ofSector.filter(([value]) => value >= bound && value < next).length;
            });
            expect([...counts], `${sectors} ${sector}`).to.deep.equal(ofClasses);
          }
          expect([rose.calms, rose.withoutDirection, rose.withoutSpeed]).to.deep.equal([
            all.filter(([value]) => value < 0.5).length,
            blowing.filter(([, value]) => Number.isNaN(value)).length,
            all.filter((row) => Number.isNaN(row[0]) && !Number.isNaN(row[1])).length,
          ]);
        }
      }),
      { numRuns: 15 },
    );
  });
}
