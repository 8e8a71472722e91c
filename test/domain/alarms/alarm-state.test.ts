import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AlarmState,
  beyondSince,
  nextState,
  noticeOf,
  MAX_VALUE_AGE,
  QUIET,
  type AlarmInput,
} from '#domain/alarms/alarm-state.js';
import {
  acceptCondition,
  type Condition,
  type NoticeCondition,
  type ThresholdCondition,
} from '#domain/alarms/condition.js';
import { intervalOf } from '#domain/alarms/observed-interval.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import { FLAG } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';

const { minute, day } = MILLISECONDS;
const NOW = Date.UTC(2026, 10, 23);
const INTERVAL = { milliseconds: 10 * minute, source: 'station' } as const;
const HOT: ThresholdCondition = { kind: 'above', variable: V.temperature, threshold: 30, clear: 28, for: 0 };
const COLD: ThresholdCondition = { kind: 'below', variable: V.temperature, threshold: 0, clear: 2, for: 0 };
const SILENT: Condition = { kind: 'silent', intervals: 3 };

interface PartialInput extends Partial<AlarmInput> {
  readonly value?: number;
  readonly flags?: number;
  readonly time?: number;
}

function readingOf({ value, flags = 0, time = NOW, ...rest }: PartialInput): AlarmInput {
  const values = new Map(value === undefined ? [] : [[V.temperature, { time, value, flags }]]);
  return { now: NOW, lastSeen: time, values, interval: INTERVAL, watchedSince: 0, silentFrom: 0, ...rest };
}

const next = (condition: Condition, state: AlarmState, given: PartialInput) =>
  nextState(condition, state, readingOf(given));
const statuses = (condition: Condition, given: readonly PartialInput[]) => {
  let state = QUIET;
  return given.map((one) => (state = next(condition, state, one)).status);
};

describe('an alarm for notices', () => {
  const DAY = 86_400_000;
  const ANY: NoticeCondition = { kind: 'notice', notice: null, variable: null, days: 7 };
  const noticeAt = (days: number, until: number | null, part: Partial<Notice> = {}): Notice => ({
    kind: 'stuck_calm',
    variable: V.windSpeed,
    since: NOW - days * DAY,
    until: until === null ? null : NOW - until * DAY,
    facts: {},
    comparedWith: [],
    ...part,
  });

  it('is fulfilled by ongoing notices and by those that began in the last days, of its kind and variable', () => {
    const cases: readonly (readonly [
      condition: Partial<NoticeCondition>,
      notice: Notice,
      isFulfilled: boolean,
      silentDays?: number | null,
    ])[] = [
      [{}, noticeAt(100, null), true],
      [{}, noticeAt(100, null), true, 6],
      [{}, noticeAt(3000, null), false, 2000],
      [{ days: 0 }, noticeAt(9, null), false, 8],
      [{}, noticeAt(100, null), false, null],
      [{ days: 30 }, noticeAt(20, null), true, 8],
      [{}, noticeAt(7, 6), true],
      [{}, noticeAt(8, 1), false],
      [{ days: 0 }, noticeAt(1, 0), false],
      [{ days: 0 }, noticeAt(1, null), true],
      [{ notice: 'stuck_calm' }, noticeAt(1, 0), true],
      [{ notice: 'level' }, noticeAt(1, 0), false],
      [{ variable: V.windSpeed }, noticeAt(1, 0), true],
      [{ variable: V.temperature }, noticeAt(1, 0), false],
    ];
    for (const [condition, notice, isFulfilled, silentDays = 0] of cases) {
      const station = { now: NOW, lastSeen: silentDays === null ? null : NOW - silentDays * DAY };
      expect(
        noticeOf({ ...ANY, ...condition }, [notice], station) === notice,
        JSON.stringify([condition, notice, silentDays]),
      ).to.equal(isFulfilled);
    }
    const station = { now: NOW, lastSeen: NOW };
    const [old, young] = [noticeAt(3, 2), noticeAt(2, 1)];
    expect(noticeOf(ANY, [old, young, noticeAt(1, 0, { kind: 'level' })], station)?.kind).to.equal('level');
    expect(noticeOf({ ...ANY, notice: 'stuck_calm' }, [old, young], station)).to.equal(young);
  });

  it('is raised with the notice, stays raised with another, and clears without one', () => {
    const notice = noticeAt(2, null);
    const raised = next(ANY, QUIET, { notice });
    const of = { status: 'raised', since: notice.since, variable: V.windSpeed, notice: 'stuck_calm' };
    expect(raised).to.deep.equal({ ...QUIET, ...of, time: NOW });
    expect(next(ANY, raised, { notice: noticeAt(1, 0, { kind: 'level' }) })).to.equal(raised);
    const cleared = next(ANY, raised, {});
    expect(cleared).to.deep.equal({ ...raised, status: 'cleared', since: NOW });
    expect(next(ANY, cleared, {})).to.equal(cleared);
    expect(next(ANY, QUIET, {})).to.equal(QUIET);
  });
});

