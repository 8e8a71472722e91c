import { expect } from 'chai';
import fc from 'fast-check';
import {
  drawBars,
  drawLines,
  drawSteps,
  type DrawnLine,
  extremesOf,
  gapsOf,
  hasNoAmount,
  readLine,
  rowAt,
  shownRows,
  typicalDistance,
} from '#adapters/site/client/charts/model/drawing.js';
import { type Quantity, quantitiesOf } from '#adapters/site/client/charts/model/quantities.js';
import { pointsFor, type SummaryReply, withNewest } from '#adapters/site/client/charts/model/read.js';
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
const at = (minute: number) => minute * MILLISECONDS.minute;
const EVERYTHING = { from: 0, to: at(100) };
const TEN_MINUTES = { interval: at(10), columnLength: 0, expected: EVERYTHING };

describe('the lines of a chart', () => {
  const temperature = quantityOf('air_temperature');
  type Quality = Parameters<typeof drawLines>[1]['quality'];
  const values = (
    time: number[],
    column: (number | null)[],
    quality: Quality = [],
    expected = EVERYTHING,
  ) => {
    const observations = { time, air_temperature: column };
    const reply = { units: {}, observations, quality };
    return drawLines(temperature, reply, undefined, celsius, { ...TEN_MINUTES, expected });
  };
  const entry = (index: number, verdict: 'suspect' | 'fail', ...checks: string[]): Quality[number] => ({
    variable: 'air_temperature',
    index,
    verdict,
    checks,
  });

  it('are open where more than three intervals are missing, also at both ends', () => {
    const { lines } = values(minutes(0, 10, 40, 50, 90, 100), [1, 2, 3, 4, 5, 6]);
    expect(lines[0]?.gaps).to.deep.equal([{ from: at(50), to: at(90) }]);
    const [ends] = values(minutes(40, 50), [1, 2]).lines;
    expect(ends?.gaps).to.deep.equal([
      { from: 0, to: at(40) },
      { from: at(50), to: at(100) },
    ]);
    // A station has no gap before its first value, and none in the future.
    const [young] = values(minutes(40, 50), [1, 2], [], { from: at(40), to: at(60) }).lines;
    expect(young?.gaps).to.deep.equal([]);
  });

  it('are not open at a null of a single row', () => {
    const [line] = values(minutes(0, 10, 20, 30, 100), [1, null, 3, 4, 5], [], { from: 0, to: at(30) }).lines;
    expect(line?.gaps.filter(({ to }) => to <= at(30))).to.deep.equal([]);
  });

  it('leave out doubtful and failed values, and keep the doubtful ones with their checks', () => {
    const { lines, times } = values(
      minutes(0, 10, 20, 30),
      [1, 31, 99, 2],
      [entry(1, 'suspect', 'spike'), entry(2, 'fail', 'gross_range')],
    );
    const [line] = lines as [DrawnLine];
    expect(line.values).to.deep.equal([1, undefined, undefined, 2]);
    expect(line.doubtful).to.deep.equal([{ time: at(10), value: 31, checks: ['spike'] }]);
    expect(shownRows({ step: 'value', times, lines, arrows: [] })).to.deep.equal([0, 1, 3]);
  });

  it('show the value, the doubtful value or the gap that is at a time', () => {
    const drawing = values(minutes(0, 10, 20, 90, 100), [1, 31, 3, 4, 5], [entry(1, 'suspect', 'spike')]);
    const [line] = drawing.lines as [DrawnLine];
    const read = (minute: number) => readLine(drawing, line, at(minute));
    expect(read(1)).to.deep.equal({ kind: 'value', row: 0, value: 1 });
    expect(read(9)).to.deep.equal({ kind: 'doubtful', time: at(10), value: 31, checks: ['spike'] });
    expect(read(18)).to.deep.equal({ kind: 'value', row: 2, value: 3 });
    for (const minute of [21, 50, 89])
      expect(read(minute)).to.deep.equal({ kind: 'gap', from: at(20), to: at(90) });
    expect(read(96)).to.deep.equal({ kind: 'value', row: 4, value: 5 });
  });

  it('never read a value inside of a gap, and have a value or a gap everywhere', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 100 }), { minLength: 1 }),
        fc.integer({ min: 0, max: 100 }),
        (numbers, minute) => {
          const drawing = values(
            minutes(...numbers.toSorted((a, b) => a - b)),
            numbers.map(() => 1),
          );
          const [line] = drawing.lines as [DrawnLine];
          const reading = readLine(drawing, line, at(minute));
          const isInside = line.gaps.some(({ from, to }) => at(minute) > from && at(minute) < to);
          expect(reading?.kind).to.equal(isInside ? 'gap' : 'value');
        },
      ),
    );
  });

  it('connect values that are usually far apart, up to a limit', () => {
    const hours = [0, 1, 2, 3, 4].map((hour) => hour * MILLISECONDS.hour);
    expect(typicalDistance(hours, [1, 2, 3, 4, 5])).to.equal(MILLISECONDS.hour);
    expect(typicalDistance([0, MILLISECONDS.day], [1, 2])).to.equal(3 * MILLISECONDS.hour);
    expect(gapsOf([0, 5, 30], [1, 2, 3], 10, { from: 0, to: 30 })).to.deep.equal([{ from: 5, to: 30 }]);
  });

  it('get the newest values of an event at their end, and no value twice', () => {
    const reply = {
      units: {},
      observations: { time: [60, 120], air_temperature: [1, 2], wind_speed: [3, 4] },
      quality: [],
    };
    const newest = (variable: string, seconds: number, value: number, verdict = 'pass') => ({
      [variable]: { value, verdict, time: new Date(1000 * seconds).toISOString() } as never,
    });
    const drawn = withNewest(reply, {
      ...newest('air_temperature', 180, 5, 'suspect'),
      ...newest('wind_speed', 120, 6),
      ...newest('soil_temperature', 180, 7),
    });
    expect(drawn.observations).to.deep.equal({
      time: [60, 120, 180],
      air_temperature: [1, 2, 5],
      wind_speed: [3, 4, null],
    });
    expect(drawn.quality).to.deep.equal([
      { variable: 'air_temperature', index: 2, verdict: 'suspect', checks: [] },
    ]);
    expect(withNewest(drawn, newest('air_temperature', 180, 5))).to.equal(drawn);
    expect(withNewest(drawn, newest('air_temperature', 240, 99, 'fail'))).to.equal(drawn);
  });
});

