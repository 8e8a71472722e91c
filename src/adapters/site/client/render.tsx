import { renderToString } from 'preact-render-to-string';
import { MILLISECONDS } from '#domain/time.js';
import type { PageRenderer, RenderRequest, SiteFacts } from '../renderer.js';
import { type ApiClient, targetOf } from './api.js';
import { Document } from './document.js';
import { Frame } from './frame.js';
import { type RequestOutcome, OUTCOME_STATUS } from './outcome.js';
import type { PageRoute } from './page.js';
import { PAGES } from './pages/index.js';
import { cookieOfQuery, readPreferences } from './preferences.js';

export { readPreferences } from './preferences.js';
import { type Site, SiteProvider } from './site-context.js';
import { loadText } from './text/languages.js';
import { nowhere, titleOf, visitRoute } from './visit.js';

/** The first screen of every page, for the service. The last one stands where nothing is. */
export const pages: readonly PageRenderer[] = [...PAGES, undefined].map((route) => ({
  path: route?.path ?? '*',
  mayBeFramed: route?.mayBeFramed === true,
  render: (request, facts) => renderPage(route, request, facts),
}));

async function renderPage(route: PageRoute | undefined, request: RenderRequest, facts: SiteFacts) {
  const preferences = readPreferences(request);
  const text = await loadText(preferences.language);
  const place = { params: request.params, query: new URLSearchParams(request.search) };
  const isOpen = facts.publicReads || route?.hasNoData === true;
  const hidden: RequestOutcome | undefined = isOpen ? undefined : { state: 'sign-in' };
  const api: ApiClient = {
    get: (path, ...[options]) => request.read(targetOf(path, options)) as Promise<never>,
  };
  const visit = route === undefined ? nowhere(place) : await visitRoute(route, place, api, hidden);
  const { outcome, instead } = visit;
  const now = startOfMinute(Date.now());
  const nothing = () => undefined;
  const site: Site = {
    text,
    preferences,
    api,
    now,
    go: nothing,
    replace: nothing,
    reload: () => Promise.resolve(),
    ...facts,
  };
  const first: FirstState = { outcome, ...(instead !== undefined && { instead }), now, preferences, facts };
  const state = JSON.stringify(first, withoutAge);
  const html = renderToString(
    <Document title={titleOf(visit, text)} preferences={preferences} files={facts.files} state={state}>
      <SiteProvider value={site}>
        <Frame {...visit} />
      </SiteProvider>
    </Document>,
  );
  // The query of a card in a frame is the choice of its site, and not of the visitor.
  const cookie = route?.isBare === true ? undefined : cookieOfQuery(request);
  return { status: OUTCOME_STATUS[outcome.state], html: `<!doctype html>${html}`, cookie };
}

/** A page changes with its data, and with the ages in it once a minute: in between, its ETag stays the same. */
function startOfMinute(time: number): number {
  return Math.floor(time / MILLISECONDS.minute) * MILLISECONDS.minute;
}

/** The pages compute ages from times; the API's `age` changes with each request. */
function withoutAge(key: string, value: unknown): unknown {
  return key === 'age' ? undefined : value;
}

/** What the browser needs to show the first screen again. */
export interface FirstState {
  readonly outcome: RequestOutcome;
  /** As in Visit. */
  readonly instead?: string;
  readonly now: number;
  readonly preferences: Site['preferences'];
  readonly facts: SiteFacts;
}
