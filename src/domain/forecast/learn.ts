import { errorOf } from './link.js';
import { biasPart, type ForecastPlace } from './correct.js';
import type { IssuedForecast } from './forecast.js';
import { F, FORECAST_VARIABLES, type ForecastVariable } from './forecast-variables.js';
import {
  type LearnedErrors,
  NOTHING_LEARNED,
  type Outcome,
  withCase,
  withChangedStation,
} from './learned-errors.js';
import { leadClass, LEADS, PARTS_OF_DAY } from './leads.js';
import { type LearnedChance, NO_CHANCE_LEARNED, RAIN, withRain } from './rain-chance.js';
import { addBounds, addChance, addError, NINETY_PERCENT, normalProbability } from './scores.js';
import { REACH } from '../weather/summaries/at-times.js';
import { MILLISECONDS } from '../time.js';
import { type LeadScores, noScores } from './verification.js';

/** What a station has learned of a provider. */
export interface Learned {
  /** By number of the variable of forecasts. */
  readonly errors: ReadonlyMap<number, LearnedErrors>;
  readonly chance: LearnedChance;
}

export const NOTHING: Learned = { errors: new Map(), chance: NO_CHANCE_LEARNED };

/** What was learned after a change of the station or its position: the biases stay, but are learned anew. */
export function afterChange({ errors, chance }: Learned): Learned {
  const changed = [...errors].map(([number, own]) => [number, withChangedStation(own)] as const);
  return { errors: new Map(changed), chance };
}

/**
 * The scores of each variable and each class of leads, by number of the variable. A variable without outcomes may be absent. `FROST` is
 * not a variable of forecasts.
 */
export type Scores = ReadonlyMap<number, readonly LeadScores[]>;
export const FROST = 0;

/** A forecast for an hour, with the index of the hour. */
export interface ForecastOfHour {
  readonly forecast: IssuedForecast;
  readonly index: number;
}

/** One hour that is over. */
export interface FinishedHour {
  readonly time: number;
  /** The forecasts that were issued for the hour, up to the hour. */
  readonly forecasts: readonly ForecastOfHour[];
  /** What was observed, by number of the variable of forecasts; NaN if there is no value that passed. */
  readonly observed: ReadonlyMap<number, number>;
  /** What was observed at the same time of an earlier day, up to `DAYS_BEFORE` days before. */
  readonly before: (number: number, days: number) => number;
}

/** Largest number of days between an hour and the observation that persistence forecasts for it. */
export const DAYS_BEFORE = 11;

/**
 * Number of days from the observation that persistence forecasts to the hour that it forecasts: the last day whose observation was
 * there at the time of issue. An observation may be `REACH` later than its hour.
 *
 * @param lead milliseconds from the issue to the hour
 */
function daysBefore(lead: number): number {
  return Math.ceil((lead + REACH) / MILLISECONDS.day);
}

/** Scores the forecasts of hours. Depends on the forecasts as they were stored and on the observations only. */
export function scoreHours(hours: readonly FinishedHour[]): Scores {
  const scores = new Map<number, LeadScores[]>();
  const scoresOf = (number: number): LeadScores[] => {
    let own = scores.get(number);
    if (own === undefined) scores.set(number, (own = LEADS.map(noScores)));
    return own;
  };
  for (const variable of FORECAST_VARIABLES) {
    if (variable.observed === undefined) continue;
    for (const [hour, { forecast }, lead, outcome] of outcomesOf(variable, hours)) {
      const persisted = hour.before(variable.number, daysBefore(hour.time - forecast.issued));
      score(scoresOf(variable.number)[lead], outcome, persisted);
      if (variable.number === F.temperature) scoreFrost(scoresOf(FROST)[lead], outcome);
    }
  }
  for (const { lead, raw, published, hasRained } of chancesOf(hours)) {
    const scored = scoresOf(F.rain)[lead];
    if (scored === undefined) continue;
    addChance(scored.rawChance, raw, hasRained);
    addChance(scored.correctedChance, published, hasRained);
  }
  return scores;
}

/**
 * Learns from the hours of one part of a solar day. Causal, because the forecasts carry what was published at their issue, and the
 * result is used for later ones only.
 *
 * @param hours at most those of one part of the day
 */
