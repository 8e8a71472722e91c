import { pause } from '../../pause.js';
import type { SentObservations } from './receipt.js';
import { Refusals } from './refusals.js';
import { type SentColumn, SLICE } from './sent-columns.js';

/** Milliseconds by which the time of a row may be later than the clock of the service. */
export const MAX_AHEAD = 600_000;
/** The earliest time that a row may have. */
export const EARLIEST = Date.UTC(1600, 0, 1);

/**
 * Finds the rows of one station that cannot be taken.
 *
 * @param latest last time that is taken, milliseconds since 1970-01-01T00:00:00Z
 */
export async function refusalsOf(
  { times, rejections, unreadable }: SentObservations,
  columns: readonly SentColumn[],
  latest: number,
): Promise<Refusals> {
  const refusals = new Refusals(times.length);
  for (const { index, field, reason } of rejections) refusals.add(index, field, () => reason);
  for (let row = 0; row < times.length; row += 1) {
    if (row > 0 && row % SLICE === 0) await pause();
    if (unreadable?.[row] === 1) refusals.mark(row);
    const time = times[row] as number;
    if (Number.isNaN(time)) continue; // Refused where it was read.
    if (time > latest) refusals.add(row, 'time', () => 'lies in the future');
    else if (time < EARLIEST) refusals.add(row, 'time', () => 'lies before 1600');
    else if (columns.every(({ column }) => Number.isNaN(column[row])))
      refusals.add(row, 'row', () => 'has no value');
    for (const { variable, column } of columns) {
      if (Math.abs(column[row] as number) === Infinity)
        refusals.add(row, variable.name, () => 'is not finite');
    }
  }
  return refusals;
}
