import { expect } from 'chai';
import fc from 'fast-check';
import { type AlarmInput, type AlarmState, nextState, QUIET } from '#domain/alarms/alarm-state.js';
import { acceptCondition, type ForecastCondition } from '#domain/alarms/condition.js';
import { describeCondition } from '#domain/alarms/describe-condition.js';
import { type ForecastHour, forecastHours } from '#domain/alarms/forecast-event.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { type IssuedForecast, uncorrected } from '#domain/forecast/forecast.js';
import { NINETY_PERCENT } from '#domain/forecast/scores.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';

const { hour } = MILLISECONDS;
const START = Date.UTC(2026, 10, 23, 18);
const FROST: ForecastCondition = {
  kind: 'forecast',
  comparison: 'below',
  variable: V.temperature,
  threshold: 0,
  within: 12 * hour,
  probability: 0.5,
};

interface Bounded {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** A forecast of a variable whose hours follow `issued`. */
function forecastOf(number: number, hours: readonly Bounded[], issued = START): IssuedForecast {
  const times = Float64Array.from(hours, (_, index) => issued + (index + 1) * hour);
  const column = (read: (of: Bounded) => number | undefined) =>
    new Map([[number, Float64Array.from(hours, (of) => read(of) ?? Number.NaN)]]);
  return {
    ...uncorrected({ issued, times, values: column(({ value }) => value) }),
    low: column(({ low }) => low),
    high: column(({ high }) => high),
  };
}

/** Temperatures with a standard deviation of 1 °C on both sides. */
const temperatures = (values: readonly number[], issued = START) =>
  forecastOf(
    F.temperature,
    values.map((value) => ({ value, low: value - NINETY_PERCENT, high: value + NINETY_PERCENT })),
    issued,
  );
const rainOf = (amounts: readonly number[], chances: readonly number[]): IssuedForecast => {
  const forecast = forecastOf(
    F.rain,
    amounts.map((value) => ({ value })),
  );
  return { ...forecast, values: new Map([...forecast.values, [F.rainChance, Float64Array.from(chances)]]) };
};

function inputOf(now: number, forecast: readonly ForecastHour[] | undefined): AlarmInput {
  const interval = { milliseconds: hour, source: 'default' } as const;
  return { now, lastSeen: null, values: new Map(), interval, watchedSince: 0, silentFrom: 0, forecast };
}

const step = (state: AlarmState, now: number, forecast: IssuedForecast | undefined, condition = FROST) =>
  nextState(condition, state, inputOf(now, forecast && forecastHours(condition, forecast)));

describe('an alarm on a forecast', () => {
  it('takes the chance from the bounds, from the usual errors without bounds, and from the chance of rain', () => {
    const chanceOf = (condition: ForecastCondition, forecast: IssuedForecast) =>
      forecastHours(condition, forecast).map(({ chance }) => Number(chance.toFixed(3)));
    const gust: ForecastCondition = { ...FROST, comparison: 'above', variable: V.gust, threshold: 20 };
    const rain: ForecastCondition = { ...gust, variable: V.precipitation, threshold: 5 };
    for (const [condition, forecast, chances] of [
      [FROST, temperatures([0, -1, 1, 3]), [0.5, 0.841, 0.159, 0.001]],
      // 10 % of the outcomes are beyond each bound, also where the bounds are not in the middle.
      [
        FROST,
        forecastOf(F.temperature, [
          { value: 2, low: 0, high: 3 },
          { value: -2, low: -3, high: 0 },
          { value: -1, low: -1, high: -1 },
        ]),
        [0.1, 0.9, 1],
      ],
      [FROST, forecastOf(F.temperature, [{ value: -2 }, { value: 0 }, { value: 2 }]), [0.841, 0.5, 0.159]],
      [gust, forecastOf(F.gust, [{ value: 15, low: 11, high: 20 }, { value: 20 }]), [0.1, 0.5]],
      [rain, rainOf([6, 6, 2], [80, Number.NaN, 100]), [0.8, 1]],
    ] as const)
      expect(chanceOf(condition, forecast), JSON.stringify(condition)).to.deep.equal(chances);
    expect(forecastHours(gust, temperatures([1]))).to.deep.equal([]);
    expect(forecastHours(FROST, temperatures([Number.NaN, 1]))).to.have.length(1);
  });

  it('takes an amount of rain and its chance, both with a margin before it is withdrawn', () => {
    const rain: ForecastCondition = {
      ...FROST,
      comparison: 'above',
      variable: V.precipitation,
      threshold: 5,
    };
    const seen = forecastHours(rain, rainOf([6, 5, 2.5, 6, 6, 9], [80, 80, 80, 49, 24, 50]));
    expect(seen.map(({ isRaising }) => isRaising)).to.deep.equal([true, false, false, false, false, true]);
    expect(seen.map(({ isKeeping }) => isKeeping)).to.deep.equal([true, true, false, true, false, true]);
  });

  const cold = [5, 3, -1, -2, -1, 3, 5];
  const night = [...cold, ...Array<number>(20).fill(6)];

  it('is raised once for a night with its coldest hour, and cleared when the night is over', () => {
    const raised = step(QUIET, START, temperatures(night));
    expect(raised).to.deep.equal({
      ...QUIET,
      status: 'raised',
      since: START,
      variable: V.temperature,
      value: -2,
      time: START + 4 * hour,
      chance: 0.98,
      until: START + 5 * hour,
    });
    for (let time = START; time <= START + 5 * hour; time += hour / 4)
      expect(step(raised, time, temperatures(night))).to.equal(raised);
    const over = START + 5 * hour + 1;
    expect(step(raised, over, temperatures(night))).to.deep.equal({
      ...QUIET,
      status: 'cleared',
      since: over,
      time: over,
      ended: 'passed',
    });
  });

  it('is raised when the first hour comes into the span, and names the worst hour of the day', () => {
    const values = [...Array<number>(11).fill(4), 0, -1, -3, -1, ...Array<number>(30).fill(4), -9];
    expect(step(QUIET, START - 1, temperatures(values))).to.equal(QUIET);
    const raised = step(QUIET, START, temperatures(values));
    expect(raised).to.include({ status: 'raised', value: -3, time: START + 14 * hour });
    expect(raised.until).to.equal(START + 15 * hour);
  });

  it('is raised anew for the next night, and once for a frost without a break', () => {
    const condition = { ...FROST, within: 48 * hour };
    const twoNights = [-2, -2, ...Array<number>(12).fill(6), -3, -3, 6];
    let state = step(QUIET, START, temperatures(twoNights), condition);
    expect(state.until).to.equal(START + 2 * hour);
    state = step(state, START + 2 * hour + 1, temperatures(twoNights), condition);
    expect(state.ended).to.equal('passed');
    state = step(state, START + 2 * hour + 2, temperatures(twoNights), condition);
    expect(state).to.include({ status: 'raised', value: -3, until: START + 16 * hour });
    // A mild hour in the night does not end it.
    const gaps = [-2, 6, 6, 6, 6, 6, -3, 6, 6, 6, 6, 6, 6, -3];
    expect(step(QUIET, START, temperatures(gaps)).until).to.equal(START + 7 * hour);
  });

  it('is withdrawn only if the forecast clearly says so', () => {
    const raised = step(QUIET, START, temperatures(night));
    const at = (value: number) => step(raised, START + hour, temperatures([5, value, value, value, 6, 6, 6]));
    expect(at(0.6).status).to.equal('raised');
    expect(at(0.7)).to.deep.include({
      status: 'cleared',
      ended: 'withdrawn',
      value: 0.7,
      time: START + 2 * hour,
      chance: 0.24,
    });
    // The frost comes later, or ends earlier.
    const moved = (values: readonly number[]) => step(raised, START + hour, temperatures(values));
    expect(moved([...Array<number>(8).fill(5), -1, -1]).until).to.equal(START + 10 * hour);
    expect(moved([...Array<number>(11).fill(5), -1]).ended).to.equal('withdrawn');
    expect(moved([5, 5, -1, 5]).until).to.equal(START + 3 * hour);
  });

  it('is neither raised nor withdrawn without a forecast, and ends with its hours', () => {
    expect(step(QUIET, START, undefined)).to.equal(QUIET);
    const raised = step(QUIET, START, temperatures(night));
    for (const forecast of [undefined, temperatures([]), temperatures([Number.NaN, Number.NaN])]) {
      expect(step(raised, START + 5 * hour, forecast)).to.equal(raised);
      expect(step(raised, START + 5 * hour + 1, forecast).ended).to.equal('passed');
    }
    // A forecast that begins after the night says nothing about it.
    const later = temperatures(Array<number>(24).fill(9), START + 5 * hour);
    expect(step(raised, START + 4.5 * hour, later)).to.equal(raised);
  });

  it('has no chance without bounds, and never one of 100 %', () => {
    const without = forecastOf(F.temperature, [{ value: -2 }, { value: 8 }]);
    expect(step(QUIET, START, without)).to.not.have.property('chance');
    expect(step(QUIET, START, temperatures([-30])).chance).to.equal(0.99);
  });

  it('is accepted up to the bounds of its rules, and told with its unit', () => {
    for (const condition of [
      FROST,
      { ...FROST, within: hour, probability: 0.01 },
      { ...FROST, within: 168 * hour, probability: 0.99, comparison: 'above' },
      { ...FROST, variable: V.precipitation, comparison: 'above' },
      { ...FROST, variable: V.humidity },
    ] satisfies ForecastCondition[])
      expect(acceptCondition(condition)).to.equal(condition);
    for (const [change, rule] of [
      [{ within: hour - 1 }, 'from 1 hour to 7 days'],
      [{ within: 168 * hour + 1 }, 'from 1 hour to 7 days'],
      [{ probability: 0.009 }, 'from 0.01 to 0.99'],
      [{ probability: 1 }, 'from 0.01 to 0.99'],
      [{ probability: Number.NaN }, 'from 0.01 to 0.99'],
      [{ threshold: Number.NaN }, 'finite'],
      [{ variable: V.precipitation }, 'an amount of rain is above it'],
      [{ variable: V.windDirection }, 'Forecasts of wind_from_direction have no bounds'],
      [{ variable: 9999 }, 'There is no variable with the number'],
      [{ unit: 'hPa' }, 'air_temperature cannot be in hPa'],
      [{ comparison: 'beside' as 'below' }, 'above or below'],
    ] as const)
      expect(() => acceptCondition({ ...FROST, ...change }), JSON.stringify(change)).to.throw(rule);
    expect(describeCondition({ ...FROST, threshold: -1.11, within: 90 * 60_000 })).to.equal(
      'forecast of air_temperature below -1.11 °C within 1.5 h, chance at least 50 %',
    );
  });

  /** Hours of an arbitrary forecast: values at the threshold, far from it, and unknown ones. */
  const column = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(6, 5) },
      { weight: 2, arbitrary: fc.constantFrom(-2, -0.5, 0, 0.3, 0.6, 0.7, 1) },
      { weight: 1, arbitrary: fc.constant(Number.NaN) },
    ),
    { minLength: 0, maxLength: 40 },
  );

  it('keeps to one message for each event, whatever the forecasts are', () => {
    const rounds = fc.array(
      fc.record({
        minutes: fc.constantFrom(1, 30, 60, 180),
        forecast: fc.oneof(
          { weight: 4, arbitrary: column },
          { weight: 2, arbitrary: fc.constantFrom('same' as const) },
          { weight: 1, arbitrary: fc.constantFrom('none' as const) },
        ),
      }),
      { minLength: 1, maxLength: 40 },
    );
    const isKept = ({ value }: { value: number }) => value < 0.6745;
    fc.assert(
      fc.property(rounds, fc.constantFrom(3, 12, 48), (steps, within) => {
        const condition = { ...FROST, within: within * hour };
        let [state, now]: [AlarmState, number] = [QUIET, START];
        let forecast: IssuedForecast | undefined;
        for (const { minutes, forecast: next } of steps) {
          now += minutes * 60_000;
          if (next === 'none') forecast = undefined;
          else if (next !== 'same') forecast = temperatures(next, Math.floor(now / hour) * hour);
          const before = state;
          state = step(state, now, forecast, condition);
          const known = [...(forecast?.times ?? [])].flatMap((time, index) => {
            const value = forecast?.values.get(F.temperature)?.[index] as number;
            return Number.isNaN(value) || time <= now ? [] : [{ time, value }];
          });
          // The same forecast at the same time says nothing new, whatever has happened, except for the next event.
          const again = step(state, now, forecast, condition);
          if (state.status !== 'cleared' || before.status === 'cleared') expect(again).to.equal(state);
          if (before.status !== 'raised') {
            // Raised exactly if an hour of the span is as likely as required. Never cleared without being raised.
            const isExpected = known.some(({ time, value }) => time <= now + condition.within && value <= 0);
            expect(state.status).to.equal(isExpected ? 'raised' : before.status);
            if (isExpected) {
              expect(state.time).to.be.within(now, state.until as number);
              expect(known.some(({ time }) => time === state.until)).to.equal(true);
            }
          } else {
            const until = before.until as number;
            const own = known.filter(({ time }) => time <= until);
            const goesOn = known.some((one) => isKept(one) && one.time <= until + 6 * hour);
            if (state.status === 'raised') {
              // Goes on while the forecast keeps the event, or says nothing about hours that are to come.
              expect(goesOn || (now <= until && own.length === 0)).to.equal(true);
              expect({ ...state, until }).to.deep.equal(before);
            } else if (now > until) expect([state.ended, goesOn]).to.deep.equal(['passed', false]);
            else expect([state.ended, goesOn, own.length > 0]).to.deep.equal(['withdrawn', false, true]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('does not change while forecasts stay at the edge', () => {
    const edge = fc.array(fc.constantFrom(0.01, 0.3, 0.6), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(edge, { minLength: 1, maxLength: 10 }), fc.boolean(), (forecasts, isRaised) => {
        let state = isRaised ? step(QUIET, START, temperatures([-1])) : QUIET;
        const { status } = state;
        for (const [index, values] of forecasts.entries()) {
          const now = START + (index + 1) * hour;
          state = step(state, now, temperatures(values, now - hour));
          expect(state.status).to.equal(status);
        }
      }),
    );
  });
});
