import { type BiasFilter, UNKNOWN_BIAS, unsure, withError } from './bias-filter.js';
import { LEADS, PARTS_OF_DAY } from './leads.js';

/** The errors of one class of lead times. Errors are in the unit of the variable, biases in the unit of its `Link`. */
export interface LeadErrors {
  /** The bias in each part of the solar day, or for each height of the sun. */
  readonly biases: readonly BiasFilter[];
  /** Number of learned cases: parts of a day with at least one forecast and one observation. */
  readonly cases: number;
  /** Trailing means of the absolute errors of the forecast, and of the corrected forecast. */
  readonly rawScore: number;
  readonly correctedScore: number;
  /** Whether the corrected values are better, so that they are published. */
  readonly isPublished: boolean;
  /** Trailing mean of the squared errors of the published forecast. */
  readonly square: number;
  /** Trailing mean of the errors that the filter did not expect, in standard deviations. Far from 0 after a change of the model. */
  readonly drift: number;
  /** Factor of the standard deviation with which 80 % of the outcomes are between the bounds. */
  readonly spread: number;
}

/** What a station has learned of the errors of one variable of a provider, for each class of lead times. */
export type LearnedErrors = readonly LeadErrors[];

const NO_ERRORS: LeadErrors = {
  biases: Array.from({ length: PARTS_OF_DAY }, () => UNKNOWN_BIAS),
  cases: 0,
  rawScore: 0,
  correctedScore: 0,
  isPublished: false,
  square: 0,
  drift: 0,
  spread: 1,
};

export const NOTHING_LEARNED: LearnedErrors = LEADS.map(() => NO_ERRORS);

/** A forecast value and its outcome. */
export interface Outcome {
  readonly raw: number;
  /** The corrected value as it was issued, and the value that was published: one of the two. */
  readonly corrected: number;
  readonly published: number;
  /** The bounds that were published; NaN if there were none. */
  readonly low: number;
  readonly high: number;
  readonly observed: number;
  /** The error of `raw`, see `errorOf`. */
  readonly error: number;
}

/** Fewest cases after which corrected values and bounds are published: two days. */
export const MIN_CASES = 16;
/** Largest score of the corrected values, as a share of the score of the forecast, with which their publication begins, and ends. */
const [OPENS_BELOW, CLOSES_ABOVE] = [0.97, 1];
/** Weights of a new case in trailing means: of scores, of squares, of unexpected errors. */
const [SCORE_WEIGHT, SQUARE_WEIGHT, DRIFT_WEIGHT] = [0.03, 0.03, 0.1];
/** Drift, in standard deviations, that is a change of the model and not of the weather. */
const MAX_DRIFT = 2;
/** Share of the outcomes that the bounds are meant to include, and the speed at which the spread is adjusted. */
export const COVERAGE = 0.8;
const SPREAD_SPEED = 0.02;
const [SMALLEST_SPREAD, LARGEST_SPREAD] = [0.4, 3];

/**
 * Learns from one case: the forecasts of one class of leads for one part of a day. All outcomes of the case are one error of the
 * filter, because they share the weather.
 *
 * The spread follows adaptive conformal inference (Gibbs and Candès, 2021, arXiv:2106.00170): it grows when too few outcomes were
 * between the bounds, and shrinks when too many were.
 *
 * @param part part of the solar day
 * @param outcomes at least one
 */
export function withCase(errors: LeadErrors, part: number, outcomes: readonly Outcome[]): LeadErrors {
  const mean = (value: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + value(outcome), 0) / outcomes.length;
  const trailing = (before: number, now: number, weight: number) =>
    before + Math.max(weight, 1 / (errors.cases + 1)) * (now - before);
  const error = mean((outcome) => outcome.error);
  const filter = errors.biases[part] ?? UNKNOWN_BIAS;
  const deviation = Math.sqrt(errors.square);
  const unexpected =
    deviation === 0 ? 0 : mean(({ corrected, observed }) => corrected - observed) / deviation;
  const drift = errors.drift + DRIFT_WEIGHT * (unexpected - errors.drift);
  const hasChanged = Math.abs(drift) > MAX_DRIFT;
  const biases = hasChanged ? errors.biases.map(unsure) : errors.biases;
  const bounded = outcomes.filter(({ low }) => !Number.isNaN(low));
  const inside = bounded.filter(({ low, high, observed }) => observed >= low && observed <= high).length;
  const surprise = bounded.length === 0 ? 0 : COVERAGE - inside / bounded.length;
  const rawScore = trailing(
    errors.rawScore,
    mean(({ raw, observed }) => Math.abs(raw - observed)),
    SCORE_WEIGHT,
  );
  const ownScore = trailing(
    errors.correctedScore,
    mean(({ corrected, observed }) => Math.abs(corrected - observed)),
    SCORE_WEIGHT,
  );
  // What was learned of another model says nothing: corrected values have to be better again before they are published.
  const correctedScore = hasChanged ? Math.max(ownScore, rawScore) : ownScore;
  const limit = errors.isPublished ? CLOSES_ABOVE : OPENS_BELOW;
  return {
    biases: biases.with(part, withError(hasChanged ? unsure(filter) : filter, error)),
    cases: errors.cases + 1,
    rawScore,
    correctedScore,
    isPublished: errors.cases + 1 >= MIN_CASES && correctedScore < limit * rawScore,
    square: trailing(
      errors.square,
      mean(({ published, observed }) => (published - observed) ** 2),
      SQUARE_WEIGHT,
    ),
    drift: hasChanged ? 0 : drift,
    spread: Math.min(
      LARGEST_SPREAD,
      Math.max(SMALLEST_SPREAD, errors.spread * Math.exp(SPREAD_SPEED * surprise)),
    ),
  };
}

/** The learned errors after a change of the station: the biases stay, but are learned anew. */
export function withChangedStation(learned: LearnedErrors): LearnedErrors {
  return learned.map((errors) => ({ ...errors, biases: errors.biases.map(unsure) }));
}
