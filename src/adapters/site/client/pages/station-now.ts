import type { ApiClient, Station } from '../api.js';
import { type Now, readNow } from '../now/read-now.js';
import type { PageDefinition } from '../page.js';
import { titleOfStation } from '../ribbon/hero.js';
import { previewOfStation } from '../share/preview.js';

/** A station and its present weather. */
export interface StationNow {
  readonly station: Station;
  readonly now: Now;
}

/** @throws the error of the API if the station cannot be read */
export async function readStationNow(api: ApiClient, id: string): Promise<StationNow> {
  const [{ station }, now] = await Promise.all([
    api.get('/v1/stations/{id}', { path: { id } }),
    readNow(api, id),
  ]);
  return { station, now };
}

/** What the pages that only show the present weather of a station have in common. */
export const stationNow: Omit<PageDefinition<StationNow>, 'View'> = {
  load: (api, { params }) => readStationNow(api, params['id'] ?? ''),
  title: ({ station, now }, site) => titleOfStation(station, now, site),
  preview: ({ station, now }, site) => previewOfStation(station, now, site),
};
