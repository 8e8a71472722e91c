import { type ApiClient, ignoreApiError, Redirect } from './api.js';
import { nearestStations, type NearStation } from './not-found/nearest-stations.js';
import type { AnyPage, PageLocation } from './page.js';

/**
 * Result of loading a page. The service sends this result as JSON, so that the browser hydrates the page without loading the data
 * again.
 */
export type RequestOutcome =
  | { readonly state: 'loaded'; readonly data: unknown }
  /**
   * Another page is shown at the requested URL, for example the page of a station at `/` if it is the only station. `path` is the
   * path of the shown page.
   */
  | { readonly state: 'redirected'; readonly path: string }
  /** `nearest`: stations whose id or name is similar to the id in the URL. */
  | { readonly state: 'not-found'; readonly nearest: readonly NearStation[] }
  | { readonly state: 'sign-in' }
  /** `code` and `message` of the error of the API. */
  | { readonly state: 'failed'; readonly code: string; readonly message: string };

export async function loadOutcome(
  page: AnyPage,
  api: ApiClient,
  pageLocation: PageLocation,
): Promise<RequestOutcome> {
  try {
    return { state: 'loaded', data: (await page.load(api, pageLocation)) as unknown };
  } catch (error) {
    if (error instanceof Redirect) return { state: 'redirected', path: error.path };
    const { code } = error as { readonly code?: unknown };
    // The code of a `DOMException`, such as that of a visitor who has left, is a number.
    if (typeof code !== 'string') throw error;
    if (code === 'STATION_UNKNOWN' || code === 'ROUTE_NOT_FOUND') {
      const nearest = await nearestStations(api, pageLocation.params['id'] ?? '').catch(ignoreApiError);
      return { state: 'not-found', nearest: nearest ?? [] };
    }
    if (code.startsWith('AUTH_')) return { state: 'sign-in' };
    return { state: 'failed', code, message: (error as Error).message };
  }
}

/** The HTTP status of a page with this outcome. */
export const STATUS_OF_OUTCOME: Readonly<Record<RequestOutcome['state'], number>> = {
  loaded: 200,
  redirected: 200,
  'not-found': 404,
  'sign-in': 200,
  failed: 503,
};