type Summary = SummaryReply['summaries'][number];
const day = (date: string, fields: object): Summary =>
  ({
    start: `${date}T00:00:00Z`,
    end: new Date(Date.parse(date) + MILLISECONDS.day).toISOString(),
    ...fields,
  }) as Summary;
const reply = (...summaries: Summary[]): SummaryReply => ({ interval: 'day', units: {}, summaries });
const year = { from: Date.parse('2026-01-01'), to: Date.parse('2027-01-01') };

describe('the steps of a chart', () => {
  const fields = (min: number, mean: number, max: number) => ({
    air_temperature: { min, mean, max, min_time: '2026-05-01T04:00:00Z', max_time: '2026-05-01T15:00:00Z' },
  });
  const drawing = drawSteps(
    quantityOf('air_temperature'),
    reply(
      day('2026-05-01', fields(4, 8, 12)),
      day('2026-05-02', { air_temperature: { min: null, mean: null, max: null } }),
      day('2026-05-03', {}),
      day('2026-05-04', fields(2, 9, 10)),
    ),
    celsius,
    { step: 'day', expected: year, reportingInterval: 600 },
  );
  const [line] = drawing.lines as [DrawnLine];

  it('have a mean with minimum and maximum, and a gap where none is known', () => {
    expect(line.values).to.deep.equal([8, undefined, undefined, 9]);
    expect([line.lows, line.highs]).to.deep.equal([
      [4, undefined, undefined, 2],
      [12, undefined, undefined, 10],
    ]);
    expect(line.gaps).to.deep.equal([{ from: Date.parse('2026-05-02'), to: Date.parse('2026-05-04') }]);
    expect(readLine(drawing, line, Date.parse('2026-05-01T23:00:00Z'))).to.deep.include({ row: 0, value: 8 });
    expect(readLine(drawing, line, Date.parse('2026-05-02T01:00:00Z'))).to.deep.include({ kind: 'gap' });
  });

  it('have extremes at their exact times', () => {
    expect(extremesOf(drawing, line, year)).to.deep.equal([
      { kind: 'low', value: 2, time: Date.parse('2026-05-01T04:00:00Z'), row: 3 },
      { kind: 'high', value: 12, time: Date.parse('2026-05-01T15:00:00Z'), row: 0 },
    ]);
  });

  it('of a variable without a mean show the maximum', () => {
    const gusts = drawSteps(
      quantityOf('wind_speed', 'wind_speed_of_gust'),
      reply(day('2026-05-01', { wind_speed: { mean: 3 }, wind_speed_of_gust: { max: 11 } })),
      displayUnit('wind_speed', 'm/s', 'metric'),
      { step: 'day', expected: year, reportingInterval: 600 },
    );
    expect(gusts.lines.map(({ shape, values }) => [shape, values])).to.deep.equal([
      ['line', [3]],
      ['dots', [11]],
    ]);
    expect(gusts.lines[1]?.highs).to.equal(undefined);
  });
});

