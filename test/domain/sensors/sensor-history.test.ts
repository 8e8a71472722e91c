import { expect } from 'chai';
import fc from 'fast-check';
import { lowBatteryOf, MAX_UNSEEN } from '#domain/sensors/low-battery.js';
import {
  MAX_POINT_AGE,
  MAX_POINTS,
  mergedHistory,
  NO_HISTORY,
  type SensorHistory,
  type SensorPoint,
  sinceOf,
  THINNED_AGE,
  withState,
} from '#domain/sensors/sensor-history.js';
import { isLow, sensorStateOf } from '#domain/sensors/sensor-state.js';
import { historyIn, historyText } from '#application/sensors/history-text.js';
import { MILLISECONDS } from '#domain/time.js';

const { minute, hour, day } = MILLISECONDS;
const START = Date.UTC(2026, 0, 1);

type State = Omit<SensorPoint, 'time'>;
const historyOf = (states: readonly (readonly [time: number, state: State])[], from = NO_HISTORY) =>
  states.reduce((history, [time, state]) => withState(history, { time: START + time, ...state }), from);
const kept = ({ points }: SensorHistory) => points.map(({ time, ...state }) => [time - START, state]);

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const state: fc.Arbitrary<State> = fc
  .record({
    batteryPercent: optional(fc.integer({ min: 0, max: 100 })),
    batteryVoltage: optional(fc.integer({ min: 0, max: 400 }).map((volts) => volts / 100)),
    isBatteryLow: optional(fc.boolean()),
    signal: optional(fc.integer({ min: -120, max: -40 })),
    reception: optional(fc.integer({ min: 0, max: 100 })),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as State);
/** Steps of time from seconds to months, forwards and backwards. */
const step = fc.oneof(
  fc.constantFrom(0, minute, hour),
  fc.integer({ min: 0, max: 2 * hour }),
  fc.integer({ min: -hour, max: 3 * day }),
  fc.integer({ min: 0, max: 100 * day }),
);
const reports = fc.array(fc.tuple(step, state), { maxLength: 200 }).map((steps) => {
  let time = 0;
  return steps.map(([by, values]) => [(time += by), values] as const);
});

const dayOf = (time: number) => Math.floor(time / day);

/** The points that must be left of all points that were ever kept: the points of 90 days, and of each day before the lowest one, and the last one if the battery was changed. */
function leftOf(all: readonly SensorPoint[]): readonly SensorPoint[] {
  const newest = all.at(-1)?.time ?? 0;
  const chargeOf = (point: SensorPoint) =>
    [isLow(point) ? 0 : 1, point.batteryPercent ?? Infinity, point.batteryVoltage ?? Infinity] as const;
  const isLower = (one: SensorPoint, other: SensorPoint) => {
    const [a, b] = [chargeOf(one), chargeOf(other)];
    const index = a.findIndex((value, at) => value !== b[at]);
    return index >= 0 && (a[index] as number) < (b[index] as number);
  };
  return all.filter((point) => {
    if (point.time <= newest - MAX_POINT_AGE) return false;
    if (dayOf(point.time) >= dayOf(newest - THINNED_AGE)) return true;
    const own = all.filter(({ time }) => dayOf(time) === dayOf(point.time));
    const lowest = own.find((one) => own.every((other) => !isLower(other, one))) as SensorPoint;
    return point === lowest || (point === own.at(-1) && isLow(point) !== isLow(lowest));
  });
}

describe('The history of a sensor', () => {
  it('has all points of 90 days and the lowest battery of the days before, whatever is reported', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const every: SensorPoint[] = [];
        let history = NO_HISTORY;
        for (const [time, values] of all) {
          const { points } = history;
          history = withState(history, { time: START + time, ...values });
          if (history.points !== points) every.push(history.points.at(-1) as SensorPoint);
        }
        expect(history.points).to.deep.equal(leftOf(every));
      }),
    );
  });

  it('is bounded, in order, and has at most two points an hour, whatever is reported', () => {
    fc.assert(
      fc.property(reports, (all) => {
        const history = historyOf(all);
        const times = history.points.map(({ time }) => time);
        const newest = times.at(-1) ?? 0;
        expect(times.length).to.be.at.most(MAX_POINTS);
        for (const [index, time] of times.entries()) {
          expect(time).to.be.greaterThan(newest - MAX_POINT_AGE);
          if (index > 0) expect(time).to.be.greaterThan(times[index - 1] as number);
          if (index > 1) expect(time - (times[index - 2] as number)).to.be.at.least(hour);
        }
      }),
    );
  });

  it('has the newest state, and knows after an hour whether the battery is low', () => {
    fc.assert(
      fc.property(reports, (all) => {
        let history = NO_HISTORY;
        for (const [time, values] of all) {
          const before = history.last?.time ?? -Infinity;
          history = withState(history, { time: START + time, ...values });
          const { last, points } = history;
          if (START + time < before) continue;
          expect(last).to.deep.include({ time: START + time, ...values });
          const newest = points.at(-1);
          if (last === null || newest === undefined || last.time - newest.time < hour) continue;
          expect(isLow(newest)).to.equal(isLow(last));
          expect(sinceOf(history)).to.be.at.most(newest.time);
        }
      }),
    );
  });

  it('is the same after it was stored and read, at any time', () => {
    fc.assert(
      fc.property(reports, fc.nat(), (all, at) => {
        const parts = [all.slice(0, at % 200), all.slice(at % 200)];
        const stored = historyIn(historyText(historyOf(parts[0] ?? [])));
        expect(historyOf(parts[1] ?? [], stored)).to.deep.equal(historyOf(all));
      }),
    );
  });

  it('of two parts is bounded, and has the newest state', () => {
    fc.assert(
      fc.property(reports, reports, (one, other) => {
        const merged = mergedHistory(historyOf(one), historyOf(other));
        const times = [...one, ...other].map(([time]) => START + time);
        expect(merged.last?.time ?? -Infinity).to.equal(Math.max(-Infinity, ...times));
        expect(merged.points.length).to.be.at.most(MAX_POINTS);
      }),
    );
  });

  it('has a point at once when the battery becomes low, and otherwise one an hour for a change', () => {
    const history = historyOf([
      [0, { batteryPercent: 50, signal: -80 }],
      [minute, { batteryPercent: 48 }],
      [hour, { batteryPercent: 50.5, signal: -84 }],
      [2 * hour, { batteryPercent: 49, signal: -84 }],
      [2 * hour + minute, { batteryPercent: 9, signal: -84 }],
      [2 * hour + 2 * minute, { batteryPercent: 12, signal: -84 }],
      [3 * hour + 2 * minute, { batteryPercent: 12, signal: -84 }],
    ]);
    expect(kept(history)).to.deep.equal([
      [0, { batteryPercent: 50, signal: -80 }],
      [2 * hour, { batteryPercent: 49, signal: -84 }],
      [2 * hour + minute, { batteryPercent: 9, signal: -84 }],
      [3 * hour + 2 * minute, { batteryPercent: 12, signal: -84 }],
    ]);
    expect(sinceOf(history)).to.equal(START + 3 * hour + 2 * minute);
  });

  it('has a point for each step of a value, exactly at the step', () => {
    const steps: readonly (readonly [State, State, boolean])[] = [
      [{ batteryVoltage: 1.4 }, { batteryVoltage: 1.45 }, true],
      [{ batteryVoltage: 1.4 }, { batteryVoltage: 1.44 }, false],
      [{ signal: -80 }, { signal: -85 }, true],
      [{ signal: -80 }, { signal: -76 }, false],
      [{ reception: 100 }, { reception: 95 }, true],
      [{ reception: 100 }, { reception: 96 }, false],
      [{ batteryPercent: 80 }, { batteryPercent: 79 }, true],
      [{ batteryPercent: 80 }, { batteryPercent: 79.5 }, false],
      [{ signal: -80 }, { signal: -80, batteryPercent: 80 }, true],
      [{ isBatteryLow: false }, { isBatteryLow: true }, true],
    ];
    for (const [one, other, isKept] of steps)
      expect(
        historyOf([
          [0, one],
          [hour, other],
        ]).points.length,
        JSON.stringify(other),
      ).to.equal(isKept ? 2 : 1);
  });

  it('keeps the lowest battery of each day after 90 days, and the change to a new one', () => {
    const history = historyOf([
      [0, { batteryPercent: 20 }],
      [hour, { batteryPercent: 15 }],
      [2 * hour, { batteryPercent: 17 }],
      [day, { batteryPercent: 5 }],
      [day + 2 * hour, { batteryPercent: 4 }],
      [day + 3 * hour, { batteryPercent: 100 }],
      [91 * day, { batteryPercent: 99 }],
      [92 * day, { batteryPercent: 98 }],
    ]);
    expect(kept(history)).to.deep.equal([
      [hour, { batteryPercent: 15 }],
      [day + 2 * hour, { batteryPercent: 4 }],
      [day + 3 * hour, { batteryPercent: 100 }],
      [91 * day, { batteryPercent: 99 }],
      [92 * day, { batteryPercent: 98 }],
    ]);
    expect(sinceOf(history)).to.equal(START + day + 3 * hour);
  });

  const reported = (every: number, until: number, percentAt: (index: number) => number) => {
    const count = Math.ceil(until / every);
    const all = Array.from({ length: count }, (_none, index) => {
      return [index * every, { batteryPercent: percentAt(index) }] as const;
    });
    return historyOf(all);
  };
  /** Whole days between the first and the last point. */
  const spanOf = ({ points }: SensorHistory) =>
    Math.floor(((points.at(-1)?.time ?? 0) - (points[0]?.time ?? 0)) / day);

  it('has an hour of 90 days and 400 days if a value changes each hour, in 112 kB', () => {
    const changing = reported(hour, 420 * day, (index) => (index % 24 === 0 ? 5 : 50 + (index % 2)));
    const newest = changing.points.at(-1)?.time ?? 0;
    const young = changing.points.filter(({ time }) => time > newest - 90 * day);
    expect(young).to.have.length(90 * 24);
    expect(spanOf(changing)).to.equal(399);
    expect(changing.points.length).to.be.at.most(MAX_POINTS);
    expect(historyText(changing).length).to.be.at.most(112_000);
    const rare = reported(2 * day, 500 * day, (index) => 50 + (index % 2));
    expect(rare.points).to.have.length(200);
    expect(spanOf(rare)).to.equal(398);
  });

  it('has fewer hours, not fewer days, if a battery is low in turns', () => {
    const turning = reported(hour / 2, 420 * day, (index) => (index % 2 === 0 ? 5 : 100));
    expect(turning.points.length).to.be.within(MAX_POINTS - 48, MAX_POINTS);
    expect(spanOf(turning)).to.equal(399);
    const low = turning.points.filter(({ batteryPercent }) => batteryPercent === 5);
    expect(new Set(low.map(({ time }) => dayOf(time))).size).to.equal(400);
  });

  it('fills a field that a report lacks from an earlier report of the same day', () => {
    const two = historyOf([
      [0, { batteryVoltage: 2.4 }],
      [minute, { signal: -60 }],
      [2 * minute, { batteryVoltage: 2.41 }],
    ]);
    expect(two.last).to.deep.equal({ time: START + 2 * minute, batteryVoltage: 2.41, signal: -60 });
    const later = historyOf([[day + 2 * minute, { signal: -61 }]], mergedHistory(NO_HISTORY, two));
    expect(later.last).to.deep.equal({ time: START + day + 2 * minute, signal: -61 });
  });
});

