import { MILLISECONDS } from '#domain/time.js';
import { trendName } from '#domain/weather/current/trend-name.js';
import type { RecentParts, Reply } from '../api.js';
import { appendDerived, appendNewest, appendToHours } from '../now/append.js';
import type { SparkValues } from '../now/model/spark.js';
import type { RibbonHour } from '../ribbon/ribbon-model.js';
import type { LiveChange } from './live-stream.js';

type Fact = Reply<'/v1/stations/{id}/now', 'get'>['facts'][number];
type FactOf<Code extends Fact['code']> = Extract<Fact, { code: Code }>;

/** The shown data of a station that its events contain. */
export interface ShownStation extends Pick<LiveChange, 'last_seen' | 'latest' | 'alarms'>, RecentParts {
  readonly units: Readonly<Record<string, string>>;
  /** Failed checks of the newest values, by variable. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  readonly facts?: readonly Fact[];
  /** The values of the last 24 hours by variable. */
  readonly lines?: Readonly<Record<string, SparkValues>>;
  /** Rain and wind by local hour. */
  readonly hours?: readonly RibbonHour[];
}

const [TEMPERATURE, RAIN] = ['air_temperature', 'precipitation_amount'];

/** The data after a change. Nothing has to be read: the event contains the newest values and the totals of the day. */
export function withChange<Data extends ShownStation>(shown: Data, change: LiveChange): Data {
  const { latest, units, last_seen, today = shown.today, trend = shown.trend, rain = shown.rain } = change;
  const { derived, alarms = shown.alarms } = change;
  // The checks of a new value are unknown, because events contain only its verdict.
  const checks = Object.entries(shown.checks).filter(
    ([name]) => latest[name]?.time === shown.latest[name]?.time,
  );
  return {
    ...shown,
    latest,
    last_seen,
    units: { ...shown.units, ...units },
    checks: Object.fromEntries(checks),
    ...(today && { today }),
    ...(trend && { trend }),
    ...(rain && { rain }),
    ...(alarms && { alarms }),
    ...(shown.lines && { lines: appendDerived(appendNewest(shown.lines, latest), derived) }),
    ...(shown.hours && { hours: appendToHours(shown.hours, { before: shown.latest, latest }) }),
    ...(shown.facts && { facts: shown.facts.map((fact) => factAfter(fact, shown, change)) }),
  };
}

/**
 * Whether the data must be read again after a change: if several rows have arrived, or rows before the newest row have changed, the lines
 * and the hours of the last 24 hours may be wrong; and facts change when rain begins or ends.
 */
export function needsReading(
  { last_seen: lastSeen, facts }: ShownStation,
  { from, to, last_seen: newest, latest }: LiveChange,
): boolean {
  if (lastSeen === null || newest === null || Date.parse(from) < Date.parse(lastSeen)) return true;
  if (from !== to && Date.parse(from) > Date.parse(lastSeen)) return true;
  if (facts === undefined) return false;
  const amount = latest[RAIN];
  const isWet = amount !== undefined && amount.verdict === 'pass' && amount.value > 0;
  const spell = facts.find((fact) => fact.code === 'rain');
  if (spell === undefined) return isWet && amount.time === newest;
  return !isWet && Date.parse(newest) - Date.parse(spell.to) >= MILLISECONDS.hour;
}

function factAfter(fact: Fact, shown: ShownStation, change: LiveChange): Fact {
  if (fact.code === 'temperature') return temperatureAfter(fact, change);
  return fact.code === 'rain' ? rainAfter(fact, shown, change) : fact;
}

function temperatureAfter(fact: FactOf<'temperature'>, { latest, trend }: LiveChange): Fact {
  const newest = latest[TEMPERATURE];
  if (newest === undefined) return fact;
  const { time, value, verdict } = newest;
  const change = trend?.[TEMPERATURE]?.change ?? null;
  return { ...fact, time, value, verdict, change, trend: change === null ? null : trendName(change) };
}

/** The rain of the spell grows as the rain of the day does. */
function rainAfter(fact: FactOf<'rain'>, shown: ShownStation, { latest, today }: LiveChange): Fact {
  const newest = latest[RAIN];
  const isWet = newest?.verdict === 'pass' && newest.value > 0 && newest.time > fact.to;
  if (!isWet || today === undefined) return fact;
  const before = today.from === shown.today?.from ? (shown.today.rain ?? 0) : 0;
  const added = (today.rain ?? 0) - before;
  return { ...fact, to: newest.time, amount: Number((fact.amount + added).toPrecision(10)) };
}

/**
 * The number of whole hours since the end of a day whose totals have not been replaced; negative before its end. On days on which
 * clocks change, the totals are replaced up to an hour later.
 *
 * @param now in ms since 1970
 */
export function hoursAfterDay(today: RecentParts['today'], now: number): number {
  if (today === undefined) return -1;
  return Math.floor((now - Date.parse(today.from) - MILLISECONDS.day) / MILLISECONDS.hour);
}
