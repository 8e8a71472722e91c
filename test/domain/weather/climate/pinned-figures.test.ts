import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { monthsOf } from '#domain/weather/climate/calendar-rows.js';
import {
  type ClimateDays,
  dateNumber,
  type DayQuantity,
  QUANTITIES_OF_DAY,
} from '#domain/weather/climate/climate-days.js';
import { dailyElements, ELEMENTS } from '#domain/weather/climate/elements.js';
import { FREQUENCIES } from '#domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import { monthsAndYears } from '#domain/weather/climate/month-figures.js';
import { inReportUnits, NoaaLines } from '#domain/weather/climate/noaa/noaa-report.js';
import { normalsOf } from '#domain/weather/climate/normals.js';
import { RECORDS, recordsOf } from '#domain/weather/climate/records.js';
import { MONTH_RULES, type MonthRule } from '#domain/weather/summaries/completeness.js';
import { type ByDate, daysOfYears, yearsIn } from '../../../support/climate-days.js';

/** Numbers from 0 to 1, the same everywhere. */
const random = (text: string) => createHash('md5').update(text).digest().readUInt32LE(0) / 2 ** 32;

/** Days of twelve years with seasons, dry spells, ties, and gaps of one day to two months. */
function madeDays(): ClimateDays {
  const valueOf = (quantity: DayQuantity): ByDate => {
    const { variable } = QUANTITIES_OF_DAY[quantity];
    const isRain = quantity === 'precipitation';
    const isTemperature = variable === 'air_temperature';
    const rise = quantity === 'maximum' ? 6 : quantity === 'minimum' ? -6 : 0;
    return (date) => {
      const month = date.slice(0, 7);
      const isMissing =
        random(`${month} ${quantity} month`) < 0.02 ||
        random(`${date} ${quantity} day`) < (random(`${month} gaps`) < 0.5 ? 0 : 0.06);
      if (isMissing) return Number.NaN;
      const season = -Math.cos((2 * Math.PI * (Number(date.slice(5, 7)) - 1)) / 12);
      const noise = random(`${date} ${isTemperature ? 'temperature' : quantity}`);
      if (isRain) return noise < 0.6 ? 0 : Math.round((noise - 0.6) * 1000) / 10;
      if (isTemperature) return Math.round(10 * (9 + 14 * season + 10 * (noise - 0.5) + rise)) / 10;
      return Math.round(10 * (20 + 5 * season + 30 * noise)) / 10;
    };
  };
  const quantities = Object.keys(QUANTITIES_OF_DAY) as DayQuantity[];
  return daysOfYears(2001, 2012, Object.fromEntries(quantities.map((one) => [one, valueOf(one)])));
}

/** Numbers with nine digits, so that another order of additions is no other number. */
const digest = (value: unknown) =>
  createHash('sha256')
    .update(
      JSON.stringify(value, (_key, one: unknown) =>
        typeof one === 'number' ? (Number.isFinite(one) ? one.toPrecision(9) : String(one)) : one,
      ),
    )
    .digest('hex')
    .slice(0, 8);

