import { expect } from 'chai';
import fc from 'fast-check';
import type { CounterReset, FilePlan, FileSource } from '#adapters/formats/files/file-plan.js';
import { RunningCounter } from '#adapters/formats/tables/rain-counter.js';
import { readAll } from '../../../support/imported.js';

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Amounts between levels at these hours of 2024-01-01. A fault is shown as `!`. */
function amounts(
  resets: CounterReset,
  readings: readonly (readonly [hour: number, level: number])[],
  perMillimeter = 1,
) {
  const counter = new RunningCounter(resets, perMillimeter, dateOf);
  return readings.map(([hour, level]) => {
    const { value, fault } = counter.next(Date.UTC(2024, 0, 1, hour), level);
    if (fault !== undefined) return '!';
    return Number.isNaN(value) ? '-' : value;
  });
}

describe('amounts of a running total', () => {
  it('are differences; a fall is a reset if the counter is due for it, or falls to almost nothing', () => {
    const cases: [CounterReset, [number, number][], (number | string)[]][] = [
      [
        'never',
        [
          [0, 300.3],
          [1, 300.6],
          [2, 300.6],
          [9, 301],
        ],
        ['-', 0.3, 0, 0.4],
      ],
      [
        'day',
        [
          [22, 2],
          [23, 2.4],
          [24, 1],
          [25, 1.5],
        ],
        ['-', 0.4, 1, 0.5],
      ],
      [
        'day',
        [
          [10, 2],
          [11, 0],
          [12, 0.4],
        ],
        ['-', 0, 0.4],
      ],
      [
        'day',
        [
          [10, 2],
          [11, 1.5],
          [12, 1.7],
        ],
        ['-', '!', 0.2],
      ],
      [
        'never',
        [
          [22, 200],
          [24, 100],
          [25, 100.2],
        ],
        ['-', '!', 0.2],
      ],
      [
        'month',
        [
          [23, 20],
          [31 * 24, 5],
        ],
        ['-', 5],
      ],
      [
        'month',
        [
          [23, 20],
          [30 * 24, 5],
        ],
        ['-', '!'],
      ],
      [
        'year',
        [
          [23, 900],
          [366 * 24, 2],
        ],
        ['-', 2],
      ],
      // A fault of one reading.
      [
        'year',
        [
          [1, 310.2],
          [2, 0],
          [3, 310.5],
          [4, 310.7],
        ],
        ['-', 0, 0.3, 0.2],
      ],
      [
        'year',
        [
          [1, 310.2],
          [2, 3.2],
          [3, 310.5],
          [4, 310.7],
        ],
        ['-', '!', 0.3, 0.2],
      ],
      // Not later than the row before.
      [
        'day',
        [
          [1, 1],
          [1, 2],
          [2, 2],
        ],
        ['-', '!', 1],
      ],
    ];
    for (const [resets, readings, expected] of cases)
      expect(amounts(resets, readings), JSON.stringify([resets, readings])).to.deep.equal(expected);
    expect(
      amounts(
        'never',
        [
          [0, 0.3],
          [1, 0.02],
        ],
        1 / 25.4,
      ),
    ).to.deep.equal(['-', '!']);
    expect(
      amounts(
        'never',
        [
          [0, 0.3],
          [1, 0.01],
        ],
        1 / 25.4,
      ),
    ).to.deep.equal(['-', 0.01]);
  });

  it('add up to what has fallen, with the oldest or the newest row first, in files of several chunks', async () => {
    const plan: FilePlan = {
      title: '',
      layout: { kind: 'delimited', delimiter: ',', first: 1 },
      time: { at: [0], headings: ['time'], formats: ['unix'], zone: 'utc' },
      columns: [
        {
          kind: 'counter',
          at: 1,
          heading: 'rain',
          variable: 'precipitation_amount',
          unit: 'mm',
          resets: 'day',
        },
      ],
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 25_000 }),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (count, wet, isNewestFirst) => {
          let [level, day] = [0, 0];
          const amountOf = (row: number) => (row % (wet * 10) < wet ? 2 : 0);
          const rows = Array.from({ length: count }, (_, row) => {
            const time = 1_704_067_200 + row * 60;
            if (Math.floor(time / 86_400) !== day) [level, day] = [0, Math.floor(time / 86_400)];
            level += amountOf(row);
            return `${time},${level / 10}\n`;
          });
          if (isNewestFirst) rows.reverse();
          const source: FileSource = {
            text: async function* () {
              yield Buffer.from(rows.join(''));
            },
            canRepeat: true,
            path: undefined,
            sqlite: () => {
              throw new Error('there is no path');
            },
          };
          const { rows: found, faults } = await readAll(plan, source, { zone: 'UTC' });
          // The oldest reading has nothing to be compared with, so its row has no value. Where it comes last, it waits to the end.
          expect(faults.map(({ line }) => line)).to.deep.equal(isNewestFirst ? [] : [1]);
          const sums = found
            .toSorted((a, b) => String(a['time']).localeCompare(String(b['time'])))
            .map((row) => Math.round(Number(row['precipitation_amount'] ?? 0) * 10));
          const known = isNewestFirst ? sums.slice(1) : sums;
          expect(known).to.deep.equal(Array.from({ length: count - 1 }, (_, row) => amountOf(row + 1)));
        },
      ),
      { numRuns: 4 },
    );
  });
});
