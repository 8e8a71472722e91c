import { expect } from 'chai';
import fc from 'fast-check';
import { uncorrected } from '#domain/forecast/forecast.js';
import { forecastIn, forecastText, roundedForecast } from '#domain/forecast/forecast-text.js';
import { FORECAST_VARIABLES } from '#domain/forecast/forecast-variables.js';
import { LEADS } from '#domain/forecast/leads.js';
import { packedNumbers, unpackedNumbers } from '#domain/forecast/packed-numbers.js';
import { MILLISECONDS } from '#domain/time.js';

const values = (decimals: number) =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: -3000, max: 3000 }) },
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.constant(Number.NaN),
        fc.constant(0),
      ),
    )
    .map((whole) => Float64Array.from(whole, (one) => one / 10 ** decimals));

describe('packed numbers', () => {
  it('are unpacked unchanged', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 }).chain((decimals) => fc.tuple(fc.constant(decimals), values(decimals))),
        ([decimals, column]) => {
          const text = packedNumbers(column, decimals);
          expect([...unpackedNumbers(text, decimals, column.length)]).to.deep.equal([...column]);
          expect(JSON.stringify(text)).to.have.lengthOf(text.length + 2);
        },
      ),
    );
  });

  it('are refused if they are damaged', () => {
    for (const [text, length] of [
      ['', 1],
      ['CC', 1],
      ['C', 2],
      ['~', 3],
      ['~F', 3],
      ['g', 1],
      ['?', 1],
    ] as const)
      expect(() => unpackedNumbers(text, 1, length), JSON.stringify(text)).to.throw(/damaged/);
  });
});

describe('the text of a forecast', () => {
  it('is read unchanged', () => {
    const column = (length: number, scale: number) =>
      fc
        .array(fc.oneof(fc.double({ min: -50, max: 50, noNaN: true }), fc.constant(Number.NaN)), {
          minLength: length,
          maxLength: length,
        })
        .map((numbers) => Float64Array.from(numbers, (one) => one * scale));
    const forecasts = fc.integer({ min: 1, max: 40 }).chain((length) => {
      const columns = fc
        .uniqueArray(fc.constantFrom(...FORECAST_VARIABLES.map(({ number }) => number)), { minLength: 1 })
        .chain((numbers) =>
          fc.tuple(...numbers.map((number) => column(length, 1).map((own) => [number, own] as const))),
        )
        .map((entries) => new Map(entries));
      return fc.record({
        issued: fc.integer({ min: 0, max: 4e12 }),
        isImported: fc.boolean(),
        times: fc
          .tuple(
            fc.integer({ min: 0, max: 500_000 }),
            fc.array(fc.integer({ min: 1, max: 6 }), { minLength: length, maxLength: length }),
          )
          .map(([first, steps]) => {
            let hour = first;
            return Float64Array.from(steps, (step) => (hour += step) * MILLISECONDS.hour);
          }),
        values: columns,
        corrected: columns,
        low: columns,
        high: columns,
        published: fc
          .array(fc.boolean(), { minLength: LEADS.length, maxLength: LEADS.length })
          .map((leads) => new Map([[1, leads]])),
      });
    });
    fc.assert(
      fc.property(forecasts, (made) => {
        // A forecast is only corrected where it has values, and has bounds only where it is corrected.
        const within = (
          columns: ReadonlyMap<number, Float64Array>,
          others: ReadonlyMap<number, Float64Array>,
        ) =>
          new Map(
            [...columns].flatMap(([number, own]) => {
              const other = others.get(number);
              return other === undefined
                ? []
                : [[number, own.map((one, at) => (Number.isNaN(other[at]) ? Number.NaN : one))] as const];
            }),
          );
        const corrected = new Map(
          [...within(made.corrected, made.values)].map(([number, own]) => [
            number,
            own.map((one, at) => (Number.isNaN(one) ? (made.values.get(number)?.[at] ?? one) : one)),
          ]),
        );
        const forecast = roundedForecast({
          ...made,
          corrected,
          low: within(made.low, corrected),
          high: within(made.high, corrected),
        });
        expect(plain(forecastIn(forecastText(forecast)))).to.deep.equal(plain(forecast));
      }),
      { numRuns: 60 },
    );
  });

  it('is short', () => {
    const times = Float64Array.from({ length: 240 }, (_, hour) => hour * MILLISECONDS.hour);
    const temperatures = times.map(
      (_, hour) => 10 + 5 * Math.sin((2 * Math.PI * hour) / 24) + (hour % 3) / 10,
    );
    const forecast = { issued: 0, times, values: new Map([[1, temperatures]]) };
    expect(forecastText(roundedForecast(uncorrected(forecast))).length).to.be.below(2 * 240);
  });
});

/** A forecast whose columns can be compared. -0 is written as 0. */
function plain(forecast: ReturnType<typeof forecastIn>) {
  const columns = (all: ReadonlyMap<number, Float64Array>) =>
    [...all]
      .toSorted(([a], [b]) => a - b)
      .map(([number, column]) => [number, Array.from(column, (one) => one + 0)]);
  return {
    ...forecast,
    times: [...forecast.times],
    values: columns(forecast.values),
    corrected: columns(forecast.corrected),
    low: columns(forecast.low),
    high: columns(forecast.high),
    published: [...forecast.published],
  };
}
