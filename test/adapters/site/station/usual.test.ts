import { expect } from 'chai';
import fc from 'fast-check';
import { calendarDaysOf, cellOf, moveDay } from '#adapters/site/client/sections/calendar/calendar-model.js';
import {
  compareAround,
  compareDate,
  comparePeriod,
  findRuns,
  halfYearOf,
  medianOfOthers,
  monthlyMeans,
  rankOf,
  verdictOf,
} from '#adapters/site/client/sections/usual/compare.js';
import {
  completeValue,
  daysOfYear,
  recordOf,
  sameDate,
  yearsOf,
} from '#adapters/site/client/sections/usual/day-record.js';
import { type DayReply, lastDayOf, referenceOf } from '#adapters/site/client/sections/usual/reference.js';
import { areasOutside, axisTicks, piecesOf } from '#adapters/site/client/sections/usual/year-line.js';

const DAY = 86_400_000;
const text = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
const number = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;

/** A day as the test knows it: absent values are undefined. */
interface Day {
  readonly mean?: number;
  readonly min?: number;
  readonly max?: number;
  readonly rain?: number;
  readonly isWhole: boolean;
}

const HEAD =
  'start,end,complete,air_temperature.valid,air_temperature.min,air_temperature.max,air_temperature.mean,' +
  'precipitation_amount.valid,precipitation_amount.sum';

const csvOf = (first: number, days: readonly (Day | undefined)[]): string =>
  [
    HEAD,
    ...days.flatMap((day, index) =>
      day === undefined
        ? []
        : [
            [
              `${text(first + index)}T00:00:00+01:00`,
              `${text(first + index + 1)}T00:00:00+01:00`,
              ...[day.isWhole, day.isWhole, day.min, day.max, day.mean, day.isWhole, day.rain].map(
                (cell) => cell ?? '',
              ),
            ].join(','),
          ],
    ),
    '',
  ].join('\r\n');

const replyOf = (mean: number, valid: boolean): DayReply => ({
  summaries: [
    {
      start: '2026-11-22T15:50:00-05:00',
      end: '2026-11-23T15:50:00-05:00',
      complete: valid,
      air_temperature: { valid, mean },
    },
  ] as unknown as DayReply['summaries'],
});

/** Records with gaps, incomplete days and equal values, some of which begin or end within a year. */
const records = fc
  .record({
    first: fc.integer({ min: number('2010-11-20'), max: number('2012-03-05') }),
    length: fc.integer({ min: 1, max: 2600 }),
    seed: fc.integer({ min: 1, max: 1e9 }),
    gaps: fc.constantFrom(0, 0.02, 0.2),
  })
  .map(({ first, length, seed, gaps }) => {
    let state = seed;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const days = Array.from({ length }, (_day, index): Day | undefined => {
      const isMissing = random() < gaps && index > 0 && index < length - 1;
      const mean = Math.round(random() * 40 - 15) + 0;
      const day = {
        mean,
        min: mean - Math.round(random() * 5),
        max: mean + Math.round(random() * 9),
        rain: random() < 0.6 ? 0 : Math.round(random() * 80) / 10,
        isWhole: random() >= gaps,
      };
      return isMissing ? undefined : day;
    });
    return { first, days, record: recordOf(csvOf(first, days)) };
  });

type Made = typeof records extends fc.Arbitrary<infer Value> ? Value : never;
const dayAt = ({ first, days }: Made, date: string) => days[number(date) - first];
const lastOf = ({ first, days }: Made) => first + days.length - 1;

/** All dates from one `MM-DD` to another of a year, by counting with texts instead of days. */
function datesOf(year: number, from: string, to: string): string[] {
  const dates: string[] = [];
  for (let month = 1; month <= 12; month += 1)
    for (let day = 1; day <= 31; day += 1) {
      const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
      const exists = !Number.isNaN(Date.parse(date)) && text(number(date)) === date;
      if (exists && date.slice(5) >= from && date.slice(5) <= to) dates.push(date);
    }
  return dates;
}

/** Each record has thousands of days, so that few of them suffice. */
const RUNS = { numRuns: 30 };

