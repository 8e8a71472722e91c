import type { StationStore } from '../ports/station-store.js';
import { workThrough } from '../work-through.js';

/**
 * Deletes the rows of all permanently removed stations.
 *
 * @param signal ends the work early; the next call deletes the remaining rows
 * @throws the first failure, after the work on all stations
 */
export async function eraseRows(stations: StationStore, signal?: AbortSignal): Promise<void> {
  const isEnding = () => signal?.aborted === true;
  const erase = async (number: number) => {
    while ((await stations.eraseRows(number)) && !isEnding());
  };
  await workThrough(await stations.erased(), erase, signal);
}
