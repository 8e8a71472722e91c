/**
 * Version of the rules by which summaries, climate and derived quantities are computed from stored values. The version is part of
 * the ETags of these numbers and of every daily aggregate, so that neither a cache nor an aggregate uses old rules after an
 * upgrade: aggregates of another version are not read, and are computed again in the background.
 *
 * Increase the version by one with every change after which the same stored values give other numbers: which values belong to an
 * interval, how long a value applies, when a number is valid, a formula, a layout of sums. A change of names, texts or units of
 * replies needs no increase. A test computes the numbers of a small series, and fails if they change while the version stays the
 * same.
 *
 * 1: until version 1.0.0. 2: means and maxima of an interval belong to the day in which it ends; an unknown reporting interval is
 * estimated from a month.
 */
export const COMPUTATION_RULES = 2;
