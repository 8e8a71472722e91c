import { expect } from 'chai';
import fc from 'fast-check';
import type { SummaryStyle } from '#adapters/http/external/observations/summaries/summary-fields.js';
import {
  csvSummaries,
  jsonSummaries,
  summaryColumns,
  summaryUnits,
} from '#adapters/http/external/observations/summaries/summary-text.js';
import { statisticsFields } from '#adapters/http/external/observations/summaries/summary-schema.js';
import type { SummaryRow } from '#application/observations/read/summary-rows.js';
import { CALENDAR_INTERVALS } from '#domain/weather/summaries/bucket.js';
import type { Completeness } from '#domain/weather/summaries/completeness.js';
import type { DayQuantities } from '#domain/weather/summaries/of-days.js';
import type { Statistics } from '#domain/weather/summaries/statistics.js';
import { UNIT_SYSTEMS } from '#domain/weather/units.js';
import { variableNumbered } from '#domain/weather/variables.js';

const HOUR = 3_600_000;
const VARIABLES = [1, 6, 7, 8, 9, 11, 32].map(variableNumbered);
const NUMBER = fc.oneof(
  fc.integer({ min: -90_000, max: 110_000 }).map((value) => value / 100),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.NaN, -0, 0, 1 / 3, 999_999.9994, 1e21, 1e-7, Infinity, 1.797_693_134_862_315_7e308),
);
const TIME = fc.constantFrom(Number.NaN, HOUR, 2 * HOUR);
const KNOWN = fc.constantFrom(true, false, null);
const STATISTICS = fc.record<Statistics>({
  count: fc.nat(200),
  min: NUMBER,
  minTime: TIME,
  max: NUMBER,
  maxTime: TIME,
  mean: NUMBER,
  sum: NUMBER,
  covered: fc.nat(),
  isWeighted: fc.boolean(),
  integral: NUMBER,
  maxDirection: NUMBER,
  wind: fc.record({ vectorSpeed: NUMBER, sector: fc.oneof(fc.nat(15), fc.constant(Number.NaN)) }),
  rain: fc.record({
    hourMax: NUMBER,
    hourMaxTime: TIME,
    dayMax: NUMBER,
    dayMaxTime: TIME,
    isHourly: fc.boolean(),
  }),
});
const COMPLETENESS = fc.record<Completeness>({
  complete: KNOWN,
  valid: KNOWN,
  missing: fc.constantFrom(null, 0, HOUR, 1500),
  days: fc.constantFrom(null, 0, 28),
  rule: fc.constantFrom('time_80', 'every_day', 'wmo_1203'),
});
const OF_DAYS = fc.record<DayQuantities>({
  temperature: fc.record({ midrange: NUMBER, heating: NUMBER, cooling: NUMBER, growing: NUMBER }),
  rainDays: fc.tuple(fc.nat(31), fc.nat(31), fc.nat(31)),
});
const ofAll = <T>(one: fc.Arbitrary<T>) =>
  fc.array(one, { minLength: VARIABLES.length, maxLength: VARIABLES.length });
const ROWS = fc.array(
  fc.record<SummaryRow>({
    start: fc.nat(1000),
    end: fc.nat(1000),
    complete: KNOWN,
    expected: fc.constantFrom(null, 144),
    statistics: ofAll(STATISTICS),
    completeness: ofAll(COMPLETENESS),
    traces: ofAll(fc.constantFrom(undefined, 0, 3)),
    ofDays: ofAll(OF_DAYS),
  }),
  { maxLength: 3 },
);
const format = (time: number) => `at ${time}`;
const styled = (style: Partial<SummaryStyle>): SummaryStyle => ({
  interval: 'month',
  system: 'metric',
  degreeDays: ['heating', 'growing'],
  format,
  ...style,
});
const shownIn = (value: unknown) =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
type Json = Record<string, unknown>;
const jsonOf = (rows: readonly SummaryRow[], style: SummaryStyle) => {
  const text = jsonSummaries({ success: true }, summaryColumns(VARIABLES, style), style);
  return (JSON.parse([text.start, ...text.rows({ rows }), text.end].join('')) as { summaries: Json[] })
    .summaries;
};

