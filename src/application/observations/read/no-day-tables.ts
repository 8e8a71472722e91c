import type { DayTableStore } from '../../ports/day-table-store.js';

/** For stores that keep no tables of days. */
export const NO_DAY_TABLES: DayTableStore = {
  find: () => Promise.resolve([]),
  put: () => Promise.resolve(),
};
