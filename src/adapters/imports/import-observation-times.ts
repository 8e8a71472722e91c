import { ChangeStations } from '#application/stations/change-stations.js';
import { ListStations } from '#application/stations/list-stations.js';
import { type ObservedTimes, periodsOf, withObservationTimes } from '#domain/weather/station-history.js';
import type { ImportContext } from './import-context.js';

/** Largest number of periods in the history of a station that an import makes. All lists of stations contain the histories. */
const MAX_PERIODS = 100;

/** What an import did with the times of observation of a file. */
export interface SetTimes {
  /** Ids of the stations whose history has further times of observation now. */
  readonly changed: readonly string[];
  /** Ids of the stations whose times change so often in the file that their history did not change. */
  readonly refused: readonly string[];
}

/**
 * Sets the times of observation of a file in the histories of its stations, where these say nothing. Known times remain unchanged.
 *
 * @param times the times of each station, by its id; unknown ids are ignored
 */
export async function setUnknownObservationTimes(
  times: Iterable<readonly [id: string, observed: readonly ObservedTimes[]]>,
  { useCase, caller }: ImportContext,
): Promise<SetTimes> {
  const byId = new Map(times);
  if (byId.size === 0) return { changed: [], refused: [] };
  const edits: { readonly id: string; readonly observed: readonly ObservedTimes[] }[] = [];
  const refused: string[] = [];
  for (const station of await useCase(ListStations).execute()) {
    const observed = byId.get(station.id);
    if (observed === undefined || station.damaged !== undefined) continue;
    const changed = withObservationTimes(station, observed);
    if (changed === station) continue;
    if (periodsOf(changed).length > MAX_PERIODS) refused.push(station.id);
    else edits.push({ id: station.id, observed });
  }
  if (edits.length > 0) await useCase(ChangeStations).execute(edits, caller);
  return { changed: edits.map(({ id }) => id), refused };
}
