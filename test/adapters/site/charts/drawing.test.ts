import { expect } from 'chai';
import {
  drawBars,
  drawLines,
  extremesOf,
  markGaps,
  type DrawnPoint,
  rowAt,
  shownRows,
  typicalDistance,
} from '#adapters/site/client/charts/model/drawing.js';
import { type Quantity, quantitiesOf } from '#adapters/site/client/charts/model/quantities.js';
import { pointsFor, type SummaryReply } from '#adapters/site/client/charts/model/read.js';
import { displayUnit } from '#adapters/site/client/format/units.js';
import { MILLISECONDS } from '#domain/time.js';
import { VARIABLES } from '#domain/weather/variables.js';

const celsius = displayUnit('air_temperature', '°C', 'metric');
const quantityOf = (...variables: string[]): Quantity => {
  const [first] = quantitiesOf(variables);
  if (first === undefined) throw new Error('no chart');
  return first;
};
const minutes = (...numbers: number[]) => numbers.map((minute) => minute * 60);
const TEN_MINUTES = { interval: 10 * MILLISECONDS.minute, columnLength: 0 };

describe('the lines of a chart', () => {
  const temperature = quantityOf('air_temperature');
  const values = (
    time: number[],
    column: (number | null)[],
    quality: Parameters<typeof drawLines>[1]['quality'] = [],
  ) => {
    const observations = { time, air_temperature: column };
    return drawLines(temperature, { units: {}, observations, quality }, undefined, celsius, TEN_MINUTES);
  };

  it('are open where more than three intervals are missing', () => {
    const { times, lines } = values(minutes(0, 10, 40, 50, 90, 100), [1, 2, 3, 4, 5, 6]);
    expect(lines[0]?.values).to.deep.equal([1, 2, 3, 4, null, 5, 6]);
    expect(times.map((time) => time / MILLISECONDS.minute)).to.deep.equal([0, 10, 40, 50, 70, 90, 100]);
  });

  it('leave out failed values, and go on over one of them', () => {
    const verdict = 'fail' as const;
    const failed = { variable: 'air_temperature', index: 1, verdict, checks: ['gross_range'] };
    expect(values(minutes(0, 10, 20), [1, 99, 3], [failed]).lines[0]?.values).to.deep.equal([
      1,
      undefined,
      3,
    ]);
  });

  it('keep suspect values with their checks, where rows were added too', () => {
    const verdict = 'suspect' as const;
    const suspect = { variable: 'air_temperature', index: 2, verdict, checks: ['step'] };
    const other = { ...suspect, variable: 'dew_point_temperature', index: 1 };
    const [line] = values(minutes(0, 10, 90), [1, 2, 3], [other, suspect]).lines;
    expect([...(line?.suspects ?? [])]).to.deep.equal([[3, ['step']]]);
  });

  it('are not open for a sensor that reports less often than the station', () => {
    const time = minutes(...Array.from({ length: 61 }, (_, index) => index * 10));
    const hourly = time.map((_, index) => (index % 6 === 0 ? index : null));
    expect(values(time, hourly).lines[0]?.values).not.to.include(null);
    for (const hour of [3, 4, 5]) hourly[hour * 6] = null;
    expect(values(time, hourly).lines[0]?.values.slice(13, 36)).to.deep.equal(Array(23).fill(null));
  });

  it('convert to the unit of the visitor', () => {
    const observations = { time: minutes(0), air_temperature: [10] };
    const unit = displayUnit('air_temperature', '°C', 'imperial');
    const { lines } = drawLines(
      temperature,
      { units: {}, observations, quality: [] },
      undefined,
      unit,
      TEN_MINUTES,
    );
    expect(lines[0]?.values).to.deep.equal([50]);
  });

  it('have null in every row of a gap, because a chart closes the line over other rows', () => {
    const column: DrawnPoint[] = [1, undefined, undefined, 2, undefined, 3];
    markGaps([0, 1, 2, 9, 10, 11], column, 5);
    expect(column).to.deep.equal([1, null, null, 2, undefined, 3]);
  });

  it('know their usual distance', () => {
    expect(typicalDistance([], [])).to.equal(0);
    expect(typicalDistance([0, 10, 20, 90], [1, undefined, 2, 3])).to.equal(20);
    expect(typicalDistance([0, 1e9], [1, 2])).to.equal(3 * MILLISECONDS.hour);
  });
});