describe('the bars of a chart', () => {
  const rain = quantityOf('precipitation_amount');
  const hour = (start: string, end: string, sum: number | null) =>
    ({ start, end, precipitation_amount: { sum } }) as unknown as Summary;
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
  const draw = (rows: Summary[], shown = range, step: 'hour' | 'day' = 'hour') =>
    drawBars(rain, reply(...rows), unit, {
      step,
      range: shown,
      zone,
      expected: shown,
      reportingInterval: 600,
    });

  it('have the sum since local midnight, and a gap where no amount is known', () => {
    const drawing = draw(summaries);
    expect(drawing.lines[0]?.values).to.deep.equal([1, 0.5, 2, undefined]);
    expect(drawing.daySums).to.deep.equal([1, 1.5, 2, undefined]);
    expect(drawing.lines[0]?.gaps).to.deep.equal([{ from: range.to - MILLISECONDS.hour, to: range.to }]);
    expect(draw(summaries, range, 'day').daySums).to.equal(undefined);
  });

  it('have no gap while the value of the running interval can still come', () => {
    const gapsAt = (end: number, reportingInterval: number | null) => {
      const now = range.to + end * MILLISECONDS.minute;
      const rows = [
        ...summaries.slice(0, 3),
        hour('2013-07-18T01:00:00-04:00', '2013-07-18T02:00:00-04:00', end < 0 ? null : 1),
        hour('2013-07-18T02:00:00-04:00', '2013-07-18T03:00:00-04:00', null),
        hour('2013-07-18T03:00:00-04:00', '2013-07-18T04:00:00-04:00', null),
        hour('2013-07-18T04:00:00-04:00', '2013-07-18T05:00:00-04:00', null),
        hour('2013-07-18T05:00:00-04:00', '2013-07-18T06:00:00-04:00', null),
      ].filter(({ start }) => Date.parse(start) < now);
      const shown = { from: range.from, to: now };
      const options = { step: 'hour', range: shown, zone, expected: shown, reportingInterval } as const;
      return drawBars(rain, reply(...rows), unit, options).lines[0]?.gaps;
    };
    for (const end of [-1, 1, 59, 61, 179]) expect(gapsAt(end, 3600), `${end}`).to.deep.equal([]);
    expect(gapsAt(185, 3600)).to.deep.equal([{ from: range.to, to: range.to + 185 * MILLISECONDS.minute }]);
    expect(gapsAt(20, 600)).to.deep.equal([]);
    expect(gapsAt(31, 600)).to.have.length(1);
    expect(gapsAt(31, null)).to.have.length(1);
  });

  it('have the sum of the whole day where the range begins within it', () => {
    const part = { from: range.from + 3.5 * MILLISECONDS.hour, to: range.to };
    const more = [
      ...summaries.slice(0, 3),
      hour('2013-07-18T01:00:00-04:00', '2013-07-18T02:00:00-04:00', 4),
    ];
    const drawing = draw(more, part);
    expect(drawing.lines[0]?.values).to.deep.equal([4]);
    expect(drawing.daySums).to.deep.equal([6]);
  });

  it('are drawn for the hour that has just begun, also if the range ends before its first value', () => {
    const rows = [
      hour('2013-07-18T01:00:00-04:00', '2013-07-18T02:00:00-04:00', 0),
      hour('2013-07-18T02:00:00-04:00', '2013-07-18T03:00:00-04:00', 2.5),
    ];
    for (const seconds of [0, 1, 59]) {
      const drawing = draw(rows, { ...range, to: range.to + seconds * MILLISECONDS.second });
      expect(drawing.lines[0]?.values).to.deep.equal([0, 2.5]);
      expect(hasNoAmount(drawing)).to.equal(false);
    }
  });

  it('are found by their interval, and have one extreme', () => {
    const drawing = draw(summaries);
    expect(rowAt(drawing, range.from)).to.equal(0);
    expect(rowAt(drawing, range.from + 2.9 * MILLISECONDS.hour)).to.equal(2);
    expect(rowAt(drawing, range.to)).to.equal(-1);
    expect(shownRows(drawing)).to.deep.equal([0, 1, 2]);
    expect(extremesOf(drawing, drawing.lines[0] as DrawnLine, range)).to.deep.include({
      kind: 'high',
      value: 2,
      time: range.from + 2.5 * MILLISECONDS.hour,
      row: 2,
    });
  });

  it('are none if nothing has fallen', () => {
    const dry = draw([hour('2013-07-17T22:00:00-04:00', '2013-07-17T23:00:00-04:00', 0)]);
    expect(hasNoAmount(dry)).to.equal(true);
    expect(extremesOf(dry, dry.lines[0] as DrawnLine, range)).to.deep.equal([]);
    expect(hasNoAmount(draw(summaries))).to.equal(false);
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
