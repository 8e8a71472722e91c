import { ChangeStations } from '#application/stations/change-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import type { ImportContext } from './import-context.js';

/**
 * Sets the unknown reporting intervals of stations to the interval between the routine reports of a file. Known reporting
 * intervals remain unchanged.
 *
 * @param ids ids of stations; unknown ids are ignored
 * @returns the ids of the changed stations
 */
export async function setUnknownIntervals(
  ids: ReadonlySet<string>,
  seconds: number | undefined,
  { useCase, caller }: ImportContext,
): Promise<readonly string[]> {
  if (seconds === undefined) return [];
  const stations = await useCase(ListStations).execute();
  const unknown = stations.filter(
    ({ id, reportingInterval, damaged }) =>
      ids.has(id) && reportingInterval === null && damaged === undefined,
  );
  if (unknown.length === 0) return [];
  const edits = unknown.map(({ id }) => ({ id, change: { reportingInterval: seconds } }));
  await useCase(ChangeStations).execute(edits, caller);
  return unknown.map(({ id }) => id);
}
