import type { LowBattery } from '../sensors/low-battery.js';
import { MILLISECONDS } from '../time.js';
import { verdictOf } from '../weather/series.js';
import type { NewestValue } from '../weather/station-state.js';
import type { Notice, NoticeKind } from '../weather/quality/notices/notice.js';
import type {
  Condition,
  FailedCondition,
  ForecastCondition,
  NoticeCondition,
  SilentCondition,
  ThresholdCondition,
} from './condition.js';
import { type ForecastHour, forecastStep } from './forecast-event.js';

export const ALARM_STATUSES = ['quiet', 'raised', 'cleared'] as const;

/** The sources of the reporting interval of a station. An alarm for silence uses this interval. */
export const INTERVAL_SOURCES = ['station', 'observed', 'default'] as const;

/** The reporting interval of a station and its source. */
export interface KnownInterval {
  readonly milliseconds: number;
  /**
   * `station`: the interval is a field of the station. `observed`: it is the median of the last intervals between rows.
   * `default`: the station has too few rows to find its interval.
   */
  readonly source: (typeof INTERVAL_SOURCES)[number];
}

/** The state of an alarm at one station. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface AlarmState {
  /** `quiet` means that the alarm was never raised. */
  readonly status: (typeof ALARM_STATUSES)[number];
  /**
   * The time in the data at which the alarm was raised or cleared: the time of the row that did this, or the time from which the
   * station counts as silent. It may be earlier than the time at which the alarm was evaluated. Null while the alarm is quiet.
   */
  readonly since: number | null;
  /**
   * The variable and the value that raised or cleared the alarm; null if no value did this, for example if the alarm is for
   * silence.
   */
  readonly variable: number | null;
  readonly value: number | null;
  /** Time of `value`. If `value` is null: time of the row that was the newest row when the alarm was raised or cleared. */
  readonly time: number | null;
  /** The interval by which silence was measured; null for other conditions. */
  readonly interval: KnownInterval | null;
  /** Kind of the notice that raised the alarm. Absent for other conditions. */
  readonly notice?: NoticeKind;
  /** Name of the sensor whose low battery raised the alarm. Absent for other conditions. */
  readonly sensor?: string;
  /**
   * For an alarm on a forecast: the chance of the expected value, from 0 to 1. Then `value` and `time` are the expected value and its
   * hour. Absent if the forecast has no bounds.
   */
  readonly chance?: number;
  /** For an alarm on a forecast: the last hour of the event that the newest forecast expects. Present while the alarm is raised. */
  readonly until?: number;
  /** For a cleared alarm on a forecast: whether the hours of the event are over, or the forecast has withdrawn it. */
  readonly ended?: (typeof FORECAST_ENDS)[number];
}

export const FORECAST_ENDS = ['passed', 'withdrawn'] as const;

export const QUIET: AlarmState = {
  status: 'quiet',
  since: null,
  variable: null,
  value: null,
  time: null,
  interval: null,
};

/** The data of a station from which a condition is evaluated. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface AlarmInput {
  readonly now: number;
  /** Time of the newest row; null for a station without rows. */
  readonly lastSeen: number | null;
  /** The newest value of each variable, by its number. */
  readonly values: ReadonlyMap<number, NewestValue>;
  readonly interval: KnownInterval;
  /** If the station has no rows, its silence is counted from this time. */
  readonly watchedSince: number;
  /** Before this time no silence is reported, because the service did not run and could not receive rows. */
  readonly silentFrom: number;
  /**
   * Time since which all values of the variable are beyond the threshold. It is needed only if `ThresholdCondition.for` is not 0.
   */
  readonly beyondSince?: number | undefined;
  /** The newest notice that fulfills a `NoticeCondition`. */
  readonly notice?: Notice | undefined;
  /** The sensor whose battery has been low for the longest time. It is needed only for a `BatteryCondition`. */
  readonly lowBattery?: LowBattery | undefined;
  /**
   * The hours of the newest forecast; undefined if there is none, or only one that is too old. They are needed only for a
   * `ForecastCondition`.
   */
  readonly forecast?: readonly ForecastHour[] | undefined;
}

