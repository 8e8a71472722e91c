import { type FinishedHour, type Scores, scoreHours } from '#domain/forecast/learn.js';
import { addedDigests, observedDigest } from '#domain/forecast/observed-digest.js';
import { addAllScores } from '#domain/forecast/verification.js';

/** The scores of the hours of a month, by UTC. */
export interface MonthScores {
  readonly scores: Scores;
  /** End of the hours that the scores include, in milliseconds since 1970-01-01T00:00:00Z; -Infinity if there are none. */
  readonly until: number;
  /** `observedDigest` of these hours. Another one means that observations have come late, or that their quality has changed. */
  readonly digest: number;
  /** Number of pairs of these hours and forecasts. It shrinks when old forecasts are removed. The scores are then kept as they are. */
  readonly forecasts: number;
}

export const NO_SCORES: MonthScores = { scores: new Map(), until: -Infinity, digest: 0, forecasts: 0 };

/** @param hours of one month @param until their end, in milliseconds since 1970-01-01T00:00:00Z */
export function scoredMonth(hours: readonly FinishedHour[], until: number): MonthScores {
  return {
    scores: scoreHours(hours),
    until,
    digest: observedDigest(hours),
    forecasts: hours.reduce((sum, { forecasts }) => sum + forecasts.length, 0),
  };
}

/** The scores with those of later hours. Changes the sums of `month` in place. */
export function addMonth(month: MonthScores, { scores, until, digest, forecasts }: MonthScores): MonthScores {
  const sums = new Map(month.scores);
  addAllScores(sums, scores);
  return {
    scores: sums,
    until,
    digest: addedDigests(month.digest, digest),
    forecasts: month.forecasts + forecasts,
  };
}

/** The month of a time by UTC: `2026-11`. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** Begin and end of a month, in milliseconds since 1970-01-01T00:00:00Z. @param month `2026-11` */
export function spanOfMonth(month: string): readonly [begin: number, end: number] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return [Date.UTC(year, number - 1), Date.UTC(year, number)];
}
