import { renderToString } from 'preact-render-to-string';
import { MILLISECONDS } from '#domain/time.js';
import type { PageRenderer, RenderRequest, SiteFacts } from '../renderer.js';
import { Document } from './document.js';
import { Frame, SiteHeader } from './frame.js';
import { type RequestOutcome, STATUS_OF_OUTCOME } from './outcome.js';
import type { PageRoute } from './page.js';
import { PAGES } from './pages/index.js';
import { cookieOfQuery, readPreferences } from './preferences.js';
import { NO_BROWSER, serverClient } from './server-site.js';
import { PreviewTags } from './share/preview-tags.js';
import { type Site, SiteProvider } from './site-context.js';
import { loadText } from './text/languages.js';
import { notFoundVisit, previewOf, titleOf, visitRoute } from './visit.js';

export { drawCard } from './card/draw-card.js';
// For the build, which writes the page about the API.
export { clientCallOf, curlOf, DOCUMENTED, formatJson } from './docs/snippets.js';

/** All pages, with functions that render their first screen on the server. The last entry is the page for unknown paths. */
export const pages: readonly PageRenderer[] = [...PAGES, undefined].map((route) => ({
  path: route?.path ?? '*',
  mayBeFramed: route?.mayBeFramed === true,
  render: (request, facts) => renderPage(route, request, facts),
}));

async function renderPage(route: PageRoute | undefined, request: RenderRequest, facts: SiteFacts) {
  const preferences = readPreferences(request);
  const text = await loadText(preferences.language);
  const pageLocation = { params: request.params, query: new URLSearchParams(request.search) };
  const isOpen = facts.publicReads || route?.hasNoData === true;
  const hidden: RequestOutcome | undefined = isOpen ? undefined : { state: 'sign-in' };
  const api = serverClient(request.read);
  const visit =
    route === undefined ? notFoundVisit(pageLocation) : await visitRoute(route, pageLocation, api, hidden);
  const { outcome, redirectedTo } = visit;
  const now = startOfMinute(Date.now());
  const site: Site = { ...NO_BROWSER, text, preferences, api, now, ...facts };
  const first: FirstState = {
    outcome,
    ...(redirectedTo !== undefined && { redirectedTo }),
    now,
    preferences,
    facts,
  };
  const state = JSON.stringify(first, withoutAge);
  const title = titleOf(visit, site);
  const preview = previewOf(visit, site) ?? {
    path: route === undefined || route.path.includes('{') ? '/' : route.path,
    description: text.share.site,
  };
  const html = renderToString(
    <Document
      title={title}
      preview={
        <PreviewTags
          title={title}
          preview={preview}
          origin={request.origin}
          icon={facts.files['icon-512.png'] ?? ''}
          isIndexed={outcome.state === 'loaded' && route?.isUnlisted !== true}
          text={text}
        />
      }
      manifest={preview.manifest ?? '/manifest.webmanifest'}
      preferences={preferences}
      files={facts.files}
      state={state}
    >
      <SiteProvider value={site}>
        <Frame {...visit} />
      </SiteProvider>
    </Document>,
  );
  // A page without the header of the site can be shown as a card on another site. The owner of the other site chooses the query
  // string, and the visitor does not. Therefore the preferences in the query string are not stored.
  const cookie = route?.isBare === true ? undefined : cookieOfQuery(request);
  return { status: STATUS_OF_OUTCOME[outcome.state], html: `<!doctype html>${html}`, cookie };
}

/** Renders the header of the page about the API, whose HTML the build has written. The page is in English. */
export async function renderApiHeader(request: RenderRequest, facts: SiteFacts) {
  const preferences = readPreferences(request);
  const text = await loadText('en');
  const api = serverClient(request.read);
  const site: Site = { ...NO_BROWSER, text, preferences, api, now: startOfMinute(Date.now()), ...facts };
  const html = renderToString(
    <SiteProvider value={site}>
      <SiteHeader path="/docs" />
    </SiteProvider>,
  );
  return { html, preferences, cookie: cookieOfQuery(request) };
}

/** Rounds the time of a page down to a minute, so that the ETag of the page changes at most once a minute without new data. */
function startOfMinute(time: number): number {
  return Math.floor(time / MILLISECONDS.minute) * MILLISECONDS.minute;
}

/**
 * Omits each member `age` from the JSON of the first screen. An age changes with each request, so the ETag of the page would
 * change too. Pages compute ages from times.
 */
function withoutAge(key: string, value: unknown): unknown {
  return key === 'age' ? undefined : value;
}

/** The data that the browser needs to hydrate the first screen. */
export interface FirstState {
  readonly outcome: RequestOutcome;
  /** Path of the page that is shown instead of the page at the URL. */
  readonly redirectedTo?: string;
  readonly now: number;
  readonly preferences: Site['preferences'];
  readonly facts: SiteFacts;
}
