import type { DailyAggregateStore } from '#application/ports/daily-aggregate-store.js';

/** A store without daily aggregates, so that the service reads rows. */
export const NO_DAILY_AGGREGATES: DailyAggregateStore = {
  expiredMonths: () => Promise.resolve(undefined),
  outdated: () => Promise.resolve([]),
  find: () => Promise.resolve([]),
  put: () => Promise.resolve(),
};
