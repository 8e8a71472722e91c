import type { DayTableStore } from '#application/ports/day-table-store.js';

/** Keeps no tables of days, so that rows are read. */
export const NO_DAY_TABLES: DayTableStore = {
  removedMonths: () => Promise.resolve(undefined),
  outdated: () => Promise.resolve([]),
  find: () => Promise.resolve([]),
  put: () => Promise.resolve(),
};
