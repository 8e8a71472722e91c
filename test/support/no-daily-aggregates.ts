import type { DailyAggregateStore } from '#application/ports/daily-aggregate-store.js';

/** Keeps no tables of days, so that rows are read. */
export const NO_DAILY_AGGREGATES: DailyAggregateStore = {
  expiredMonths: () => Promise.resolve(undefined),
  outdated: () => Promise.resolve([]),
  find: () => Promise.resolve([]),
  put: () => Promise.resolve(),
};
