import type { NoticeKind } from '#domain/weather/quality/notices/notice.js';
import { V } from '#domain/weather/variables.js';
import type { NoticeFault } from './notice-faults.js';

/** A fault of published daily values. */
export interface DayFault extends NoticeFault {
  /** Length in days. */
  readonly days: number;
  /** Changes days `[from, to)` of the columns in place. Returns false if the fault cannot be planted there. */
  readonly plantDays: (
    columns: ReadonlyMap<number, Float64Array>,
    from: number,
    to: number,
    random: () => number,
  ) => boolean;
}

const valueAt = (columns: ReadonlyMap<number, Float64Array>, variable: number, day: number): number =>
  columns.get(variable)?.[day] ?? Number.NaN;

const oneDay = (
  name: string,
  kinds: readonly NoticeKind[],
  needs: NoticeFault['needs'],
  variable: number,
  change: (value: number, columns: ReadonlyMap<number, Float64Array>, day: number) => number,
): DayFault => ({
  name,
  kinds,
  needs,
  variable,
  days: 1,
  plantDays(columns, from) {
    const column = columns.get(variable) as Float64Array;
    const value = change(column[from] as number, columns, from);
    const isChanged = !Number.isNaN(value) && value !== column[from];
    if (isChanged) column[from] = value;
    return isChanged;
  },
});

/** The same amount on each day with rain, from `from` on, until `count` days have it. */
const sameRain =
  (count: number, amountOf: (wet: Float64Array) => number): DayFault['plantDays'] =>
  (columns, from) => {
    const column = columns.get(V.dailyPrecipitation) as Float64Array;
    const wet = column.filter((value) => value > 0).sort();
    const days = [...column.keys()]
      .filter((day) => day >= from && (column[day] as number) > 0)
      .slice(0, count);
    if (days.length < count) return false;
    for (const day of days) column[day] = amountOf(wet);
    return true;
  };

export const DAY_FAULTS: readonly DayFault[] = [
  oneDay(
    'a daily maximum 30 °C too high',
    ['unusual_day', 'contradictory_days'],
    'years',
    V.dailyMaximum,
    (value) => value + 30,
  ),
  oneDay(
    'a daily minimum 30 °C too low',
    ['unusual_day', 'contradictory_days'],
    'years',
    V.dailyMinimum,
    (value) => value - 30,
  ),
  oneDay('900 mm of rain in a day', ['extreme_rain'], 'nothing', V.dailyPrecipitation, () => 900),
  ...[15, 27].map((times) =>
    oneDay(
      `rain of a day ${times} times the 95th percentile of the days with rain`,
      ['unusual_day'],
      'years',
      V.dailyPrecipitation,
      (_, columns) => {
        const wet = (columns.get(V.dailyPrecipitation) as Float64Array).filter((value) => value > 0).sort();
        return times * (wet[Math.floor(0.95 * wet.length)] as number);
      },
    ),
  ),
  {
    name: 'the same amount on 25 days with rain',
    kinds: ['daily_streak'],
    variable: V.dailyPrecipitation,
    needs: 'years',
    days: 25,
    plantDays: sameRain(25, (wet) => wet[wet.length >> 1] as number),
  },
  {
    name: 'the same large amount on eight days with rain',
    kinds: ['daily_streak'],
    variable: V.dailyPrecipitation,
    needs: 'years',
    days: 8,
    plantDays: sameRain(8, (wet) => wet[Math.floor(0.93 * wet.length)] as number),
  },
  oneDay(
    'a daily maximum 30 °C too high, first year',
    ['contradictory_days'],
    'nothing',
    V.dailyMaximum,
    (value) => value + 30,
  ),
  oneDay(
    'a daily maximum 8 °C below the minimum of the next day',
    ['contradictory_days'],
    'nothing',
    V.dailyMaximum,
    (_, columns, day) => valueAt(columns, V.dailyMinimum, day + 1) - 8,
  ),
  oneDay(
    'snow on a day with minima from 10 °C on',
    ['contradictory_days'],
    'nothing',
    V.dailySnow,
    (_, columns, day) =>
      [-1, 0, 1].every((near) => valueAt(columns, V.dailyMinimum, day + near) >= 10) ? 50 : Number.NaN,
  ),
  oneDay(
    'a daily maximum 15 °C too high',
    ['day_unlike_neighbors'],
    'neighbors',
    V.dailyMaximum,
    (value) => value + 15,
  ),
  oneDay(
    'a daily minimum 15 °C too low',
    ['day_unlike_neighbors'],
    'neighbors',
    V.dailyMinimum,
    (value) => value - 15,
  ),
  oneDay(
    '120 mm of rain on a day on which the neighbors have less than 10 mm',
    ['day_unlike_neighbors'],
    'neighbors',
    V.dailyPrecipitation,
    (value) => (value < 10 ? 120 : Number.NaN),
  ),
  ...(
    [
      ['doubled for 120', 2, 120, 'rain_ratio'],
      ['halved for 120', 0.5, 120, 'rain_ratio'],
      ['zero for 60', 0, 60, 'rain_missing'],
    ] as const
  ).map(([how, factor, days, kind]): DayFault => ({
    name: `daily rain ${how} days`,
    kinds: [kind],
    needs: 'neighbors',
    variable: V.dailyPrecipitation,
    days,
    plantDays(columns, from, to) {
      const column = columns.get(V.dailyPrecipitation) as Float64Array;
      let amount = 0;
      for (let day = from; day < to; day += 1) {
        amount += column[day] || 0;
        column[day] = factor * (column[day] as number);
      }
      // As much as hourly rain that is planted (`RAIN` in notice-figures.ts).
      return amount > (70 * days) / 60;
    },
  })),
];
