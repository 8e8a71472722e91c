import type { Inventory, Station } from '../api.js';
import { extentOf } from '../extent.js';
import { localTime } from '../charts/model/zone.js';

/** The local years from the first to the last observation, newest first. A value of midnight describes the time before it. */
export function shownYearsOf(inventory: Inventory, { time_zone: zone }: Station): string[] {
  const { first, last } = extentOf(inventory);
  if (first === null || last === null) return [];
  const [begin = 0, end = 0] = [first, last].map((time) =>
    Number(localTime(Date.parse(time) - 1, zone).date.slice(0, 4)),
  );
  return Array.from({ length: end - begin + 1 }, (_year, index) => String(end - index));
}