describe('the days of a record', () => {
  it('keep every value at its date, also around gaps', () => {
    fc.assert(
      fc.property(records, (made) => {
        const { first, days, record } = made;
        for (const [index, day] of days.entries())
          expect(completeValue(record, first + index, 'mean')).to.deep.equal(
            day?.isWhole ? (day.mean ?? Number.NaN) : Number.NaN,
          );
        expect(completeValue(record, first - 1, 'mean')).to.deep.equal(Number.NaN);
        expect(yearsOf(record)).to.have.members([
          ...new Set(days.map((_day, index) => Number(text(first + index).slice(0, 4)))),
        ]);
      }),
      RUNS,
    );
  });

  it('have the same date in other years; 29 February becomes 28 February', () => {
    expect(text(sameDate(number('2024-02-29'), -1))).to.equal('2023-02-28');
    expect(text(sameDate(number('2024-02-29'), 4))).to.equal('2028-02-29');
    expect(text(sameDate(number('2023-02-28'), 1))).to.equal('2024-02-28');
    for (const day of daysOfYear(2024)) {
      const other = text(sameDate(day, -1));
      expect(other.slice(5)).to.equal(text(day).slice(5) === '02-29' ? '02-28' : text(day).slice(5));
    }
  });
});

describe('the comparison with the record', () => {
  it('takes periods of other years only if they have nine days in ten', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: 0, max: 364 }), (made, offset) => {
        const to = lastOf(made);
        const from = Math.max(number(`${text(to).slice(0, 4)}-01-01`), to - offset);
        const [start, end] = [text(from).slice(5), text(to).slice(5)];
        for (const statistic of ['mean', 'rain', 'frost', 'hot'] as const) {
          const found = comparePeriod(made.record, { from, to }, statistic);
          for (const year of yearsOf(made.record)) {
            const dates = datesOf(
              year,
              start === '02-29' ? (year % 4 === 0 ? start : '02-28') : start,
              end === '02-29' && year % 4 !== 0 ? '02-28' : end,
            );
            const known = dates.map((date) => dayAt(made, date));
            const whole = known.filter((day) => day?.isWhole);
            const values = known.flatMap((day): number[] => {
              if (day === undefined) return [];
              if (statistic === 'mean') return day.isWhole ? [day.mean ?? 0] : [];
              if (statistic === 'rain') return [day.rain ?? 0];
              const is = statistic === 'frost' ? (day.min ?? 0) < 0 : (day.max ?? 0) >= 30;
              return day.isWhole || is ? [Number(is)] : [];
            });
            const sum = values.reduce((total, value) => total + value, 0);
            const other = found.values.find((one) => one.year === year);
            if (whole.length < 0.9 * dates.length || values.length === 0) {
              expect(other, `${year} ${statistic}`).to.equal(undefined);
            } else {
              const expected = statistic === 'mean' ? sum / values.length : sum;
              expect(other?.value, `${year} ${statistic}`).to.be.closeTo(expected, 1e-9);
            }
            if (year === found.year) expect(found.missing).to.equal(dates.length - whole.length);
          }
        }
      }),
      RUNS,
    );
  });

  it('takes the months of all years with their own days, 29 February too', () => {
    const [first, last] = [number('2023-01-01'), number('2025-03-31')];
    const days = Array.from({ length: last - first + 1 }, (_day, index): Day => ({
      mean: text(first + index) === '2024-02-29' ? 30 : 1,
      min: 0,
      max: 2,
      rain: 0,
      isWhole: true,
    }));
    const months = monthlyMeans(recordOf(csvOf(first, days)));
    expect([...(months[1] ?? [])]).to.deep.equal([
      [2023, 1],
      [2024, 2],
      [2025, 1],
    ]);
    expect(months.map((years) => [...years.keys()])).to.deep.equal([
      ...Array.from({ length: 3 }, () => [2023, 2024, 2025]),
      ...Array.from({ length: 9 }, () => [2023, 2024]),
    ]);
  });

  it('gives this year its place from the nearer end', () => {
    const values = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(values, fc.nat(), (all, pick) => {
        const own = pick % all.length;
        const comparison = {
          year: 2000 + own,
          value: all[own] as number,
          missing: 0,
          days: 1,
          values: all.map((value, index) => ({ year: 2000 + index, value })),
        };
        const rank = rankOf(comparison);
        if (all.length === 1) {
          expect(rank).to.equal(undefined);
          expect(medianOfOthers(comparison)).to.equal(undefined);
          return;
        }
        const sorted = all.toSorted((a, b) => a - b);
        const fromBelow = sorted.indexOf(all[own] as number) + 1;
        const fromAbove = sorted.toReversed().indexOf(all[own] as number) + 1;
        expect(rank).to.deep.equal({
          place: Math.min(fromBelow, fromAbove),
          of: all.length,
          end: fromBelow <= fromAbove ? 'lowest' : 'highest',
          isShared: sorted.filter((value) => value === all[own]).length > 1,
        });
        const others = all.filter((_value, index) => index !== own).toSorted((a, b) => a - b);
        const [low, high] = [others[Math.ceil(others.length / 2) - 1], others[Math.floor(others.length / 2)]];
        expect(medianOfOthers(comparison)).to.be.closeTo(((low ?? 0) + (high ?? 0)) / 2, 1e-9);
      }),
    );
  });

  it('compares a date with the same date of every year', () => {
    fc.assert(
      fc.property(records, (made) => {
        const day = lastOf(made);
        const { values } = compareDate(made.record, day, 99);
        for (const year of yearsOf(made.record)) {
          const date = `${year}-${text(day).slice(5)}`;
          const isOwn = date === text(day);
          const exists = text(number(date.replace('02-29', '02-28'))) !== '';
          const place = date.endsWith('02-29') && year % 4 !== 0 ? `${year}-02-28` : date;
          const other = dayAt(made, place);
          const expected = isOwn ? 99 : exists && other?.isWhole ? other.mean : undefined;
          expect(values.find((one) => one.year === year)?.value, date).to.equal(expected);
        }
      }),
      RUNS,
    );
  });

  it('counts the days within a week of the date that were as cold or as warm', () => {
    fc.assert(
      fc.property(records, fc.integer({ min: -20, max: 30 }), (made, value) => {
        const day = lastOf(made);
        const found = compareAround(made.record, day, value, day);
        // The window is written in dates of a leap year, so that 29 February is a date of its own.
        const window = new Set(
          Array.from({ length: 15 }, (_date, index) => {
            const position =
              (number(`2000-${text(day).slice(5)}`) - number('2000-01-01') + index - 7 + 366) % 366;
            return text(number('2000-01-01') + position).slice(5);
          }),
        );
        const means = made.days
          .slice(0, -1)
          .flatMap((one, index) =>
            one?.isWhole && window.has(text(made.first + index).slice(5)) ? [one.mean as number] : [],
          );
        if (means.length === 0) {
          expect(found).to.equal(undefined);
          return;
        }
        const isColder = found?.direction === 'colder';
        const as = means.filter((mean) => (isColder ? mean <= value : mean >= value));
        expect(found?.count).to.equal(means.length);
        expect(found?.share).to.be.closeTo(as.length / means.length, 1e-12);
        expect(found?.share).to.be.at.most(isColder ? 0.6 : 1);
        expect(isColder).to.equal(value < (found?.median ?? Number.NaN));
      }),
      RUNS,
    );
  });

  it('calls a day unique only if no year had the date as extreme', () => {
    const table = [
      [0.5, true, 'usual'],
      [0.26, true, 'usual'],
      [0.25, true, 'uncommon'],
      [0.1, false, 'uncommon'],
      [0.09, true, 'rare'],
      [0.03, true, 'rare'],
      [0.02, false, 'rare'],
      [0.02, true, 'never'],
      [0, true, 'never'],
    ] as const;
    for (const [share, isFirst, verdict] of table)
      expect(verdictOf(share, isFirst), String(share)).to.equal(verdict);
  });

  it('finds the days in a row at the end of the record, and the longest', () => {
    fc.assert(
      fc.property(records, (made) => {
        for (const kind of ['dry', 'frost'] as const) {
          const states = made.days.map((day) => {
            if (day === undefined) return '?';
            if (kind === 'dry' && (day.rain ?? 0) > 0) return 'n';
            if (kind === 'frost' && (day.min ?? 0) < 0) return 'y';
            return day.isWhole ? (kind === 'dry' ? 'y' : 'n') : '?';
          });
          const line = states.join('').replace(/\?$/, '');
          const { current, longest } = findRuns(made.record, kind);
          const atEnd = /y+$/.exec(line)?.[0].length ?? 0;
          expect(current?.days ?? 0, kind).to.equal(atEnd);
          const all = [...line.matchAll(/y+/g)].map((run) => run[0].length);
          expect(longest?.days ?? 0, kind).to.equal(Math.max(0, ...all));
          if (current !== undefined) expect(current.isAtLeast).to.equal((line.at(-1 - atEnd) ?? '?') === '?');
          if (longest !== undefined)
            expect(states[longest.last - made.first], 'a run ends with one of its days').to.equal('y');
        }
      }),
      RUNS,
    );
  });

  it('counts frost in the winter half-year of the hemisphere, and heat in the other', () => {
    for (const day of daysOfYear(2024)) {
      const month = Number(text(day).slice(5, 7));
      const north = halfYearOf(day, 52);
      const south = halfYearOf(day, -37);
      expect(north.kind).to.equal(month >= 10 || month <= 3 ? 'frost' : 'hot');
      expect(south.kind).to.equal(north.kind === 'frost' ? 'hot' : 'frost');
      expect(south.from).to.equal(north.from);
      expect(['04-01', '10-01']).to.include(text(north.from).slice(5));
      expect(day - north.from).to.be.within(0, 182);
    }
  });
});