describe('the text of summaries', () => {
  it('is what the statistics are, with ten digits', () => {
    const shown = (value: number) => {
      const rounded = Number(value.toPrecision(10)) + 0;
      return Number.isFinite(rounded) ? rounded : null;
    };
    const time = (value: number) => (Number.isNaN(value) ? null : format(value));
    fc.assert(
      fc.property(ROWS, (rows) => {
        const expected = rows.map((one) => ({
          start: format(one.start),
          end: format(one.end),
          complete: one.complete,
          ...Object.fromEntries(
            VARIABLES.map(({ name, number, aggregation }, index) => {
              const all = one.statistics[index] as Statistics;
              const { complete, valid, missing, days, rule } = one.completeness[index] as Completeness;
              const { temperature, rainDays = [] } = one.ofDays[index] as DayQuantities;
              const { wind, rain } = all;
              const orNan = (value = Number.NaN) => value;
              const seconds = missing === null ? null : missing / 1000;
              const common = {
                count: all.count,
                expected: one.expected,
                complete,
                valid,
                missing: seconds,
                days,
                rule,
              };
              const low = { min: shown(all.min), min_time: time(all.minTime) };
              const high = { max: shown(all.max), max_time: time(all.maxTime) };
              const method = all.isWeighted ? 'time_weighted' : 'plain';
              const points = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
              const measures = {
                sum: {
                  sum: shown(all.sum),
                  traces: one.traces[index] ?? 0,
                  ...(number === 9 && {
                    max_1h: shown(orNan(rain?.hourMax)),
                    max_1h_time: time(orNan(rain?.hourMaxTime)),
                    max_1h_valid: valid === true ? rain?.isHourly === true : valid,
                    max_24h: shown(orNan(rain?.dayMax)),
                    max_24h_time: time(orNan(rain?.dayMaxTime)),
                    max_24h_valid: valid === true ? rain?.isHourly === true : valid,
                  }),
                  days_0_1mm: rainDays[0],
                  days_1mm: rainDays[1],
                  days_10mm: rainDays[2],
                  rain_days_valid: valid,
                },
                direction: {
                  mean: shown(all.mean),
                  method,
                  vector_speed: shown(orNan(wind?.vectorSpeed)),
                  prevailing: points[orNan(wind?.sector)] ?? null,
                },
                maximum: { ...high, max_direction: shown(orNan(all.maxDirection)) },
                mean: {
                  ...low,
                  ...high,
                  mean: shown(all.mean),
                  method,
                  ...(number === 1 && {
                    midrange: shown(orNan(temperature?.midrange)),
                    heating_degree_days: shown(orNan(temperature?.heating)),
                    growing_degree_days: shown(orNan(temperature?.growing)),
                  }),
                  ...(number === 11 && { energy: missing === 0 ? shown(orNan(all.integral) / 1e9) : null }),
                },
              }[aggregation];
              return [name, { ...common, ...measures }];
            }),
          ),
        }));
        expect(jsonOf(rows, styled({}))).to.deep.equal(expected);
      }),
    );
  });

  it('is the same in CSV as in JSON, in all units and intervals', () => {
    fc.assert(
      fc.property(
        ROWS,
        fc.constantFrom(...CALENDAR_INTERVALS),
        fc.constantFrom(...UNIT_SYSTEMS),
        (rows, interval, system) => {
          const style = styled({ interval, system });
          const columns = summaryColumns(VARIABLES, style);
          const csv = csvSummaries(columns, style);
          const lines = [csv.start, ...csv.rows({ rows })].map((line) => {
            expect(line.slice(-2)).to.equal('\r\n');
            return line.slice(0, -2).split(',');
          });
          const names = lines[0]?.map((heading) => heading.replace(/ \(.*\)$/, '')) ?? [];
          const fromCsv = lines
            .slice(1)
            .map((cells) => Object.fromEntries(cells.map((cell, at) => [names[at], cell])));
          const fromJson = jsonOf(rows, style).map((row) =>
            Object.fromEntries(
              Object.entries(row).flatMap(([name, value]) =>
                typeof value === 'object' && value !== null
                  ? Object.entries(value as Json).map(([field, one]) => [`${name}.${field}`, shownIn(one)])
                  : [[name, shownIn(value)]],
              ),
            ),
          );
          expect(fromCsv).to.deep.equal(fromJson);
        },
      ),
    );
  });

  it('with chosen fields is the whole text without all other fields', () => {
    const names = Object.keys(statisticsFields.shape);
    fc.assert(
      fc.property(
        ROWS,
        fc.constantFrom(...CALENDAR_INTERVALS),
        fc.subarray(names, { minLength: 1 }),
        (rows, interval, fields) => {
          const chosen = (one: unknown) =>
            Object.fromEntries(Object.entries(one as Json).filter(([name]) => fields.includes(name)));
          const expected = jsonOf(rows, styled({ interval })).map(
            ({ start, end, complete, ...variables }) => {
              const kept = Object.entries(variables).map(([name, one]) => [name, chosen(one)] as const);
              return {
                start,
                end,
                complete,
                ...Object.fromEntries(kept.filter(([, one]) => Object.keys(one).length > 0)),
              };
            },
          );
          const style = styled({ interval, fields });
          expect(jsonOf(rows, style)).to.deep.equal(expected);
          const columns = summaryColumns(VARIABLES, style);
          const headings = csvSummaries(columns, style).start.trim().split(',');
          const cells = [...csvSummaries(columns, style).rows({ rows })].map(
            (line) => line.split(',').length,
          );
          expect(cells).to.deep.equal(rows.map(() => headings.length));
          expect(headings.slice(3).map((one) => one.replace(/ .*/, ''))).to.deep.equal(
            columns.flatMap(({ variable, fields: all }) => all.map(({ name }) => `${variable.name}.${name}`)),
          );
        },
      ),
    );
  });

  it('has the units of what is no value of the variable, and headings with all units that are not the stored ones', () => {
    const style = styled({ system: 'imperial', degreeDays: ['heating'] });
    const columns = summaryColumns(VARIABLES, style);
    expect(summaryUnits(columns, 'imperial')).to.include({
      air_temperature: '°F',
      'air_temperature.heating_degree_days': '°F d',
      'wind_from_direction.vector_speed': 'mph',
      'wind_speed_of_gust.max_direction': 'degree',
      'surface_downwelling_shortwave_flux_in_air.energy': 'MJ/m²',
    });
    expect(csvSummaries(columns, style).start.trim().split(',')).to.include.members([
      'air_temperature.mean (°F)',
      'air_temperature.missing (s)',
      'air_temperature.days',
      'precipitation_amount.sum (in)',
      'precipitation_amount.days_1mm',
      'surface_downwelling_shortwave_flux_in_air.mean',
      'surface_downwelling_shortwave_flux_in_air.energy (MJ/m²)',
    ]);
  });
});