describe('The battery of a sensor', () => {
  it('is read from the texts of consoles', () => {
    const texts: readonly (readonly [string, object | undefined])[] = [
      ['ok', { isBatteryLow: false }],
      ['low', { isBatteryLow: true }],
      ['60 %', { batteryPercent: 60 }],
      ['1.4 V', { batteryVoltage: 1.4 }],
      ['120 %', undefined],
      ['mains', undefined],
      ['7', undefined],
      ['', undefined],
      ['-1 V', undefined],
    ];
    for (const [text, expected] of texts)
      expect(sensorStateOf('wh65', text), text).to.deep.equal(expected && { sensor: 'wh65', ...expected });
  });

  it('is the one that has been low for the longest time, unless the sensor is gone', () => {
    const sensor = (name: string, ...states: Parameters<typeof historyOf>[0]) => ({
      sensor: name,
      history: historyOf(states),
    });
    const sensors = [
      sensor('ok', [0, { batteryPercent: 10 }]),
      sensor('flag', [hour, { isBatteryLow: true, batteryPercent: 80 }]),
      sensor('percent', [0, { batteryPercent: 50 }], [2 * hour, { batteryPercent: 9.9 }]),
      sensor('volts', [0, { batteryVoltage: 0.1 }]),
    ];
    const now = START + 3 * hour;
    expect(lowBatteryOf(sensors, now)).to.deep.equal({
      sensor: 'flag',
      since: START + hour,
      time: START + hour,
    });
    expect(lowBatteryOf(sensors, START + hour + MAX_UNSEEN)?.sensor).to.equal('percent');
    expect(lowBatteryOf(sensors, now + MAX_UNSEEN)).to.equal(undefined);
  });
});