describe('the value that is compared', () => {
  const station = { time_zone: 'America/New_York' };
  const record = recordOf(
    csvOf(number('2013-12-30'), [
      { mean: 4, isWhole: true },
      { mean: 5, isWhole: false },
    ]),
  );
  const now = Date.parse('2026-11-23T20:58:00Z');

  it('is the mean of the last 24 hours, which end at a round time of the station', () => {
    const lastDay = lastDayOf({ last: '2026-11-23T20:56:30Z' }, station, now);
    expect(lastDay).to.deep.equal({
      dayStart: '15:50',
      from: '2026-11-22',
      to: '2026-11-23',
      end: Date.parse('2026-11-23T20:50:00Z'),
    });
    const reply = replyOf(1.5, true);
    expect(referenceOf(record, lastDay, reply)).to.deep.equal({
      day: number('2026-11-23'),
      mean: 1.5,
      firstDay: number('2026-11-22'),
      end: lastDay?.end,
    });
  });

  it('is the last complete date if the station is silent or has too few values', () => {
    const expected = { day: number('2013-12-30'), mean: 4, firstDay: number('2013-12-30'), end: undefined };
    expect(lastDayOf({ last: '2013-12-31T00:00:00Z' }, station, now)).to.equal(undefined);
    expect(lastDayOf({ last: null }, station, now)).to.equal(undefined);
    expect(referenceOf(record, undefined, undefined)).to.deep.equal(expected);
    const lastDay = lastDayOf({ last: '2026-11-23T20:56:30Z' }, station, now);
    const reply = replyOf(1.5, false);
    expect(referenceOf(record, lastDay, reply)).to.deep.equal(expected);
    expect(referenceOf(recordOf(csvOf(0, [])), lastDay, reply)).to.equal(undefined);
  });
});

