import type { Page } from '../core/pages/page.js';

/**
 * Paths of Open-Meteo. Its clients ignore the status 404 and decode the body as a forecast, but they report an error in this form.
 */
const PATHS = ['/v1/forecast', '/v1/archive', '/v1/marine', '/v1/air-quality', '/v1/flood'];
const REASON =
  'This service is weatherd, not Open-Meteo. It has observations of stations: GET /openapi.json lists its routes.';

/** Refuses the requests of Open-Meteo's clients in the form that they read. */
export const openMeteoPaths: readonly Page[] = PATHS.map((path) => ({
  path,
  answer: () => ({
    status: 400,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    etag: 'open-meteo',
    body: JSON.stringify({ error: true, reason: REASON }),
  }),
}));