export function learnPart(learned: Learned, hours: readonly FinishedHour[], place: ForecastPlace): Learned {
  const errors = new Map(learned.errors);
  for (const variable of FORECAST_VARIABLES) {
    if (variable.observed === undefined) continue;
    if (variable.link === undefined && variable.number !== F.humidity) continue;
    const cases = new Map<number, { lead: number; part: number; outcomes: Outcome[] }>();
    for (const [hour, , lead, outcome] of outcomesOf(variable, hours)) {
      const part = biasPart(variable, hour.time, place);
      const key = lead * PARTS_OF_DAY + part;
      const found = cases.get(key) ?? { lead, part, outcomes: [] };
      found.outcomes.push(outcome);
      cases.set(key, found);
    }
    if (cases.size === 0) continue;
    let known = errors.get(variable.number) ?? NOTHING_LEARNED;
    for (const { lead, part, outcomes } of cases.values())
      known = known.with(lead, withCase(known[lead] as LearnedErrors[number], part, outcomes));
    errors.set(variable.number, known);
  }
  let { chance } = learned;
  for (const { raw, hasRained } of chancesOf(hours)) chance = withRain(chance, raw, hasRained);
  return { errors, chance };
}

/** The forecasts of a variable with their outcomes. */
function* outcomesOf(
  variable: ForecastVariable,
  hours: readonly FinishedHour[],
): Generator<readonly [hour: FinishedHour, one: ForecastOfHour, lead: number, outcome: Outcome]> {
  for (const hour of hours) {
    const observed = hour.observed.get(variable.number) ?? Number.NaN;
    if (Number.isNaN(observed)) continue;
    for (const one of hour.forecasts) {
      const lead = leadClass(hour.time - one.forecast.issued);
      const outcome = lead < 0 ? undefined : outcomeOf(variable, one, observed);
      if (outcome === undefined || isNight(variable, outcome)) continue;
      yield [hour, one, lead, outcome];
    }
  }
}

/** The chances of rain from 0 to 1: that of the provider and the published one, and whether it rained. */
function* chancesOf(hours: readonly FinishedHour[]) {
  for (const { time, observed, forecasts } of hours) {
    const rain = observed.get(F.rain) ?? Number.NaN;
    if (Number.isNaN(rain)) continue;
    for (const { forecast, index } of forecasts) {
      const lead = leadClass(time - forecast.issued);
      const raw = (forecast.values.get(F.rainChance)?.[index] ?? Number.NaN) / 100;
      if (lead < 0 || Number.isNaN(raw)) continue;
      const isPublished = forecast.published.get(F.rainChance)?.[lead] === true;
      const own = isPublished ? (forecast.corrected.get(F.rainChance)?.[index] ?? Number.NaN) / 100 : raw;
      yield { lead, raw, published: own, hasRained: rain >= RAIN };
    }
  }
}

function outcomeOf(
  variable: ForecastVariable,
  { forecast, index }: ForecastOfHour,
  observed: number,
): Outcome | undefined {
  const { number, link, unit } = variable;
  const at = (columns: ReadonlyMap<number, Float64Array>) => columns.get(number)?.[index] ?? Number.NaN;
  const raw = at(forecast.values);
  if (Number.isNaN(raw)) return undefined;
  const corrected = forecast.corrected.has(number) ? at(forecast.corrected) : raw;
  const lead = leadClass((forecast.times[index] as number) - forecast.issued);
  const published = forecast.published.get(number)?.[lead] === true ? corrected : raw;
  return {
    raw,
    corrected,
    published,
    low: at(forecast.low),
    high: at(forecast.high),
    observed,
    error: link === undefined ? 0 : errorOf(link, unit, raw, observed),
  };
}

/** A night without radiation says nothing about a forecast of radiation. */
function isNight({ number }: ForecastVariable, { raw, observed }: Outcome): boolean {
  return number === F.radiation && raw <= 0 && observed <= 0;
}

function score(sums: LeadScores | undefined, outcome: Outcome, persisted: number): void {
  if (sums === undefined) return;
  const { raw, published, low, high, observed } = outcome;
  addError(sums.raw, raw, observed);
  addError(sums.corrected, published, observed);
  if (!Number.isNaN(persisted)) addError(sums.persistence, persisted, observed);
  if (!Number.isNaN(low)) addBounds(sums.bounds, { value: published, low, high }, observed);
}

function scoreFrost(sums: LeadScores | undefined, { raw, published, low, high, observed }: Outcome): void {
  if (sums === undefined || Number.isNaN(low)) return;
  addChance(sums.rawChance, raw < 0 ? 1 : 0, observed < 0);
  // Rounded to 0.1 %, because a bound of exactly 0 °C is a chance of exactly 10 % or 90 %, at the edge of two bins of the reliability.
  const chance = Math.round(1000 * chanceBelow(0, { value: published, low, high })) / 1000;
  addChance(sums.correctedChance, chance, observed < 0);
}

/** The chance that a value is below a limit, from a published value and its bounds of 10 % and 90 %. */
export function chanceBelow(
  limit: number,
  bounds: { readonly value: number; readonly low: number; readonly high: number },
): number {
  const deviation = (bounds.high - bounds.low) / 2 / NINETY_PERCENT;
  if (!(deviation > 0)) return bounds.value < limit ? 1 : 0;
  return normalProbability((limit - bounds.value) / deviation);
}
