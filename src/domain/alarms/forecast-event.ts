import { publishedValues } from '../forecast/correct.js';
import type { IssuedForecast } from '../forecast/forecast.js';
import { F, forecastVariableNamed } from '../forecast/forecast-variables.js';
import { NINETY_PERCENT, normalProbability } from '../forecast/scores.js';
import { MILLISECONDS } from '../time.js';
import { variableNumbered } from '../weather/variables.js';
import type { ForecastCondition } from './condition.js';
import { FORECAST_PROBABILITY, RAIN_AMOUNT, ASSUMED_ERRORS } from './forecast-limits.js';

/** An hour of a forecast, seen by a condition. */
export interface ForecastHour {
  /** Milliseconds since 1970-01-01T00:00:00Z. An amount or a maximum is of the hour that ends at this time. */
  readonly time: number;
  /** The published value, in the stored unit. */
  readonly value: number;
  /** Chance that the value is beyond the threshold; for rain the chance of any rain. From 0 to 1. */
  readonly chance: number;
  /** Whether the chance follows from bounds of the forecast, or from the usual errors of forecasts. */
  readonly isKnown: boolean;
  /** Whether the hour raises an alarm, and whether it keeps an alarm raised. */
  readonly isRaising: boolean;
  readonly isKeeping: boolean;
}

/** What is expected of an event. */
export interface Expectation {
  /** Time and value of the hour with the most extreme value. */
  readonly time: number;
  readonly value: number;
  /** The largest chance of an hour, rounded to whole percents, at most 0.99. Absent if the forecast has no bounds. */
  readonly chance?: number;
}

/** Changes the state of an alarm. `until` is the last hour of the event, in milliseconds since 1970-01-01T00:00:00Z. */
export type ForecastStep =
  | { readonly kind: 'raise'; readonly until: number; readonly expected: Expectation }
  | { readonly kind: 'continue'; readonly until: number }
  /** The hours of the event are over. */
  | { readonly kind: 'pass' }
  /** The forecast does not expect the event any more. */
  | { readonly kind: 'withdraw'; readonly expected: Expectation };

/**
 * An alarm is kept raised down to this share of its probability, and for rain of its amount. Without it, an alarm would be raised and
 * cleared with each new forecast at the edge.
 */
const KEPT_SHARE = 0.5;
/**
 * Hours of two events are farther apart than this, in milliseconds. A milder hour in the middle of a night does not make two nights of it,
 * and the steps of forecasts after the first days are as long.
 */
const MAX_GAP = 6 * MILLISECONDS.hour;

/**
 * The hours of a forecast whose values are known, in order of time.
 *
 * The chance of an hour is that of a normal distribution on each side of the published value, which is the median: 10 % of the outcomes are
 * below `low` and 10 % above `high`. The scores of forecasts use the same distribution.
 */
export function forecastHours(
  condition: ForecastCondition,
  forecast: IssuedForecast,
): readonly ForecastHour[] {
  const { name } = variableNumbered(condition.variable);
  const number = forecastVariableNamed(name)?.number;
  if (number === undefined || !forecast.values.has(number)) return [];
  const values = publishedValues(forecast, number);
  const read =
    name === RAIN_AMOUNT ? rainHour(condition, forecast) : boundedHour(condition, forecast, number);
  return [...forecast.times.entries()].flatMap(([index, time]) => {
    const value = values[index] as number;
    const hour = Number.isNaN(value) ? undefined : read(value, index);
    return hour === undefined ? [] : { time, value, ...hour };
  });
}

type HourChance = Omit<ForecastHour, 'time' | 'value'>;

function boundedHour(
  { comparison, threshold, probability, variable }: ForecastCondition,
  { low, high }: IssuedForecast,
  number: number,
): (value: number, index: number) => HourChance {
  const { base = 0, share = 0 } = ASSUMED_ERRORS[variableNumbered(variable).name] ?? {};
  return (value, index) => {
    // The threshold lies on one side of the median, whose bound counts. A bound of a wind near 0 is cut off at 0.
    const bound = (threshold < value ? low : high).get(number)?.[index] ?? Number.NaN;
    const isKnown = !Number.isNaN(bound);
    const deviation = isKnown ? Math.abs(bound - value) / NINETY_PERCENT : base + share * Math.abs(value);
    // The smallest deviation avoids a division by 0.
    const below = normalProbability((threshold - value) / Math.max(deviation, 1e-9));
    const chance = comparison === 'below' ? below : 1 - below;
    return {
      chance,
      isKnown,
      isRaising: chance >= probability,
      isKeeping: chance >= KEPT_SHARE * probability,
    };
  };
}