describe('the state of an alarm', () => {
  it('does not change while values stay between the clear value and the threshold', () => {
    const cases = fc.record({
      condition: fc.constantFrom(HOT, COLD),
      share: fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), {
        minLength: 1,
      }),
      isRaised: fc.boolean(),
    });
    fc.assert(
      fc.property(cases, ({ condition, share, isRaised }) => {
        const { threshold, clear } = condition;
        const beyond = threshold + (threshold - clear);
        const begin = isRaised ? next(condition, QUIET, { value: beyond }) : QUIET;
        expect(begin.status).to.equal(isRaised ? 'raised' : 'quiet');
        let state = begin;
        for (const [index, part] of share.entries()) {
          const value = clear + part * (threshold - clear);
          state = next(condition, state, { value, time: NOW + index, now: NOW + index });
          expect(state).to.equal(begin);
        }
      }),
    );
  });

  it('is raised once beyond the threshold, and clears once at the clear value, with value and time', () => {
    expect(
      statuses(HOT, [
        { value: 30 },
        { value: 30.1 },
        { value: 35 },
        { value: 28.1 },
        { value: 28 },
        { value: 29 },
      ]),
    ).to.deep.equal(['quiet', 'raised', 'raised', 'raised', 'cleared', 'cleared']);
    expect(statuses(COLD, [{ value: 0 }, { value: -0.1 }, { value: 1 }, { value: 2 }])).to.deep.equal([
      'quiet',
      'raised',
      'raised',
      'cleared',
    ]);
    expect(next(HOT, QUIET, { value: 31 })).to.deep.equal({
      status: 'raised',
      since: NOW,
      variable: V.temperature,
      value: 31,
      time: NOW,
      interval: null,
    });
  });

  it('takes no notice of a failed value and of one that is a day old', () => {
    const hot = { value: 40 };
    expect(next(HOT, QUIET, { ...hot, flags: FLAG.grossRange }).status).to.equal('quiet');
    expect(next(HOT, QUIET, { ...hot, flags: FLAG.step }).status).to.equal('raised');
    expect(next(HOT, QUIET, { ...hot, time: NOW - MAX_VALUE_AGE }).status).to.equal('quiet');
    const raised = next(HOT, QUIET, hot);
    expect(next(HOT, raised, { value: 10, flags: FLAG.grossRange })).to.equal(raised);
    expect(next(HOT, raised, {})).to.equal(raised);
  });

  it('waits until all values of a time were beyond the threshold', () => {
    const condition = { ...HOT, for: 10 * minute };
    const rows = [31, 32, Number.NaN, 29, 31, 33, 40, 34];
    const held = (count: number) =>
      beyondSince(condition, {
        times: Float64Array.from(rows.slice(0, count), (_, index) => index * 5 * minute),
        values: Float64Array.from(rows.slice(0, count)),
        flags: Uint8Array.of(0, 0, 0, 0, 0, FLAG.spike, FLAG.grossRange, 0),
      });
    expect([1, 2, 3, 4, 5, 6, 8].map(held)).to.deep.equal(
      [0, 0, 0, undefined, 4, 4, 4].map((index) => index && index * 5 * minute),
    );
    const after = (time: number) => next(condition, QUIET, { value: 31, beyondSince: NOW - time }).status;
    expect([10 * minute - 1, 10 * minute].map(after)).to.deep.equal(['quiet', 'raised']);
    expect(next(condition, QUIET, { value: 31 }).status).to.equal('quiet');
  });

  it('follows the verdict on the newest value of a variable, or of any', () => {
    for (const variable of [V.temperature, null]) {
      const failed: Condition = { kind: 'failed', variable, suspect: false };
      const bad = { value: 99, flags: FLAG.grossRange };
      const suspect = { value: 9, flags: FLAG.persistence };
      expect(statuses(failed, [suspect, bad, bad, { value: 9 }, suspect])).to.deep.equal([
        'quiet',
        'raised',
        'raised',
        'cleared',
        'cleared',
      ]);
      expect(statuses({ ...failed, suspect: true }, [suspect, { value: 9 }])).to.deep.equal([
        'raised',
        'cleared',
      ]);
      expect(statuses(failed, [{ ...bad, time: NOW - MAX_VALUE_AGE }])).to.deep.equal(['quiet']);
    }
    const other: Condition = { kind: 'failed', variable: V.humidity, suspect: true };
    expect(statuses(other, [{ value: 99, flags: 1 }])).to.deep.equal(['quiet']);
  });

  it('clears when any value failed and its variable is no longer sent', () => {
    const failed: Condition = { kind: 'failed', variable: null, suspect: false };
    const raised = next(failed, QUIET, { value: 99, flags: FLAG.grossRange });
    const later = NOW + 2 * day;
    const values = new Map([
      [V.temperature as number, { time: NOW, value: 99, flags: FLAG.grossRange }],
      [V.humidity as number, { time: later, value: 50, flags: 0 }],
    ]);
    const state = nextState(failed, raised, { ...readingOf({}), now: later, lastSeen: later, values });
    expect(state).to.deep.equal({ ...QUIET, status: 'cleared', since: later, time: later });
  });

  it('is raised by silence once, and clears at the next row', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 * minute }), { minLength: 1 }), (gaps) => {
        let [now, state] = [NOW, next(SILENT, QUIET, { now: NOW })];
        expect(state).to.equal(QUIET);
        for (const gap of gaps) {
          const lastSeen = now;
          const raised: AlarmState[] = [];
          for (const part of [0.25, 0.5, 0.75, 1]) {
            const silent = next(SILENT, state, { lastSeen, now: lastSeen + part * gap });
            if (silent !== state && silent.status === 'raised') raised.push(silent);
            state = silent;
          }
          expect(raised).to.have.length(gap >= 30 * minute ? 1 : 0);
          expect(raised.map(({ since }) => since)).to.deep.equal(raised.map(() => lastSeen + 30 * minute));
          now += gap;
          state = next(SILENT, state, { lastSeen: now, now });
          if (gap >= 30 * minute) expect(state).to.include({ status: 'cleared', since: now });
        }
      }),
    );
  });

  it('is not raised by silence while the service did not run, and not cleared by its start', () => {
    const late = { lastSeen: NOW - day, silentFrom: NOW + minute };
    expect(next(SILENT, QUIET, late).status).to.equal('quiet');
    expect(next(SILENT, QUIET, { ...late, now: NOW + minute }).status).to.equal('raised');
    const raised = next(SILENT, QUIET, { lastSeen: NOW - day });
    expect(next(SILENT, raised, late)).to.equal(raised);
    const never = { lastSeen: null, watchedSince: NOW };
    expect(next(SILENT, QUIET, { ...never, now: NOW + 29 * minute }).status).to.equal('quiet');
    expect(next(SILENT, QUIET, { ...never, now: NOW + 30 * minute }).status).to.equal('raised');
  });

  it('is measured by the interval of the station, by the observed one or by a default', () => {
    const times = Float64Array.of(0, 5, 10, 60, 65).map((time) => time * minute);
    expect(intervalOf(600, times)).to.deep.equal(INTERVAL);
    expect(intervalOf(null, times)).to.deep.equal({ milliseconds: 5 * minute, source: 'observed' });
    expect(intervalOf(null, times.subarray(0, 3))).to.deep.equal({
      milliseconds: 60 * minute,
      source: 'default',
    });
  });

  for (const [what, condition] of Object.entries({
    'no interval': { kind: 'silent', intervals: 0 },
    'a part of an interval': { kind: 'silent', intervals: 1.5 },
    'a clear value beyond the threshold': { ...HOT, clear: 31 },
    'a clear value below a lower threshold': { ...COLD, clear: -1 },
    'an infinite threshold': { ...HOT, threshold: Infinity },
    'eight days': { ...HOT, for: 8 * day },
    'an unknown variable': { ...HOT, variable: 9999 },
  }))
    it(`is not possible with ${what}`, () => {
      expect(() => acceptCondition(condition as Condition))
        .to.throw()
        .with.property('code', 'REQUEST_INVALID');
    });
});