describe('the year against the record', () => {
  const value = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constant(Number.NaN));
  const series = fc.array(fc.tuple(value, fc.integer({ min: -10, max: 10 })), { maxLength: 40 });

  it('fills exactly the area between the line and the bound', () => {
    fc.assert(
      fc.property(series, fc.constantFrom(1 as const, -1 as const), (pairs, side) => {
        const [values, bounds] = [pairs.map(([one]) => one), pairs.map(([, bound]) => bound)];
        const areas = areasOutside(values, bounds, side);
        const surface = areas.map((area) =>
          Math.abs(
            area.reduce((sum, [x, y], index) => {
              const [nextX, nextY] = area[(index + 1) % area.length] as readonly [number, number];
              return sum + x * nextY - nextX * y;
            }, 0) / 2,
          ),
        );
        // The area is summed up in small steps, without the points where the lines cross.
        let expected = 0;
        const steps = 400;
        for (let index = 0; index + 1 < pairs.length; index += 1)
          for (let step = 0; step < steps; step += 1) {
            const share = (step + 0.5) / steps;
            const at = (line: readonly number[]) =>
              (line[index] as number) * (1 - share) + (line[index + 1] as number) * share;
            const excess = side * (at(values) - at(bounds));
            if (excess > 0) expected += excess / steps;
          }
        expect(surface.reduce((sum, one) => sum + one, 0)).to.be.closeTo(expected, 0.01 + expected * 1e-3);
      }),
      { numRuns: 40 },
    );
  });

  it('breaks lines at gaps and keeps every value', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), (values) => {
        const pieces = piecesOf(values);
        expect(pieces.flat().map(([, one]) => one)).to.deep.equal(values.filter((one) => !Number.isNaN(one)));
        for (const piece of pieces)
          expect(piece.map(([position]) => position)).to.deep.equal(
            piece.map((_point, index) => (piece[0]?.[0] ?? 0) + index),
          );
        for (const [index, piece] of pieces.entries())
          if (index > 0) expect((piece[0]?.[0] ?? 0) - (pieces[index - 1]?.at(-1)?.[0] ?? 0)).to.be.above(1);
      }),
    );
  });

  it('has an axis of two to eight round numbers around all values', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -600, max: 1200 }),
        fc.integer({ min: 0, max: 1200 }),
        (tenths, length) => {
          const [low, span] = [tenths / 10, length / 10];
          const ticks = axisTicks(low, low + span);
          expect(ticks).to.have.length.within(2, 8);
          expect(ticks[0]).to.be.at.most(low);
          expect(ticks.at(-1)).to.be.at.least(low + span);
        },
      ),
    );
  });
});

