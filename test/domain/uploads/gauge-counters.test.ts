import { expect } from 'chai';
import fc from 'fast-check';
import { advanceGauge, type GaugeState } from '#domain/uploads/gauge-counters.js';
import { MILLISECONDS } from '#domain/time.js';

const START = Date.UTC(2026, 10, 22, 12);
const { minute } = MILLISECONDS;

type Counters = Readonly<Record<string, number>>;
/** Minutes after the start, counters, and whether counters may begin anew. */
type Upload = readonly [minutes: number, counters: Counters, mayReset?: boolean];

/** The amounts of a series of uploads; `–` for none. */
function amountsOf(uploads: readonly Upload[]): {
  amounts: (number | '–')[];
  reports: string[];
  sum: number;
} {
  let state: GaugeState | undefined;
  const amounts: (number | '–')[] = [];
  const reports: string[] = [];
  let sum = 0;
  for (const [minutes, counters, anew = false] of uploads) {
    const next = advanceGauge(
      state,
      { time: START + minutes * minute, counters: Object.entries(counters) },
      { maxPerMinute: 40, unit: 'mm', counterLimit: 5999.9, mayReset: () => anew },
    );
    // As it is stored.
    state = JSON.parse(JSON.stringify(next.state)) as GaugeState;
    amounts.push(next.amount ?? '–');
    reports.push(...next.reports);
    sum += next.amount ?? 0;
  }
  return { amounts, reports, sum };
}