describe('the bars of a chart', () => {
  const rain = quantityOf('precipitation_amount');
  const hour = (start: string, end: string, sum: number | null) =>
    ({ start, end, precipitation_amount: { sum } }) as unknown as SummaryReply['summaries'][number];
  const range = {
    from: Date.parse('2013-07-17T22:00:00-04:00'),
    to: Date.parse('2013-07-18T02:00:00-04:00'),
  };
  const summaries = [
    hour('2013-07-17T22:00:00-04:00', '2013-07-17T23:00:00-04:00', 1),
    hour('2013-07-17T23:00:00-04:00', '2013-07-18T00:00:00-04:00', 0.5),
    hour('2013-07-18T00:00:00-04:00', '2013-07-18T01:00:00-04:00', 2),
    hour('2013-07-18T01:00:00-04:00', '2013-07-18T02:00:00-04:00', null),
  ];
  const unit = displayUnit('precipitation_amount', 'mm', 'metric');
  const zone = 'America/New_York';

  it('have the sum since local midnight, and nothing where no amount is known', () => {
    const drawing = drawBars(rain, { interval: 'hour', units: {}, summaries }, unit, { range, zone });
    expect(drawing.lines[0]?.values).to.deep.equal([1, 0.5, 2, null]);
    expect(drawing.daySums).to.deep.equal([1, 1.5, 2, null]);
    expect(drawing.times[1]).to.equal(drawing.starts?.[2]);
  });

  it('have the sum of the whole day where the range begins within it', () => {
    const part = { from: range.from + 3.5 * MILLISECONDS.hour, to: range.to };
    const more = [
      ...summaries.slice(0, 3),
      hour('2013-07-18T01:00:00-04:00', '2013-07-18T02:00:00-04:00', 4),
    ];
    const drawing = drawBars(rain, { interval: 'hour', units: {}, summaries: more }, unit, {
      range: part,
      zone,
    });
    expect(drawing.lines[0]?.values).to.deep.equal([4]);
    expect(drawing.daySums).to.deep.equal([6]);
  });

  it('are found by their interval', () => {
    const drawing = drawBars(rain, { interval: 'hour', units: {}, summaries }, unit, { range, zone });
    expect(rowAt(drawing, range.from)).to.equal(0);
    expect(rowAt(drawing, range.from + 2.9 * MILLISECONDS.hour)).to.equal(2);
    expect(rowAt(drawing, range.to)).to.equal(-1);
    expect(shownRows(drawing)).to.deep.equal([0, 1, 2]);
  });

  it('of days have no sum of the day beside them', () => {
    const drawing = drawBars(rain, { interval: 'day', units: {}, summaries }, unit, { range, zone });
    expect(drawing.daySums).to.equal(undefined);
  });
});

describe('the values of a chart', () => {
  const lines = [
    { variable: 'a', values: [undefined, 3, null, 1, 3], suspects: new Map<number, string[]>() },
  ];
  const drawing = { times: [0, 10, 20, 30, 40], lines, arrows: [] };

  it('have extremes with their first times', () => {
    expect(extremesOf(drawing.times, drawing.lines[0]?.values ?? [])).to.deep.equal({
      min: 1,
      minTime: 30,
      max: 3,
      maxTime: 10,
    });
    expect(extremesOf([0], [null])).to.equal(undefined);
  });

  it('are found by the nearest row with a value', () => {
    expect([-5, 14, 19, 21, 99].map((time) => rowAt(drawing, time))).to.deep.equal([1, 1, 1, 3, 4]);
  });
});

describe('the charts of a station', () => {
  it('are one for each quantity that it measures', () => {
    const ids = quantitiesOf(['wind_from_direction', 'air_temperature', 'wind_speed']).map(({ id }) => id);
    expect(ids).to.deep.equal(['temperature', 'wind']);
    expect(quantityOf('wind_speed').arrows).to.equal(undefined);
    expect(quantityOf('wind_speed', 'wind_from_direction').arrows).to.equal('wind_from_direction');
  });

  it('show every variable once, also one that they do not know', () => {
    const names = [...VARIABLES.map(({ name }) => name), 'new_quantity'];
    const shown = quantitiesOf(names).flatMap(({ lines }) => lines.map(({ variable }) => variable));
    expect(new Set(shown).size).to.equal(shown.length);
    const directions = ['wind_from_direction', 'wind_gust_from_direction'];
    expect(names.filter((name) => !shown.includes(name))).to.deep.equal(directions);
  });

  it('ask for a column a pixel, within what one reply may have', () => {
    expect(pointsFor(1201, 5)).to.equal(1300);
    expect(pointsFor(0, 5)).to.equal(100);
    expect(pointsFor(9000, 20)).to.equal(Math.floor(100_000 / 42));
  });
});
