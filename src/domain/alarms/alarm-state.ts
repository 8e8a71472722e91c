import { MILLISECONDS } from '../time.js';
import { verdictOf } from '../weather/series.js';
import type { NewestValue } from '../weather/station-state.js';
import type { Condition, FailedCondition, SilentCondition, ThresholdCondition } from './condition.js';

export const ALARM_STATUSES = ['quiet', 'raised', 'cleared'] as const;

/** How the reporting interval was found by which silence is measured. */
export const INTERVAL_SOURCES = ['station', 'observed', 'default'] as const;

/** A reporting interval with its origin. */
export interface KnownInterval {
  readonly milliseconds: number;
  /** `station`: a field of the station; `observed`: the median of the last intervals; `default`: there were too few rows. */
  readonly source: (typeof INTERVAL_SOURCES)[number];
}

/** What an alarm says of a station. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface AlarmState {
  /** `quiet` before the alarm was raised for the first time. */
  readonly status: (typeof ALARM_STATUSES)[number];
  /** The time by the data at which it was raised or cleared; null while it is quiet. */
  readonly since: number | null;
  /** The value that raised or cleared it, with its variable; null for silence. */
  readonly variable: number | null;
  readonly value: number | null;
  /** The time of this value, or of the last row before the silence or after it. */
  readonly time: number | null;
  /** The interval by which silence was measured; null for other conditions. */
  readonly interval: KnownInterval | null;
}

export const QUIET: AlarmState = {
  status: 'quiet',
  since: null,
  variable: null,
  value: null,
  time: null,
  interval: null,
};

/** What is known of a station when a condition is evaluated. */
export interface AlarmInput {
  /** Milliseconds since 1970-01-01T00:00:00Z, as are all times. */
  readonly now: number;
  /** Time of the newest row; null for a station without rows. */
  readonly lastSeen: number | null;
  /** The newest value of each variable, by its number. */
  readonly values: ReadonlyMap<number, NewestValue>;
  readonly interval: KnownInterval;
  /** Silence of a station without rows counts from this time. */
  readonly watchedSince: number;
  /** No silence is reported before this time, because the service itself did not run. */
  readonly silentFrom: number;
  /** For a threshold that must be held: since when all values have been beyond it. */
  readonly heldSince?: number | undefined;
}

/**
 * Age from which a value neither raises nor clears an alarm. Otherwise an import of old years, or a new alarm for a station that
 * ended, would raise it.
 */
export const OLDEST_VALUE = MILLISECONDS.day;

/** @returns the same object if nothing has changed */
export function nextState(condition: Condition, state: AlarmState, reading: AlarmInput): AlarmState {
  if (condition.kind === 'silent') return ofSilence(condition, state, reading);
  return condition.kind === 'failed'
    ? ofFailure(condition, state, reading)
    : ofThreshold(condition, state, reading);
}

/** The time at which a station counts as silent unless it sends a row. */
export function silentAt({ intervals }: SilentCondition, reading: AlarmInput): number {
  const { lastSeen, interval, watchedSince } = reading;
  return (lastSeen ?? watchedSince) + intervals * interval.milliseconds;
}

function ofSilence(condition: SilentCondition, state: AlarmState, reading: AlarmInput): AlarmState {
  const { now, lastSeen, interval, silentFrom } = reading;
  const since = silentAt(condition, reading);
  const isRaised = state.status === 'raised';
  if (isRaised === now >= since || (!isRaised && now < silentFrom)) return state;
  const shown = { variable: null, value: null, time: lastSeen, interval };
  return isRaised ? { ...shown, status: 'cleared', since: lastSeen } : { ...shown, status: 'raised', since };
}

function ofFailure(
  { variable, suspect }: FailedCondition,
  state: AlarmState,
  reading: AlarmInput,
): AlarmState {
  const { now, lastSeen, values } = reading;
  // A variable that the station no longer sends would keep the alarm raised for ever.
  const since = Math.min(now, lastSeen ?? now) - OLDEST_VALUE;
  const recent = [...values].filter(
    ([number, { time }]) => time > since && time > now - OLDEST_VALUE && (variable ?? number) === number,
  );
  const failing = recent.find(([, { flags }]) => isBad(flags, suspect));
  if (recent.length === 0 || (failing !== undefined) === (state.status === 'raised')) return state;
  if (failing !== undefined) return ofValue('raised', failing);
  const newest = recent.find(([number]) => number === (state.variable ?? number));
  return newest === undefined
    ? { ...QUIET, status: 'cleared', since: lastSeen, time: lastSeen }
    : ofValue('cleared', newest);
}

function isBad(flags: number, suspect: boolean): boolean {
  return suspect ? flags !== 0 : verdictOf(flags) === 'fail';
}

function ofThreshold(condition: ThresholdCondition, state: AlarmState, reading: AlarmInput): AlarmState {
  const { variable, clear, for: held } = condition;
  const newest = reading.values.get(variable);
  if (newest === undefined || !counts(newest.flags) || newest.time <= reading.now - OLDEST_VALUE)
    return state;
  if (state.status === 'raised')
    return isBeyond(condition, newest.value, clear) ? state : ofValue('cleared', [variable, newest]);
  if (!isBeyond(condition, newest.value)) return state;
  const isHeld = held === 0 || newest.time - (reading.heldSince ?? newest.time) >= held;
  return isHeld ? ofValue('raised', [variable, newest]) : state;
}

/** A value that is only suspect counts, because many true extremes are. */
function counts(flags: number): boolean {
  return verdictOf(flags) !== 'fail';
}

export function isBeyond(
  { kind, threshold }: Pick<ThresholdCondition, 'kind' | 'threshold'>,
  value: number,
  limit = threshold,
): boolean {
  return kind === 'above' ? value > limit : value < limit;
}

/** A column of values in order of time. */
export interface AlarmColumn {
  readonly times: Float64Array;
  /** NaN where absent. */
  readonly values: Float64Array;
  /** Undefined if all values passed. */
  readonly flags: Uint8Array | undefined;
}

/**
 * Since when all values up to the last one have been beyond the threshold; undefined if the last one is not.
 *
 * @param before the result for the rows before these
 */
export function heldSince(
  condition: ThresholdCondition,
  { times, values, flags }: AlarmColumn,
  before?: number,
): number | undefined {
  let since = before;
  for (const [row, value] of values.entries()) {
    if (Number.isNaN(value) || !counts(flags?.[row] ?? 0)) continue;
    if (!isBeyond(condition, value)) since = undefined;
    else since ??= times[row];
  }
  return since;
}

function ofValue(
  status: 'raised' | 'cleared',
  [variable, { value, time }]: readonly [number, NewestValue],
): AlarmState {
  return { status, since: time, variable, value, time, interval: null };
}