/**
 * Age in milliseconds from which a value neither raises nor clears an alarm. Without this limit, an import of old years would
 * raise alarms. A new alarm for a station that no longer reports would be raised too.
 */
export const MAX_VALUE_AGE = MILLISECONDS.day;
/**
 * Age in milliseconds of the newest row of a station from which a notice whose cause had not ended neither raises an alarm nor keeps it
 * raised. Without this limit, an import of old years would raise alarms for ever.
 */
const MAX_SILENCE = 7 * MILLISECONDS.day;

/** Evaluates a condition. @returns the new state of the alarm; the same object as `state` if nothing has changed */
export function nextState(condition: Condition, state: AlarmState, input: AlarmInput): AlarmState {
  if (condition.kind === 'silent') return nextSilentState(condition, state, input);
  if (condition.kind === 'notice') return nextNoticeState(state, input);
  if (condition.kind === 'battery') return nextBatteryState(state, input);
  if (condition.kind === 'forecast') return nextForecastState(condition, state, input);
  return condition.kind === 'failed'
    ? nextFailedState(condition, state, input)
    : nextThresholdState(condition, state, input);
}

/** The time at which the station counts as silent, if it sends no row before this time. */
export function silentAt({ intervals }: SilentCondition, input: AlarmInput): number {
  const { lastSeen, interval, watchedSince } = input;
  return (lastSeen ?? watchedSince) + intervals * interval.milliseconds;
}

function nextSilentState(condition: SilentCondition, state: AlarmState, input: AlarmInput): AlarmState {
  const { now, lastSeen, interval, silentFrom } = input;
  const since = silentAt(condition, input);
  const isRaised = state.status === 'raised';
  if (isRaised === now >= since || (!isRaised && now < silentFrom)) return state;
  const silence = { variable: null, value: null, time: lastSeen, interval };
  return isRaised
    ? { ...silence, status: 'cleared', since: lastSeen }
    : { ...silence, status: 'raised', since };
}

/**
 * The newest notice that fulfills a condition.
 *
 * @param lastSeen time of the newest row. A cause lasts at most until then, so a station without new rows raises nothing.
 */
export function noticeOf(
  { notice: kind, variable, days }: NoticeCondition,
  notices: readonly Notice[],
  { now, lastSeen }: Pick<AlarmInput, 'now' | 'lastSeen'>,
): Notice | undefined {
  const since = now - days * MILLISECONDS.day;
  const isReporting = lastSeen !== null && lastSeen > now - MAX_SILENCE;
  return notices.findLast(
    (notice) =>
      ((notice.until === null && isReporting) || notice.since >= since) &&
      (kind ?? notice.kind) === notice.kind &&
      (variable ?? notice.variable) === notice.variable,
  );
}

function nextNoticeState(state: AlarmState, { notice, now, lastSeen }: AlarmInput): AlarmState {
  if ((notice !== undefined) === (state.status === 'raised')) return state;
  if (notice === undefined) return { ...state, status: 'cleared', since: lastSeen ?? now, time: lastSeen };
  const { since, variable, kind } = notice;
  return { ...QUIET, status: 'raised', since, variable, time: lastSeen, notice: kind };
}

function nextBatteryState(state: AlarmState, { lowBattery, now }: AlarmInput): AlarmState {
  if ((lowBattery !== undefined) === (state.status === 'raised')) return state;
  if (lowBattery === undefined) return { ...state, status: 'cleared', since: now, time: now };
  const { sensor, since, time } = lowBattery;
  return { ...QUIET, status: 'raised', since, time, sensor };
}