describe('Counters of a gauge', () => {
  const cases: readonly (readonly [
    title: string,
    uploads: readonly Upload[],
    amounts: readonly (number | '–')[],
  ])[] = [
    ['say nothing at first sight', [[0, { day: 7 }]], ['–']],
    [
      'give the increase',
      [
        [0, { day: 7 }],
        [5, { day: 7.3 }],
        [10, { day: 7.3 }],
        [15, { day: 9 }],
      ],
      ['–', 0.3, 0, 1.7],
    ],
    [
      'begin anew at midnight',
      [
        [0, { day: 7 }],
        [5, { day: 0.2 }, true],
        [10, { day: 0.5 }, true],
      ],
      ['–', 0.2, 0.3],
    ],
    [
      'do not begin anew near midnight where all of them fall and return at once',
      [
        [0, { day: 12, week: 24.6, month: 50.8, year: 508 }],
        [5, { day: 0, week: 0, month: 0, year: 0 }, true],
        [10, { day: 0, week: 0, month: 0, year: 0 }, true],
        [15, { day: 12.2, week: 24.8, month: 51, year: 508.2 }, true],
        [20, { day: 12.2, week: 24.8, month: 51, year: 508.2 }, true],
      ],
      ['–', 0, 0, 0.2, 0],
    ],
    [
      'begin anew at midnight together where another goes on, though rain soon raises them above what they showed',
      [
        [0, { day: 2, week: 2, month: 50.8, year: 508 }],
        [5, { day: 0, week: 0, month: 50.8, year: 508 }, true],
        [10, { day: 2.2, week: 2.2, month: 53, year: 510.2 }, true],
      ],
      ['–', 0, 2.2],
    ],
    [
      'begin anew in the night of a new year, and rise step by step',
      [
        [0, { day: 2, month: 2.5, year: 3 }],
        [5, { day: 0, month: 0, year: 0 }, true],
        [10, { day: 1, month: 1, year: 1 }, true],
        [15, { day: 4, month: 4, year: 4 }, true],
      ],
      ['–', 0, 1, 3],
    ],
    [
      'begin anew at the end of a month, when only the year has the rain before it',
      [
        [0, { day: 2, month: 40, year: 400 }],
        [60, { day: 0.4, month: 0.4, year: 406 }, true],
        [65, { day: 0.6, month: 0.6, year: 406.2 }, true],
        [70, { day: 1, month: 1, year: 406.6 }],
      ],
      ['–', 6, 0.2, 0.4],
    ],
    [
      'join later without a say',
      [
        [0, { day: 1 }],
        [5, { day: 1.5, year: 300 }],
        [10, { day: 1.5, year: 301 }],
      ],
      ['–', 0.5, 0],
    ],
    [
      'are ignored where they are full',
      [
        [0, { day: 1, total: 5999.988 }],
        [5, { day: 1.5, total: 5999.988 }],
      ],
      ['–', 0.5],
    ],
    [
      'follow the majority where one is edited by hand',
      [
        [0, { day: 1, month: 10, year: 100 }],
        [5, { day: 1.5, month: 10.5, year: 600.5 }],
        [10, { day: 1.5, month: 10.5, year: 600.5 }],
      ],
      ['–', 0.5, 0],
    ],
    [
      'follow the shortest period that did not begin anew where two disagree',
      [
        [0, { day: 1, year: 100 }],
        [5, { day: 2, year: 105 }],
        [10, { day: 0, year: 107 }, true],
      ],
      ['–', 1, 6],
    ],
    [
      'lag without loss: the day counter is an upload late',
      [
        [0, { day: 1, month: 10, year: 100 }],
        [5, { day: 1, month: 12, year: 102 }],
        [10, { day: 3, month: 12, year: 102 }],
        [15, { day: 3.5, month: 12.5, year: 102.5 }],
      ],
      ['–', 2, 0, 0.5],
    ],
    [
      'are held where a lone one falls and returns',
      [
        [0, { total: 1588 }],
        [5, { total: 0 }],
        [10, { total: 1588 }],
        [15, { total: 1589 }],
      ],
      ['–', '–', 0, 1],
    ],
    [
      'begin anew at the second low value where nothing supports the fall',
      [
        [0, { total: 100 }],
        [5, { total: 0.2 }],
        [10, { total: 0.7 }],
        [15, { total: 0.7 }],
      ],
      ['–', '–', 0.7, 0],
    ],
    [
      'are held at midnight too where the fallen value is not small',
      [
        [0, { day: 10 }],
        [5, { day: 3 }, true],
        [10, { day: 4 }, true],
      ],
      ['–', '–', 4],
    ],
    [
      'give way to the others while one is held, and count nothing twice',
      [
        [0, { day: 10, year: 100 }],
        [5, { day: 3, year: 104 }],
        [10, { day: 4, year: 105 }],
        [15, { day: 5, year: 106 }],
      ],
      ['–', 4, 1, 1],
    ],
    [
      'begin anew together by hand',
      [
        [0, { day: 10, month: 50, year: 100 }],
        [5, { day: 0, month: 0, year: 0 }],
        [10, { day: 0.5, month: 0.5, year: 0.5 }],
      ],
      ['–', 0, 0.5],
    ],
    [
      'return together where all fell for one upload',
      [
        [0, { day: 10, month: 50, year: 100 }],
        [5, { day: 0, month: 0, year: 0 }],
        [10, { day: 10.2, month: 50.2, year: 100.2 }],
      ],
      ['–', 0, 0.2],
    ],
    [
      'hold an impossible amount for one upload, and take nothing of it where it goes',
      [
        [0, { day: 1 }],
        [1, { day: 60 }],
        [2, { day: 1.4 }],
        [3, { day: 1.5 }],
      ],
      ['–', '–', 0.4, 0.1],
    ],
    [
      'leave an impossible amount out where it stays',
      [
        [0, { day: 1 }],
        [1, { day: 60 }],
        [2, { day: 61 }],
        [3, { day: 61.5 }],
      ],
      ['–', '–', 1, 0.5],
    ],
    [
      'give the largest of those that agree: the day counter is a tip late',
      [
        [0, { day: 1, year: 100 }],
        [5, { day: 1, year: 100.254 }],
        [10, { day: 1.254, year: 100.254 }],
      ],
      ['–', 0.254, 0],
    ],
    [
      'say nothing where all are full',
      [
        [0, { total: 5999.988 }],
        [5, { total: 5999.988 }],
      ],
      ['–', '–'],
    ],
    [
      'keep a tip that comes within a second',
      [
        [0, { day: 1 }],
        [0.001, { day: 1.254 }],
      ],
      ['–', 0.254],
    ],
    [
      'say nothing where none is sent',
      [
        [0, { day: 1 }],
        [5, {}],
        [10, { day: 2 }],
      ],
      ['–', '–', 1],
    ],
    [
      'keep an absent counter in step',
      [
        [0, { day: 1, year: 9 }],
        [5, { day: 2 }],
        [10, { day: 2, year: 10 }],
        [15, { year: 11 }],
      ],
      ['–', 1, 0, 1],
    ],
  ];
  for (const [title, uploads, amounts] of cases)
    it(title, () => {
      expect(amountsOf(uploads).amounts).to.deep.equal(amounts);
    });

  it('report what is held back and left out', () => {
    expect(
      amountsOf([
        [0, { day: 1 }],
        [1, { day: 60 }],
        [2, { day: 61 }],
      ]).reports,
    ).to.deep.equal([
      'The increase of 59 mm is more than 40 mm a minute. It was held back.',
      'The increase of 59 mm was left out, because the counters keep it.',
    ]);
    expect(
      amountsOf([
        [0, { total: 9 }],
        [5, { total: 1 }],
      ]).reports,
    ).to.deep.equal(['The counter total fell from 9 to 1. Its value was held back.']);
  });

  it('take a counter as it is that has been apart for an hour', () => {
    const uploads: Upload[] = [[0, { day: 1, month: 10, year: 100 }]];
    for (let minutes = 5; minutes <= 70; minutes += 5)
      uploads.push([minutes, { day: 1, month: 10, year: 105 }]);
    uploads.push([75, { year: 105.5 }]);
    expect(amountsOf(uploads).sum).to.equal(0.5);
  });

  it('give the true sum of any rain, with counters that lag, begin anew, fall for one upload or are missing', () => {
    const step = fc.record({
      rain: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 })),
      lags: fc.boolean(),
      missing: fc.constantFrom('', '', '', 'week', 'year'),
      glitch: fc.constantFrom('', '', '', '', 'month', 'year'),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 200 }), (steps) => {
        // Tips of 0.2 mm. An upload every half hour; the day begins every 24 hours, the week every 3 days.
        const shown: Record<string, number> = { day: 14, week: 60, month: 300, year: 2000 };
        let [truth, behind, glitched] = [0, 0, false];
        const uploads: Upload[] = [];
        const add = (index: number, without: string, low: string) => {
          const counters = Object.fromEntries(
            Object.entries(shown)
              .filter(([name]) => name !== without)
              .map(([name, tips]) => [name, name === low ? 0 : (tips * 2) / 10]),
          );
          const ofDay = index % 48;
          uploads.push([index * 30, counters, ofDay <= 4 || ofDay >= 44]);
        };
        add(1, '', '');
        for (const [at, { rain, lags, missing, glitch }] of steps.entries()) {
          const index = at + 2;
          truth += rain;
          for (const name of ['month', 'year']) shown[name] = (shown[name] ?? 0) + rain;
          // Day and week show the rain one upload late in drizzle, but have caught up before they begin anew.
          const late = lags && rain <= 5 && index % 48 !== 0 && index % 48 !== 47 ? rain : 0;
          for (const name of ['day', 'week']) shown[name] = (shown[name] ?? 0) + rain - late + behind;
          behind = late;
          if (index % 48 === 0) shown['day'] = rain;
          if (index % 144 === 0) shown['week'] = rain;
          const low = glitched || missing !== '' ? '' : glitch;
          glitched = low !== '';
          add(index, missing, low);
        }
        for (const name of ['day', 'week']) shown[name] = (shown[name] ?? 0) + behind;
        add(steps.length + 2, '', '');
        expect(amountsOf(uploads).sum).to.be.closeTo(truth * 0.2, 1e-6);
      }),
      { numRuns: 300 },
    );
  });

  it('give the true sum of a day series of weather software over midnight and changes of clocks', () => {
    // The record of 00:00 has its own rain in the new day already.
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 })), {
          minLength: 2,
          maxLength: 1500,
        }),
        fc.integer({ min: 23, max: 25 }),
        (rains, hours) => {
          let [day, truth, minutes] = [0, 0, 0];
          const uploads: Upload[] = [[0, { day: 0 }]];
          for (const tips of rains) {
            minutes += 5;
            // The first day has 23 to 25 hours.
            const ofDay = minutes < hours * 60 ? minutes : (minutes - hours * 60) % (24 * 60);
            if (ofDay === 0) day = 0;
            day += tips;
            truth += tips;
            uploads.push([
              minutes,
              { day: Number((day * 0.01).toFixed(2)) * 25.4 },
              ofDay < 120 || ofDay > 22 * 60,
            ]);
          }
          // A fall that was held is decided by the next record.
          uploads.push([minutes + 5, { day: Number((day * 0.01).toFixed(2)) * 25.4 }]);
          expect(amountsOf(uploads).sum).to.be.closeTo(truth * 0.254, 1e-6);
        },
      ),
      { numRuns: 100 },
    );
  });
});
