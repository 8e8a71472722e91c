import { renderToString } from 'preact-render-to-string';
import type { CardRequest } from '../../renderer.js';
import { type ApiClient, targetOf } from '../api.js';
import { readNow } from '../now/read-now.js';
import { readPreferences } from '../preferences.js';
import { summaryOf } from '../share/summary.js';
import { type Site, SiteProvider } from '../site-context.js';
import { loadText } from '../text/languages.js';
import { Card } from './card.js';

const nothing = () => undefined;

/** Draws the picture of a station as SVG. Rejects with the error of the API if the station cannot be read. */
export async function drawCard({ station: id, search, read }: CardRequest): Promise<string> {
  const preferences = readPreferences({ search, cookie: undefined, acceptLanguage: undefined });
  const text = await loadText(preferences.language);
  const api: ApiClient = { get: (path, ...[options]) => read(targetOf(path, options)) as Promise<never> };
  const [{ station }, now] = await Promise.all([
    api.get('/v1/stations/{id}', { path: { id } }),
    readNow(api, id),
  ]);
  const site: Site = {
    text,
    preferences,
    api,
    files: {},
    publicReads: true,
    streetMap: false,
    signIn: false,
    command: '',
    now: now.last_seen === null ? Date.now() : Date.parse(now.last_seen),
    go: nothing,
    replace: nothing,
    push: nothing,
    onQuery: () => nothing,
    choose: nothing,
    reload: () => Promise.resolve(),
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
