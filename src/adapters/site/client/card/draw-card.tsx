import { renderToString } from 'preact-render-to-string';
import type { CardRequest } from '../../renderer.js';
import { type ApiClient, targetOf } from '../api.js';
import { readNow } from '../now/read-now.js';
import { readPreferences } from '../preferences.js';
import { summaryOf } from '../share/summary.js';
import { loadText } from '../text/languages.js';
import { Card } from './card.js';
import { CARD_COLORS } from './card-colors.js';

/** Draws the picture of a station as SVG. Rejects with the error of the API if the station cannot be read. */
export async function drawCard({ station: id, search, read }: CardRequest): Promise<string> {
  const preferences = readPreferences({ search, cookie: undefined, acceptLanguage: undefined });
  const text = await loadText(preferences.language);
  const api: ApiClient = { get: (path, ...[options]) => read(targetOf(path, options)) as Promise<never> };
  const [{ station }, now] = await Promise.all([
    api.get('/v1/stations/{id}', { path: { id } }),
    readNow(api, id),
  ]);
  const summary = summaryOf(station, now, text, preferences);
  const colors = CARD_COLORS[preferences.theme === 'dark' ? 'dark' : 'light'];
  return renderToString(
    <Card texts={{ name: station.name, site: text.site.name, ...summary }} colors={colors} />,
  );
}
