import type { Stores } from '#application/ports/stores.js';
import { emptyFields, layoutOf } from '#domain/weather/summaries/layout.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { SECOND_VALUE_DELAY, START, STATIONS, STEP, timeOf, valueOf, ZONE } from './churned-steps.js';

/** If more steps than this number are stored, old rows must have been removed. */
const REMOVING = 20;

/**
 * Compares the rows, the daily aggregates and the totals with the expected values.
 *
 * @param steps number of acknowledged steps. One further step may be stored that was not acknowledged
 * @returns the number of stored steps
 * @throws Error if a value differs
 */
export async function compareRows(
  { observations, stations, dailyAggregates }: Stores,
  steps: number,
): Promise<number> {
  const removed = await stations.expiredUntil();
  const [inventory] = await observations.inventory([1]);
  const stored = inventory?.last == null ? 0 : (inventory.last - START) / STEP + 1;
  if (stored < steps || stored > steps + 1) throw new Error(`${stored} steps are stored instead of ${steps}`);
  if (stored > REMOVING && removed.size === 0) throw new Error(`No rows of ${stored} steps were removed.`);
  const counts = new Map<number, number>();
  for await (const { stations: numbers, times, values } of observations.read({ from: 0, to: 8e15 })) {
    for (const [row, station] of numbers.entries()) {
      const step = ((times[row] as number) - START) / STEP;
      const second = step + SECOND_VALUE_DELAY < stored ? (step + SECOND_VALUE_DELAY) % 90 : Number.NaN;
      const [one, other] = [values.get(1)?.[row], values.get(4)?.[row] ?? Number.NaN];
      // A row always has its first value. It has its second value only if a later step has written this value.
      if (one !== valueOf(station, step) || !Object.is(other, second))
        throw new Error(`Step ${step} of station ${station} has ${one} and ${other}`);
      counts.set(station, (counts.get(station) ?? 0) + 1);
    }
  }
  if (stored === 0) return 0;
  for (let station = 1; station <= STATIONS; station += 1) {
    const months = await dailyAggregates.find({
      stations: [station],
      timeZone: ZONE,
      from: 0,
      to: removed.get(station) ?? 0,
    });
    // The daily aggregates still contain the number of rows of the months whose rows were removed.
    const summed = (months ?? []).flatMap((month) => {
      const fields = emptyFields(layoutOf(variableNumbered(1)), month.days);
      month.copyTo(1, fields, 0);
      return [...(fields[0] ?? [])];
    });
    const until = removed.get(station) ?? -Infinity;
    const remainingRows = Array.from({ length: stored }, (_, step) => timeOf(step)).filter(
      (time) => time >= until,
    ).length;
    const total = summed.reduce((sum, count) => sum + count, 0) + remainingRows;
    const rows = counts.get(station) ?? 0;
    // `rows` may be larger than `remainingRows`, because an interrupted removal can leave rows of the removed months.
    if (total !== stored || rows < remainingRows)
      throw new Error(`Station ${station} has ${rows} rows, ${total} of ${stored} steps`);
  }
  return stored;
}