/** While the alarm is raised, its state follows the end of the event. The expected value stays the one that raised it. */
function nextForecastState(
  condition: ForecastCondition,
  state: AlarmState,
  { now, forecast }: AlarmInput,
): AlarmState {
  const until = state.status === 'raised' ? (state.until ?? state.time ?? now) : undefined;
  const step = forecastStep(condition, until, now, forecast);
  const { variable } = condition;
  switch (step?.kind) {
    case undefined:
      return state;
    case 'raise':
      return { ...QUIET, status: 'raised', since: now, variable, ...step.expected, until: step.until };
    case 'continue':
      return { ...state, until: step.until };
    case 'pass':
      return { ...QUIET, status: 'cleared', since: now, time: now, ended: 'passed' };
    case 'withdraw':
      return { ...QUIET, status: 'cleared', since: now, variable, ...step.expected, ended: 'withdrawn' };
  }
}

function nextFailedState(
  { variable, suspect }: FailedCondition,
  state: AlarmState,
  input: AlarmInput,
): AlarmState {
  const { now, lastSeen, values } = input;
  // Values up to this time are ignored. Otherwise the alarm would stay raised forever if the last value of a variable has failed
  // quality control, and the station no longer sends this variable.
  const since = Math.min(now, lastSeen ?? now) - MAX_VALUE_AGE;
  const recent = [...values].filter(
    ([number, { time }]) => time > since && time > now - MAX_VALUE_AGE && (variable ?? number) === number,
  );
  const failing = recent.find(([, { flags }]) => isBad(flags, suspect));
  if (recent.length === 0 || (failing !== undefined) === (state.status === 'raised')) return state;
  if (failing !== undefined) return stateFromValue('raised', failing);
  const newest = recent.find(([number]) => number === (state.variable ?? number));
  return newest === undefined
    ? { ...QUIET, status: 'cleared', since: lastSeen, time: lastSeen }
    : stateFromValue('cleared', newest);
}

function isBad(flags: number, suspect: boolean): boolean {
  return suspect ? flags !== 0 : verdictOf(flags) === 'fail';
}

function nextThresholdState(condition: ThresholdCondition, state: AlarmState, input: AlarmInput): AlarmState {
  const { variable, clear, for: duration } = condition;
  const newest = input.values.get(variable);
  if (newest === undefined || !isUsable(newest.flags) || newest.time <= input.now - MAX_VALUE_AGE)
    return state;
  if (state.status === 'raised')
    return isBeyond(condition, newest.value, clear) ? state : stateFromValue('cleared', [variable, newest]);
  if (!isBeyond(condition, newest.value)) return state;
  const isLongEnough = duration === 0 || newest.time - (input.beyondSince ?? newest.time) >= duration;
  return isLongEnough ? stateFromValue('raised', [variable, newest]) : state;
}

/**
 * Whether a value with these flags of the quality control may raise or clear an alarm. Only a failed value may not. A suspect
 * value may, because many true extremes are suspect.
 */
function isUsable(flags: number): boolean {
  return verdictOf(flags) !== 'fail';
}

export function isBeyond(
  { kind, threshold }: Pick<ThresholdCondition, 'kind' | 'threshold'>,
  value: number,
  limit = threshold,
): boolean {
  return kind === 'above' ? value > limit : value < limit;
}

/** The values of a variable in order of time. */
export interface AlarmColumn {
  readonly times: Float64Array;
  /** NaN for a row without a value of the variable. */
  readonly values: Float64Array;
  /** Undefined if all values passed quality control. */
  readonly flags: Uint8Array | undefined;
}

/**
 * Returns the time since which all values are beyond the threshold; undefined if the last value is not beyond the threshold.
 *
 * @param before the result of an earlier call, for the rows before the rows of this call; absent if there was no earlier call
 */
export function beyondSince(
  condition: ThresholdCondition,
  { times, values, flags }: AlarmColumn,
  before?: number,
): number | undefined {
  let since = before;
  for (const [row, value] of values.entries()) {
    if (Number.isNaN(value) || !isUsable(flags?.[row] ?? 0)) continue;
    if (!isBeyond(condition, value)) since = undefined;
    else since ??= times[row];
  }
  return since;
}

function stateFromValue(
  status: 'raised' | 'cleared',
  [variable, { value, time }]: readonly [number, NewestValue],
): AlarmState {
  return { status, since: time, variable, value, time, interval: null };
}
