import { expect } from 'chai';
import fc from 'fast-check';
import { mergeSeries } from '#domain/weather/merge-series.js';
import { recheckRange, CHECK_REACH, type Neighbor } from '#domain/weather/quality/recheck-range.js';
import { rulesOf, type StationRules } from '#domain/weather/quality/station-rules.js';
import { EMPTY_SERIES, lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { changed, HOUR, mildDays, MINUTE, seriesOf as columnsOf, START } from './made-series.js';

const RULES = [null, 600, 3600].flatMap((reportingInterval) =>
  [{}, { persistence: { air_temperature: 4 * 3600, air_pressure_at_mean_sea_level: 48 * 3600 } }].map((own) =>
    rulesOf({ limits: {}, reportingInterval, latitude: 50, longitude: 20, ...own }),
  ),
);

/** A row follows the one before it after this time. */
const interval = fc.oneof(
  { weight: 4, arbitrary: fc.constant(HOUR) },
  { weight: 1, arbitrary: fc.constantFrom(MINUTE, 10 * MINUTE, 3 * HOUR, 7 * HOUR, 13 * HOUR, 50 * HOUR) },
);
/** Levels with noise, in stretches, with faults of all kinds and gaps. */
const stretch = fc.record({
  rows: fc.integer({ min: 1, max: 60 }),
  interval,
  level: fc.constantFrom(10, 10, 10, 11, 14, 18, 30, -20, 99),
  noise: fc.constantFrom(0, 0.1, 0.5, 5, 25),
  humidity: fc.constantFrom(40, 60, 98, 100, Number.NaN),
  /** In which the temperature is reported. */
  step: fc.constantFrom(0.1, 0.1, 1 / 1.8, 1),
});
type Stretch = typeof stretch extends fc.Arbitrary<infer T> ? T : never;

function seriesOf(stretches: readonly Stretch[]): Series {
  const rows = stretches.flatMap((one) => Array.from({ length: one.rows }, () => one));
  let time = START;
  const times = Float64Array.from(rows, (row) => (time += row.interval));
  const noiseOf = ({ noise }: Stretch, index: number) =>
    Math.round(noise * Math.sin(index * index) * 10) / 10;
  const temperatures = Float64Array.from(rows, (row, index) => {
    return Math.round((row.level + noiseOf(row, index)) / row.step) * row.step;
  });
  const winds = Float64Array.from(rows, ({ noise }, index) => (index % 5) + noise);
  const directions = Float64Array.from(rows, ({ level }, index) => (360 + 10 * level + (index % 3)) % 360);
  const pressures = Float64Array.from(rows, (row, index) => 990 + row.level / 2 + noiseOf(row, index));
  const humidities = Float64Array.from(rows, (row) => row.humidity);
  const radiations = Float64Array.from(rows, ({ level, noise }) => Math.max(0, 20 * (level + noise) - 220));
  const amounts = Float64Array.from(rows, ({ level }, index) => (index % 2 === 0 ? 10 * level : Number.NaN));
  return {
    times,
    values: new Map([
      [V.temperature, temperatures],
      [V.humidity, humidities],
      [V.seaLevelPressure, pressures],
      [V.precipitation, amounts],
      [V.radiation, radiations],
      [V.windSpeed, winds],
      [V.windDirection, directions],
    ]),
    flags: new Map(),
  };
}

const made = fc.array(stretch, { minLength: 1, maxLength: 12 }).map(seriesOf);
const neighbor = made.map((series): Neighbor => ({
  distance: 10_000,
  higher: 50,
  series,
  rules: RULES[0] as StationRules,
}));
const given = fc.record({
  series: made,
  neighbors: fc.array(neighbor, { maxLength: 4 }),
  rules: fc.constantFrom(...RULES),
  /** Shares of the whole time. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  arrival: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 20 }),
  shuffle: fc.array(fc.nat(), { minLength: 6, maxLength: 6 }),
});

const within = (series: Series, from: number, to: number) =>
  sliceSeries(series, lowerBound(series.times, from), lowerBound(series.times, to));

/** The flags of the rows of a range, as texts that can be compared. */
function flagsOf(series: Series, flags: ReadonlyMap<number, Uint8Array>, from: number, to: number): string[] {
  return [...flags].flatMap(([variable, bytes]) =>
    [...bytes.entries()].flatMap(([row, flag]) => {
      const time = series.times[row] as number;
      return flag === 0 || time < from || time >= to
        ? []
        : [`${(time - START) / MINUTE} ${variable}: ${flag}`];
    }),
  );
}

describe('recheckRange, in any order', () => {
  it('gives the rows of a range the flags that they have in the whole, from the rows within its reach alone', () => {
    let found = 0;
    fc.assert(
      fc.property(given, ({ series, neighbors, rules, cuts }) => {
        const [first = 0, last] = [series.times[0], (series.times.at(-1) as number) + 1];
        const whole = flagsOf(
          series,
          recheckRange(series, { from: first, to: last }, rules, neighbors),
          first,
          last,
        );
        found += whole.length;
        const bounds = [first, ...cuts.map((share) => Math.round(first + share * (last - first))), last].sort(
          (a, b) => a - b,
        );
        const pieces = bounds.slice(1).flatMap((to, index) => {
          const from = bounds[index] as number;
          const near = (one: Series) => within(one, from - CHECK_REACH, to + CHECK_REACH);
          const part = near(series);
          const besides = neighbors.map((one) => ({ ...one, series: near(one.series) }));
          return flagsOf(part, recheckRange(part, { from, to }, rules, besides), from, to);
        });
        expect(pieces.sort()).to.deep.equal(whole.sort());
      }),
      { numRuns: 150 },
    );
    expect(found).to.be.greaterThan(1000);
  });

  it('sees both ends of a fault of 47 hours from each of its rows', () => {
    const values = changed(mildDays(200, HOUR), 80, mildDays(47, HOUR, -20));
    const series = columnsOf(HOUR, { air_temperature: values });
    for (let row = 79; row <= 127; row += 1) {
      const [from, to] = [series.times[row] as number, (series.times[row] as number) + 1];
      const part = within(series, from - CHECK_REACH, to + CHECK_REACH);
      const found = flagsOf(part, recheckRange(part, { from, to }, RULES[4] as StationRules, []), from, to);
      expect(found, String(row)).to.have.length(row < 80 || row > 126 ? 0 : 1);
    }
  });

  it('gives the same flags in whatever order and batches the rows have arrived', () => {
    fc.assert(
      fc.property(given, ({ series, rules, arrival, shuffle }) => {
        const batchOf = Array.from(series.times, (_, row) => arrival[row % arrival.length] as number);
        const order = [0, 1, 2, 3, 4, 5].sort((a, b) => (shuffle[a] as number) - (shuffle[b] as number));
        const arrived = order.reduce((stored, batch) => {
          const rows = [...batchOf.keys()].filter((row) => batchOf[row] === batch);
          const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] as number);
          const values = new Map([...series.values].map(([variable, column]) => [variable, pick(column)]));
          return mergeSeries(stored, { times: pick(series.times), values, flags: new Map() }).series;
        }, EMPTY_SERIES);
        const [from, to] = [-Infinity, Infinity];
        const recheck = (one: Series) => flagsOf(one, recheckRange(one, { from, to }, rules, []), from, to);
        expect(recheck(arrived).sort()).to.deep.equal(recheck(series).sort());
      }),
      { numRuns: 100 },
    );
  });

  it('neither changes values nor flags absent ones', () => {
    fc.assert(
      fc.property(given, ({ series, neighbors, rules }) => {
        const before = [...series.values].map(([, column]) => [...column]);
        const flags = recheckRange(series, { from: -Infinity, to: Infinity }, rules, neighbors);
        expect([...series.values].map(([, column]) => [...column])).to.deep.equal(before);
        expect(series.flags.size).to.equal(0);
        for (const [variable, bytes] of flags)
          for (const [row, flag] of bytes.entries())
            if (Number.isNaN(series.values.get(variable)?.[row])) expect(flag).to.equal(0);
      }),
    );
  });
});