/** A change of a rule changes them, and is meant to. */
const PINNED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  indices: {
    'FD year': 'c1ee488f',
    'SU year': '9e6e91c8',
    'ID year': '072672d8',
    'TR year': 'db8253de',
    'GSL year': '7f0372a5',
    'TXx year': '53095383',
    'TNx year': 'fb8a221b',
    'TXn year': '1b9655e2',
    'TNn year': 'b4d1f387',
    'DTR year': '7f0372a5',
    'Rx1day year': '2a6a8275',
    'Rx5day year': 'c87f4a1d',
    'SDII year': 'fd5f3e6d',
    'R10mm year': '60a89835',
    'R20mm year': '8b7854fe',
    'Rnnmm year': 'f633af1c',
    'CDD year': '0ca8de6e',
    'CWD year': 'cca12a27',
    'PRCPTOT year': '51cb7db1',
    'GSL year south': 'c7c7c09d',
    'TXx season': '54e35a98',
    'TNx season': '8a585260',
    'TXn season': '8c5da5c3',
    'TNn season': '025fbac7',
    'DTR season': '1249b761',
    'Rx1day season': 'b38a2006',
    'Rx5day season': '22f13d9e',
    'TXx month': 'b63b5478',
    'TNx month': 'fb87e4b6',
    'TXn month': '9b9f61dc',
    'TNn month': 'c4ea06a5',
    'DTR month': 'bfb1bcb6',
    'Rx1day month': '851f966c',
    'Rx5day month': 'e61180ec',
  },
  months: {
    'mean_temperature wmo_1203': 'a7c5bd0b',
    'mean_temperature five_three': '66c90e0f',
    'mean_of_daily_extremes wmo_1203': '3a554634',
    'mean_of_daily_extremes five_three': '756d5b5e',
    'mean_daily_maximum wmo_1203': '262d25d8',
    'mean_daily_maximum five_three': '569bcffb',
    'mean_daily_minimum wmo_1203': '1970bb27',
    'mean_daily_minimum five_three': '4caa7908',
    'highest_temperature wmo_1203': '599d5cf2',
    'highest_temperature five_three': '54316e40',
    'lowest_temperature wmo_1203': '0a7c81d7',
    'lowest_temperature five_three': 'ff59c4f6',
    'precipitation wmo_1203': 'ae95f668',
    'precipitation five_three': 'ae95f668',
    'wet_days wmo_1203': 'f617f89b',
    'wet_days five_three': 'f617f89b',
    'greatest_daily_precipitation wmo_1203': '9bab89a8',
    'greatest_daily_precipitation five_three': '9bab89a8',
    'sunshine wmo_1203': '6788ed76',
    'sunshine five_three': '6788ed76',
    'mean_sea_level_pressure wmo_1203': '4459541f',
    'mean_sea_level_pressure five_three': 'bcb2f9dd',
    'mean_relative_humidity wmo_1203': '2084e4c3',
    'mean_relative_humidity five_three': 'ff605e78',
    'mean_wind_speed wmo_1203': '9e6dd38e',
    'mean_wind_speed five_three': '0809ee2c',
    'highest_wind wmo_1203': 'e52d9c05',
    'highest_wind five_three': 'c10075a5',
    'frost_days wmo_1203': '9d2ac947',
    'frost_days five_three': '9d2ac947',
    'ice_days wmo_1203': '6ffe3f7c',
    'ice_days five_three': '6ffe3f7c',
    'summer_days wmo_1203': 'dc4ce07e',
    'summer_days five_three': 'dc4ce07e',
    'hot_days wmo_1203': '562c9abe',
    'hot_days five_three': '562c9abe',
    'tropical_nights wmo_1203': 'cce36c8b',
    'tropical_nights five_three': 'cce36c8b',
    'new_snow wmo_1203': 'a5397a98',
    'new_snow five_three': 'a5397a98',
    'greatest_snow_depth wmo_1203': '867c1283',
    'greatest_snow_depth five_three': '7af42ace',
    'snow_cover_days wmo_1203': '87119400',
    'snow_cover_days five_three': '87119400',
    'mean_daily_sunshine wmo_1203': '59fda963',
    'mean_daily_sunshine five_three': 'b107d2b0',
    'gale_days wmo_1203': '2ecdc883',
    'gale_days five_three': '2ecdc883',
  },
  normals: {
    mean_temperature: '36941a09',
    mean_of_daily_extremes: '3eb3e6aa',
    mean_daily_maximum: '62cf780d',
    mean_daily_minimum: 'ec791612',
    precipitation: 'a1aee898',
    wet_days: '57a9aa75',
    sunshine: '2e5892dc',
    mean_sea_level_pressure: '9cee05a1',
    mean_relative_humidity: '653a343e',
    mean_wind_speed: 'baa4b268',
    frost_days: '9b046863',
    ice_days: '39a93494',
    summer_days: '40398faa',
    hot_days: '40398faa',
    tropical_nights: '423563e0',
    new_snow: '3cc5a37a',
    snow_cover_days: '02dc1fe4',
    mean_daily_sunshine: '916778fc',
    gale_days: 'f9d483a4',
  },
  records: {
    highest_temperature: 'da0bee61',
    lowest_temperature: 'aa526f5f',
    highest_daily_minimum: '27e671b6',
    lowest_daily_maximum: '99f4a768',
    greatest_daily_precipitation: 'a8c9a301',
    highest_gust: '8945ca76',
    highest_sea_level_pressure: 'a517f50a',
    lowest_sea_level_pressure: 'd5bf4dcb',
  },
  reports: { imperial: '9fc8a3c7', metric: 'a48e8e30' },
};

describe('the climate of any days', () => {
  const days = madeDays();
  const years = yearsIn(days);
  const months = monthsOf(days.dates);
  const today = dateNumber('2012-11-05');

  const cases: Readonly<Record<string, () => Record<string, unknown>>> = {
    indices: () =>
      Object.fromEntries(
        FREQUENCIES.flatMap((frequency) =>
          [true, false].flatMap((isNorthern) => {
            const input = { frequency, isNorthern, threshold: 25, today };
            return indicesOf(frequency)
              .filter(({ begin }) => isNorthern || begin === undefined)
              .map((index) => [
                `${index.name} ${frequency}${isNorthern ? '' : ' south'}`,
                indexFigures(days, years, [index], input),
              ]);
          }),
        ),
      ),
    months: () =>
      Object.fromEntries(
        ELEMENTS.flatMap((element) =>
          (Object.keys(MONTH_RULES) as MonthRule[]).map((rule) => [
            `${element.name} ${rule}`,
            monthsAndYears(days.dates, years, dailyElements(days, [element]), { rule, today }),
          ]),
        ),
      ),
    normals: () => {
      const statistics = ELEMENTS.filter(({ statistic }) => ['mean', 'sum', 'days'].includes(statistic));
      const terms = { rule: 'wmo_1203', today: Infinity } as const;
      return Object.fromEntries(
        statistics.map((element) => {
          const figures = monthsAndYears(days.dates, years, dailyElements(days, [element]), terms).months;
          return [element.name, normalsOf({ from: 2002, to: 2011 }, [element.statistic], figures)];
        }),
      );
    },
    records: () =>
      Object.fromEntries(
        RECORDS.map((record) => {
          const rows = recordsOf(days, months, [record]).map(({ label, records }) => ({
            label,
            records: records.map(({ ties: _ties, tieCount: _count, ...first }) => first),
          }));
          return [record.name, rows];
        }),
      ),
    reports: () =>
      Object.fromEntries(
        (['imperial', 'metric'] as const).map((units) => {
          const converted = inReportUnits(days, units);
          const lines = new NoaaLines(converted, units);
          const totals = months.map(({ from, to }) => [
            lines.total(converted, from, from, to),
            lines.gaps(from, to),
          ]);
          return [units, [totals, Array.from({ length: 500 }, (_, row) => lines.day(row))]];
        }),
      ),
  };
  for (const [name, figures] of Object.entries(cases))
    it(`has the same numbers in every version with the same rules: ${name}`, () => {
      const found = Object.fromEntries(
        Object.entries(figures()).map(([part, value]) => [part, digest(value)]),
      );
      expect(found).to.deep.equal(PINNED[name]);
    });
});
