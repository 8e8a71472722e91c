import { expect } from 'chai';
import fc from 'fast-check';
import type { Forecast } from '#adapters/site/client/forecast/read-forecast.js';
import { AHEAD_OF_SPAN, drawAhead, drawingAt } from '#adapters/site/client/charts/model/ahead.js';
import { type Drawing, readLine } from '#adapters/site/client/charts/model/drawing.js';
import { quantitiesOf } from '#adapters/site/client/charts/model/quantities.js';
import { SPANS } from '#adapters/site/client/charts/model/span.js';
import { displayUnit } from '#adapters/site/client/format/units.js';
import { MILLISECONDS } from '#domain/time.js';

const HOUR = MILLISECONDS.hour;
const first = Date.parse('2026-11-23T14:00:00Z');
const VARIABLES = [
  'air_temperature',
  'dew_point_temperature',
  'wind_speed',
  'wind_speed_of_gust',
  'wind_from_direction',
  'precipitation_amount',
  'soil_temperature',
];
const quantities = quantitiesOf(VARIABLES);
const celsius = displayUnit('air_temperature', '°C', 'metric');

function forecastWith(values: Forecast['values'], more: Partial<Forecast> = {}): Forecast {
  const hours = Math.max(0, ...Object.values(values).map(({ length }) => length));
  return {
    station: 'garden',
    issued: first,
    source: { provider: 'open-meteo', model: '', attribution: { text: '', url: '' } },
    corrected: {},
    days: [],
    times: Array.from({ length: hours }, (_, hour) => (first + hour * HOUR) / 1000),
    values,
    p10: {},
    p90: {},
    ...more,
  };
}

describe('the forecast in charts', () => {
  it('stays behind now and within the chart, for every quantity', () => {
    const value = fc.option(fc.integer({ min: -300, max: 300 }).map((tenths) => tenths / 10));
    const column = fc.array(value, { maxLength: 60 });
    const values = fc.record(Object.fromEntries(VARIABLES.map((name) => [name, column])));
    const minutes = fc.integer({ min: 0, max: 59 });
    fc.assert(
      fc.property(values, minutes, fc.constantFrom(24, 48), (columns, minute, hours) => {
        const from = first + minute * MILLISECONDS.minute;
        const to = from + hours * HOUR;
        for (const quantity of quantities) {
          const drawing = drawAhead(quantity, forecastWith(columns), celsius, { from, to });
          for (const [row, time] of drawing.times.entries()) {
            expect(time).to.be.within(from, to);
            if (row > 0) expect(time).to.be.above(drawing.times[row - 1] ?? 0);
          }
          for (const interval of drawing.intervals ?? []) expect(interval.from).to.be.at.least(from);
          for (const line of drawing.lines) expect(line.values).to.have.length(drawing.times.length);
          for (const { time } of drawing.arrows) expect(time).to.be.within(from, to);
        }
      }),
    );
  });

  it('begins now, between the hours around, and gusts and amounts with their first whole hour', () => {
    const from = first + HOUR / 4;
    const range = { from, to: first + 3 * HOUR };
    const forecast = forecastWith({
      air_temperature: [4, 8, 6, 5, 3],
      wind_speed: [1, 2, 3, 4, 5],
      wind_speed_of_gust: [9, 8, 7, 6, 5],
      wind_from_direction: [0, 90, null, 180, 270],
      precipitation_amount: [9, 1, 0, 0.5, 7],
    });
    const drawn = (id: string) => {
      const quantity = quantities.find((one) => one.id === id);
      if (quantity === undefined) throw new Error(id);
      return drawAhead(quantity, forecast, celsius, range);
    };
    expect(drawn('temperature').lines[0]?.values).to.deep.equal([5, 8, 6, 5]);
    expect(drawn('wind').lines.map(({ values }) => values)).to.deep.equal([
      [1.25, 2, 3, 4],
      [undefined, 8, 7, 6],
    ]);
    expect(drawn('wind').arrows.map((arrow) => arrow.from)).to.deep.equal([90, 180]);
    const rain = drawn('precipitation_amount');
    expect(rain.lines[0]?.values).to.deep.equal([0, 0.5]);
    expect(rain.intervals).to.deep.equal([
      { from: first + HOUR, to: first + 2 * HOUR },
      { from: first + 2 * HOUR, to: first + 3 * HOUR },
    ]);
    expect(drawn('soil_temperature').lines[0]?.values).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is what a cursor reads behind now, and nothing measured is', () => {
    const [quantity] = quantities;
    if (quantity === undefined) throw new Error('there is no quantity');
    const drawing: Drawing = {
      step: 'value',
      times: [first - HOUR, first],
      lines: quantity.lines.map(({ variable, shape }) => ({
        variable,
        shape,
        values: [1, 2],
        doubtful: [],
        gaps: [],
      })),
      arrows: [],
    };
    const ahead = {
      from: first,
      drawing: drawAhead(quantity, forecastWith({ air_temperature: [7, 8, 9] }), celsius, {
        from: first,
        to: first + 2 * HOUR,
      }),
    };
    const valueAt = (time: number, number: number) => {
      const part = drawingAt({ drawing, ahead }, time);
      const line = part.lines[number];
      const reading = line && readLine(part, line, time);
      return reading?.kind === 'value' ? reading.value : undefined;
    };
    expect(valueAt(first, 0)).to.equal(2);
    expect(valueAt(first + HOUR, 0)).to.equal(8);
    // There is no forecast of the dew point, so the last measured one is not shown as one.
    expect(valueAt(first + HOUR, 1)).to.equal(undefined);
  });

  it('is in the two short spans', () => {
    expect(SPANS.filter((span) => span in AHEAD_OF_SPAN)).to.deep.equal(['24h', '7d']);
  });
});
