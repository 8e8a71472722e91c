import type { StationStore } from '../ports/station-store.js';
import { workThrough } from '../work-through.js';

/**
 * Deletes the rows of all stations that were removed for good.
 *
 * @param signal ends it early; the next call deletes what is left
 * @throws the first failure, after all stations have been worked on
 */
export async function eraseRows(stations: StationStore, signal?: AbortSignal): Promise<void> {
  const isEnding = () => signal?.aborted === true;
  const erase = async (number: number) => {
    while ((await stations.eraseRows(number)) && !isEnding());
  };
  await workThrough(await stations.erased(), erase, signal);
}
