import type { Station } from '../api.js';
import type { Now } from '../now/read-now.js';
import type { Preview, TitleContext } from '../page.js';
import { DEFAULT_PREFERENCES, type Preferences } from '../preferences.js';
import { descriptionOfStation, summaryOf } from './summary.js';

/** What a link to a page of a station shows elsewhere: its newest values and their picture. */
export function previewOfStation(station: Station, now: Now, site: TitleContext): Preview {
  const path = `/stations/${encodeURIComponent(station.id)}`;
  const description = descriptionOfStation(station, summaryOf(station, now, site, site.now), site);
  return {
    path,
    description,
    image: {
      path: `${path}/card.png${cardQuery(site.preferences, now.last_seen)}`,
      alt: `${station.name}: ${description}`,
    },
    manifest: `${path}/manifest.webmanifest`,
  };
}

/**
 * The query of a picture in the language and the units of the page. Its last part changes with each new value, because chats and
 * social networks keep the picture of an address for weeks.
 */
function cardQuery({ language, units }: Preferences, lastSeen: string | null): string {
  const query = new URLSearchParams();
  if (language !== DEFAULT_PREFERENCES.language) query.set('lang', language);
  if (units !== DEFAULT_PREFERENCES.units) query.set('units', units);
  if (lastSeen !== null) query.set('v', String(Date.parse(lastSeen) / 1000));
  return query.size === 0 ? '' : `?${query}`;
}
