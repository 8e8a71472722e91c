/**
 * The number of the rules by which summaries, the climate and derived quantities are computed from stored values. It is part of every
 * ETag of them and of every table of days, so that neither a cache nor a table answers by former rules after an upgrade: tables of
 * another number are not read, and are computed again in the background.
 *
 * Raise it by one with every change after which the same stored values give other numbers: which values belong to an interval, how long
 * a value stands, when a number is valid, a formula, a layout of sums. A change of names, units of replies or texts needs none. The test
 * of the computed numbers of a small series fails while numbers differ and this one does not.
 *
 * 1: until version 1.0.0. 2: means and maxima of an interval belong to the day in which it ends; an unknown reporting interval is
 * estimated from a month.
 */
export const COMPUTATION_RULES = 2;
