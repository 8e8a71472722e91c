import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { recheckRange, type Neighbor } from '#domain/weather/quality/recheck-range.js';
import { NO_RULES, rulesOf } from '#domain/weather/quality/station-rules.js';
import { FLAG, type Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import {
  ALL,
  changed,
  type Columns,
  each,
  flagged,
  HOUR,
  mildDays,
  MINUTE,
  seriesOf,
} from '../made-series.js';

const near = (columns: Columns, options: Partial<Neighbor> = {}): Neighbor => ({
  distance: 20_000,
  higher: 0,
  series: seriesOf(HOUR, columns),
  rules: NO_RULES,
  ...options,
});
const mild = { air_temperature: mildDays(60, HOUR) };
/** A sensor in the sun all the time. The difference is 5 times the smallest deviation that is assumed, and a little more. */
const warm = seriesOf(HOUR, { air_temperature: mildDays(60, HOUR, 17.6) });
const strange = { air_temperature: each(0, 59, 'spatial_consistency') };
const nothing = { air_temperature: [] };
const checked = (series: Series, neighbors: readonly Neighbor[]) =>
  flagged(series, ['air_temperature'], { neighbors });

describe('the buddy check', () => {
  it('finds values that differ from those of three neighbors or more', () => {
    expect(checked(warm, [near(mild), near(mild), near(mild)])).to.deep.equal(strange);
    expect(checked(warm, [near(mild), near(mild)])).to.deep.equal(nothing);
    const less = seriesOf(HOUR, { air_temperature: mildDays(60, HOUR, 17.4) });
    expect(checked(less, [near(mild), near(mild), near(mild)])).to.deep.equal(nothing);
  });

  it('uses neighbors that are near, at a similar known height, at about the same time, with plausible values', () => {
    const late = seriesOf(HOUR, mild);
    const moved = (minutes: number) => ({
      ...late,
      times: late.times.map((time) => time + minutes * MINUTE),
    });
    const hot = seriesOf(HOUR, { air_temperature: mildDays(60, HOUR, 22) });
    const own = rulesOf({ limits: { air_temperature: { min: -5, max: 5 } }, reportingInterval: null });
    for (const [options, found] of [
      [{ distance: 100_000 }, strange],
      [{ distance: 100_001 }, nothing],
      [{ higher: 201 }, nothing],
      [{ higher: -201 }, nothing],
      [{ higher: null }, nothing],
      [{ series: moved(29) }, strange],
      [{ series: moved(60 * 60) }, nothing],
      [{ series: seriesOf(HOUR, { relative_humidity: [50] }) }, nothing],
      [{ series: seriesOf(HOUR, { air_temperature: [] }) }, nothing],
      [{ rules: own }, nothing],
    ] as const)
      expect(
        checked(hot, [near(mild), near(mild), near(mild, options)]),
        JSON.stringify(Object.entries(options)[0]),
      ).to.deep.equal(found);
  });

  it('brings the values of the neighbors to the height of the station', () => {
    // At 200 m more the air is 1.3 °C colder, so the neighbors show 1.3 °C more at the height of the station.
    const high = [1, 2, 3].map(() => near(mild, { higher: 200 }));
    const low = [1, 2, 3].map(() => near(mild, { higher: -200 }));
    expect(checked(warm, high)).to.deep.equal(nothing);
    expect(checked(warm, low)).to.deep.equal(strange);
    const pressures = (mean: number) => ({ surface_air_pressure: mildDays(60, HOUR, mean) });
    const lower = [1, 2, 3].map(() => near(pressures(1000), { higher: 100 }));
    const at = (mean: number) =>
      flagged(seriesOf(HOUR, pressures(mean)), ['surface_air_pressure'], { neighbors: lower });
    expect(at(1012)).to.deep.equal({ surface_air_pressure: [] });
    expect(at(1000)).to.deep.equal({ surface_air_pressure: each(0, 59, 'spatial_consistency') });
  });

  it('allows more where the neighbors differ, and is not misled by one that is wrong', () => {
    const means = [4, 10, 10, 16];
    const spread = means.map((mean) => near({ air_temperature: mildDays(60, HOUR, mean) }));
    expect(checked(warm, spread)).to.deep.equal(nothing);
    const wrong = near({ air_temperature: mildDays(60, HOUR, 45) });
    const station = seriesOf(HOUR, mild);
    expect(checked(station, [near(mild), near(mild), near(mild), near(mild), wrong])).to.deep.equal(nothing);
    expect(checked(warm, [near(mild), near(mild), near(mild), near(mild), wrong])).to.deep.equal(strange);
  });

  it('accepts a change that half of the neighbors had within an hour', () => {
    const front = (row: number) => ({
      air_temperature: [...mildDays(row, HOUR, 18), ...mildDays(60, HOUR, 9).slice(row)],
    });
    const station = seriesOf(HOUR, front(30));
    expect(checked(station, [])).to.deep.equal({ air_temperature: ['30 step'] });
    expect(checked(station, [near(front(31))])).to.deep.equal(nothing);
    expect(checked(station, [near(front(29)), near(mild)])).to.deep.equal(nothing);
    const calm = near({ air_temperature: mildDays(60, HOUR, 18) });
    expect(checked(station, [near(front(30)), calm, calm]).air_temperature).to.include('30 step');
    expect(checked(station, [near(front(33))])).to.deep.equal({ air_temperature: ['30 step'] });
    const warming = { air_temperature: [...mildDays(30, HOUR, 9), ...mildDays(60, HOUR, 18).slice(30)] };
    expect(checked(station, [near(warming)])).to.deep.equal({ air_temperature: ['30 step'] });
  });

  it('treats a value that it has flagged as unknown when it checks others', () => {
    const columns = { ...mild, dew_point_temperature: mild.air_temperature.map((value) => value + 5) };
    const cold = seriesOf(HOUR, { ...columns, air_temperature: mildDays(60, HOUR, 1) });
    expect(flagged(cold, ['dew_point_temperature']).dew_point_temperature).to.have.length(60);
    const neighbors = [near(mild), near(mild), near(mild)];
    expect(flagged(cold, ['dew_point_temperature'], { neighbors })).to.deep.equal({
      dew_point_temperature: [],
    });
  });

  it('accepts a value that looks like a fault but is that of the neighbors', () => {
    const faulty = mildDays(60, HOUR, 25);
    const values = changed(faulty, 30, [mild.air_temperature[30] ?? 0]);
    const station = seriesOf(HOUR, { air_temperature: values });
    expect(checked(station, [])).to.deep.equal({ air_temperature: ['30 spike'] });
    expect(checked(station, [near(mild), near(mild), near(mild)])).to.deep.equal({
      air_temperature: [...each(0, 29, 'spatial_consistency'), ...each(31, 59, 'spatial_consistency')],
    });
  });

  it('finds the broken humidity sensor of Sherkin Island in November 2017, and only its wrong values', () => {
    const text = readFileSync(
      new URL('../../../../../../test/fixtures/sherkin-humidity-2017.csv', import.meta.url),
      'utf8',
    );
    const rows = text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    const times = Float64Array.from(rows, ([time = '']) => Date.parse(time));
    const humidity = (column: number): Series => ({
      times,
      values: new Map([
        [V.humidity, Float64Array.from(rows, (row) => (row[column] ? Number(row[column]) : Number.NaN))],
      ]),
      flags: new Map(),
    });
    const [distances, heights] = [
      [82_000, 90_000, 68_000],
      [134, 19, 3],
    ];
    const neighbors = [2, 3, 4].map((column, index) => ({
      distance: distances[index] ?? 0,
      higher: heights[index] ?? 0,
      series: humidity(column),
      rules: NO_RULES,
    }));
    const sherkin = humidity(1);
    const flags = recheckRange(sherkin, ALL, NO_RULES, neighbors).get(V.humidity) as Uint8Array;
    const broken = Date.parse('2017-11-18T04:00Z');
    const counts = { right: 0, wrong: 0, falseAlarms: 0, found: 0, strange: 0 };
    for (const [row, value] of (sherkin.values.get(V.humidity) as Float64Array).entries()) {
      if (Number.isNaN(value)) continue;
      const isWrong = (times[row] as number) >= broken && value < 60;
      const isFlagged = flags[row] !== 0;
      counts[isWrong ? 'wrong' : 'right'] += 1;
      if (isFlagged) counts[isWrong ? 'found' : 'falseAlarms'] += 1;
      if (((flags[row] as number) & FLAG.neighbors) !== 0) counts.strange += 1;
    }
    expect(counts).to.deep.equal({ right: 104, wrong: 123, falseAlarms: 0, found: 109, strange: 109 });
  });
});
