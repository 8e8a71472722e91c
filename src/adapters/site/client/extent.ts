import type { Inventory } from './api.js';

/** The times of the first and the last value of a station, a report or a value of a day. */
export function extentOf({ first, last, daily }: Inventory): Pick<Inventory, 'first' | 'last'> {
  if (daily === undefined || first === null || last === null) return { first, last };
  const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b);
  return {
    first: [first, daily.first].toSorted(byTime)[0] as string,
    last: [last, daily.last].toSorted(byTime)[1] as string,
  };
}
