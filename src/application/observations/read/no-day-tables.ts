import type { DayTableStore } from '../../ports/day-table-store.js';

/** For stores that keep no tables of days. */
export const NO_DAY_TABLES: DayTableStore = {
  removedMonths: () => Promise.resolve(undefined),
  outdated: () => Promise.resolve([]),
  find: () => Promise.resolve([]),
  put: () => Promise.resolve(),
};
