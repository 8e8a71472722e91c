import { renderToString } from 'preact-render-to-string';
import type { CardRequest } from '../../renderer.js';
import { readStationNow } from '../pages/station-now.js';
import { readPreferences } from '../preferences.js';
import { NO_BROWSER, serverClient } from '../server-site.js';
import { summaryOf } from '../share/summary.js';
import { type Site, SiteProvider } from '../site-context.js';
import { loadText } from '../text/languages.js';
import { Card } from './card.js';

/** Draws the picture of a station as SVG. Rejects with the error of the API if the station cannot be read. */
export async function drawCard({ station: id, search, read }: CardRequest): Promise<string> {
  const preferences = readPreferences({ search, cookie: undefined, acceptLanguage: undefined });
  const text = await loadText(preferences.language);
  const api = serverClient(read);
  const { station, now } = await readStationNow(api, id);
  const site: Site = {
    ...NO_BROWSER,
    text,
    preferences,
    api,
    files: {},
    publicReads: true,
    streetMap: false,
    signIn: false,
    setup: false,
    command: '',
    now: now.last_seen === null ? Date.now() : Date.parse(now.last_seen),
  };
  return renderToString(
    <SiteProvider value={site}>
      <Card
        station={station}
        now={now}
        summary={summaryOf(station, now, site, Date.now())}
        scheme={preferences.theme === 'dark' ? 'dark' : 'light'}
      />
    </SiteProvider>,
  );
}