/** An hour raises an alarm if its amount is above the threshold and the chance of rain is large enough. */
function rainHour(
  { threshold, probability }: ForecastCondition,
  forecast: IssuedForecast,
): (value: number, index: number) => HourChance | undefined {
  const chances = publishedValues(forecast, F.rainChance);
  return (value, index) => {
    const chance = (chances[index] as number) / 100;
    if (Number.isNaN(chance)) return undefined;
    return {
      chance,
      isKnown: true,
      isRaising: value > threshold && chance >= probability,
      isKeeping: value > KEPT_SHARE * threshold && chance >= KEPT_SHARE * probability,
    };
  };
}

/**
 * The next step of an alarm on a forecast; undefined if nothing changes.
 *
 * The hours of an event are not independent: the errors of one night are mostly one error. So the chance of an event is the largest chance
 * of its hours. It is exact if the hours share their error, and otherwise a lower bound.
 *
 * @param until last hour of the event for which the alarm is raised; undefined if it is not raised
 * @param forecast undefined if there is no forecast, or if it is too old to say anything
 */
export function forecastStep(
  condition: ForecastCondition,
  until: number | undefined,
  now: number,
  forecast: readonly ForecastHour[] | undefined,
): ForecastStep | undefined {
  const hours = forecast?.filter(({ time }) => time > now);
  if (until === undefined) return hours && raise(condition, now, hours);
  const isOver = now > until;
  const before = hours?.filter(({ time }) => time <= until) ?? [];
  // A forecast without the hours of the event says nothing about it.
  if (hours === undefined || (!isOver && before.length === 0)) return isOver ? { kind: 'pass' } : undefined;
  const event = eventsIn(hours).findLast(([first]) => (first?.time ?? Infinity) <= until + MAX_GAP);
  if (event === undefined)
    return isOver ? { kind: 'pass' } : { kind: 'withdraw', expected: expectationOf(condition, before) };
  const last = lastTime(event);
  return last === until ? undefined : { kind: 'continue', until: last };
}

function raise(
  condition: ForecastCondition,
  now: number,
  hours: readonly ForecastHour[],
): ForecastStep | undefined {
  const { within } = condition;
  const event = eventsIn(hours).find((own) =>
    own.some(({ time, isRaising }) => isRaising && time <= now + within),
  );
  if (event === undefined) return undefined;
  // A frost may last for weeks. The message is about the next night.
  const soon = event.filter(({ time }) => time <= now + Math.max(within, MILLISECONDS.day));
  return { kind: 'raise', until: lastTime(event), expected: expectationOf(condition, soon) };
}

/** The hours that keep an alarm raised, by event. */
function eventsIn(hours: readonly ForecastHour[]): readonly (readonly ForecastHour[])[] {
  const events: ForecastHour[][] = [];
  for (const hour of hours) {
    if (!hour.isKeeping) continue;
    const event = events.at(-1);
    if (event === undefined || hour.time - lastTime(event) > MAX_GAP) events.push([hour]);
    else event.push(hour);
  }
  return events;
}

function lastTime(hours: readonly ForecastHour[]): number {
  return hours.at(-1)?.time ?? -Infinity;
}

/** @param hours at least one */
function expectationOf({ comparison }: ForecastCondition, hours: readonly ForecastHour[]): Expectation {
  const isMore = (one: number, other: number) => (comparison === 'below' ? one < other : one > other);
  const { time, value } = hours.reduce((most, hour) => (isMore(hour.value, most.value) ? hour : most));
  const chance = Math.max(...hours.map((hour) => hour.chance));
  return {
    time,
    value,
    ...(hours.every(({ isKnown }) => isKnown) && {
      chance: Math.min(FORECAST_PROBABILITY.max, Math.round(chance * 100) / 100),
    }),
  };
}