describe('the calendar', () => {
  it('has every day of a year, also those without a value', () => {
    const record = recordOf(
      csvOf(number('2024-02-29'), [
        { mean: 3, max: 5, isWhole: true },
        { mean: -2, isWhole: false },
      ]),
    );
    const days = calendarDaysOf(record, 2024, 'mean');
    expect(days).to.have.length(366);
    expect(days[59]).to.deep.equal({ day: number('2024-02-29'), value: 3, isComplete: true });
    expect(days[60]).to.deep.equal({ day: number('2024-03-01'), value: -2, isComplete: false });
    expect(days[0]).to.deep.equal({ day: number('2024-01-01'), value: undefined, isComplete: false });
    expect(calendarDaysOf(record, 2024, 'max')[59]?.value).to.equal(5);
    expect(calendarDaysOf(record, 2023, 'rain')).to.have.length(365);
  });

  it('gives each day a cell of its own, a week from Monday in a column, a month in a column', () => {
    for (const year of [2018, 2023, 2024, 2028]) {
      const days = daysOfYear(year);
      const weeks = days.map((day) => cellOf(day, 'weeks'));
      const months = days.map((day) => cellOf(day, 'months'));
      for (const cells of [weeks, months])
        expect(new Set(cells.map(({ column, row }) => `${column} ${row}`)).size).to.equal(days.length);
      for (const [index, day] of days.entries()) {
        const weekday = new Date(day * DAY).getUTCDay();
        expect(weeks[index]?.row).to.equal((weekday + 6) % 7);
        expect(weeks[index]?.column).to.be.within(0, 53);
        expect(months[index]).to.deep.equal({
          column: Number(text(day).slice(5, 7)) - 1,
          row: Number(text(day).slice(8)) - 1,
        });
      }
      expect(weeks[0]?.column).to.equal(0);
    }
  });

  it('moves to the neighbor in the picture, and stays in the year', () => {
    const move = (date: string, key: string, form: 'weeks' | 'months') => {
      const next = moveDay(number(date), key, form);
      return next === undefined ? undefined : text(next);
    };
    expect(move('2024-02-28', 'ArrowDown', 'weeks')).to.equal('2024-02-29');
    expect(move('2024-02-29', 'ArrowRight', 'weeks')).to.equal('2024-03-07');
    expect(move('2024-03-31', 'ArrowLeft', 'months')).to.equal('2024-02-29');
    expect(move('2024-01-31', 'PageDown', 'weeks')).to.equal('2024-02-29');
    expect(move('2024-06-01', 'Home', 'weeks')).to.equal('2024-01-01');
    expect(move('2024-06-01', 'Tab', 'weeks')).to.equal(undefined);
    const days = daysOfYear(2024);
    const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'];
    for (const key of keys)
      for (const form of ['weeks', 'months'] as const)
        for (const day of days) {
          const next = moveDay(day, key, form) as number;
          expect(days).to.include(next);
          const [from, to] = [cellOf(day, form), cellOf(next, form)];
          const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
          if (isAcross && next !== day && form === 'weeks') expect(to.row).to.equal(from.row);
          if (isAcross && next !== day) expect(Math.abs(to.column - from.column)).to.equal(1);
        }
  });
});
