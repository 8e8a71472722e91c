/**
 * Version of the rules by which summaries, climate and derived quantities are computed from stored values. The version is part of
 * the ETags of these numbers, so that no cache uses old numbers after an upgrade. The version is also stored with every daily
 * aggregate. Aggregates of another version are not read, and are computed again in the background.
 *
 * Increase the version by one if a change makes the same stored values give other numbers. Examples of such a change:
 *
 * - another formula;
 * - another rule for which values belong to an interval, for how long a value applies, or when a number is valid;
 * - other fields of the stored sums (`layoutOf`).
 *
 * A change of names, texts or units of replies needs no increase. A test computes the numbers of a small series, and fails if
 * they change while the version stays the same.
 *
 * Version 1: until version 1.0.0 of the service. Version 2: a mean or a maximum of an interval belongs to the day in which the
 * interval ends, and an unknown reporting interval is estimated from a month. Version 3: while the sun is not up, a missing value of
 * radiation, of the UV index or of sunshine stands for zero. Version 4: a calm without a direction counts in the mean direction of a day
 * only if the day has a direction.
 */
export const COMPUTATION_RULES = 4;
