import type { ApiClient } from './api.js';
import { loadOutcome, type RequestOutcome } from './outcome.js';
import type { AnyPage, PageRoute, PageLocation, Preview, TitleContext } from './page.js';
import { findPage } from './pages/index.js';

/** A page, its URL and the result of loading it. */
export interface Visit {
  readonly route: PageRoute | undefined;
  readonly page: AnyPage | undefined;
  readonly pageLocation: PageLocation;
  readonly outcome: RequestOutcome;
  /** Path of the page that is shown instead of the page at the URL. */
  readonly redirectedTo?: string;
}

/**
 * Loads the page at a URL.
 *
 * @param first the outcome that the service has sent with the first screen. If `first` is given, no data are read
 */
export async function visit(
  pathname: string,
  query: URLSearchParams,
  api: ApiClient,
  first?: RequestOutcome,
): Promise<Visit> {
  const found = findPage(pathname);
  const pageLocation = { params: found?.params ?? {}, query };
  if (found !== undefined) return visitRoute(found.route, pageLocation, api, first);
  return notFoundVisit(pageLocation);
}

/** The visit of a URL for which there is no page. */
export function notFoundVisit(pageLocation: PageLocation): Visit {
  return { route: undefined, page: undefined, pageLocation, outcome: { state: 'not-found', nearest: [] } };
}

export async function visitRoute(
  route: PageRoute,
  pageLocation: PageLocation,
  api: ApiClient,
  first?: RequestOutcome,
): Promise<Visit> {
  const page = await route.load();
  const outcome = first ?? (await loadOutcome(page, api, pageLocation));
  if (outcome.state !== 'redirected') return { route, page, pageLocation, outcome };
  const { path } = outcome;
  return { ...(await visit(path, pageLocation.query, api)), redirectedTo: path };
}

/** What a link to the page shows elsewhere; undefined for a page without data, or without its own preview. */
export function previewOf({ page, outcome }: Visit, context: TitleContext): Preview | undefined {
  return outcome.state === 'loaded' ? page?.preview?.(outcome.data, context) : undefined;
}

/** The title of the document. */
export function titleOf({ page, outcome }: Visit, context: TitleContext): string {
  const { errors, site } = context.text;
  if (outcome.state === 'loaded' && page !== undefined) return page.title(outcome.data, context);
  const { title } =
    { 'sign-in': errors.signIn, failed: errors.failed }[outcome.state as string] ?? errors.notFound;
  return `${title} · ${site.name}`;
}
