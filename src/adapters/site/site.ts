import { readFileSync } from 'node:fs';
import type { CardPainter } from './card/card-painter.js';
import { isLocalVisitor } from './local-visitor.js';
import type { Renderer, RenderRequest, SiteFacts } from './renderer.js';
import { publicOrigin } from './public-origin.js';
import { ETAG_LENGTH, etagOf, NO_SNIFF, refusal } from './replies.js';
import { readSiteFiles, type SiteFiles } from './site-files.js';
import type { SitePage, SiteRequest } from './site-page.js';
import { wellKnownPages } from './well-known.js';

/** Content-Security-Policy: pages load only from their own origin, and have no inline scripts and no inline styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  // The preview of the card for other sites.
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
];
const HEADERS = {
  ...NO_SNIFF,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};
const HTML_HEADERS = {
  ...HEADERS,
  'content-type': 'text/html; charset=utf-8',
  // Pages show current values: browsers revalidate each time, and get 304 if nothing has changed.
  'cache-control': 'no-cache',
  vary: 'Accept-Language, Cookie',
};

/** Seconds for which caches may keep the picture of a station. */
const CARD_LIFETIME = 60;

/** How visitors reach the service. */
interface Reach {
  readonly hasTls: boolean;
  readonly isTrusted: boolean;
  /** Whether the first administrator can be created now by a visitor of this machine. Undefined if it never can. */
  readonly isSetupOpen?: () => Promise<boolean>;
}

/**
 * Loads the pages of the site and their files.
 *
 * @param folder `dist/site/`
 * @param painter draws the pictures of stations
 * @param reach `hasTls`: whether visitors reach the service over TLS. `isTrusted`: whether browsers treat its origin as
 *   potentially trustworthy: TLS, or loopback. `isSetupOpen`: see `Reach`
 * @throws Error if the site has not been built
 */
export async function openSite(
  folder: URL,
  facts: Omit<SiteFacts, 'files' | 'setup'>,
  painter: CardPainter,
  { hasTls, isTrusted, isSetupOpen }: Reach = { hasTls: false, isTrusted: true },
): Promise<readonly SitePage[]> {
  const files = readSiteFiles(folder);
  const renderer = (await import(new URL('render.js', folder).href)) as Renderer;
  const { pages } = renderer;
  const site = { ...facts, setup: false, files: files.addresses };
  const remoteFacts = { ...site, command: 'weatherd' };
  // The browser requests the style as soon as it has the headers, while it still receives and parses the page.
  const preload = `<${files.addresses['site']}>; rel=preload; as=style`;
  const sitePages = [
    ...pages.map(({ path, mayBeFramed, render }): SitePage => {
      const ancestors = mayBeFramed ? '*' : "'none'";
      const headers = { ...htmlHeaders(ancestors), link: preload };
      return {
        path,
        answer: async (request) => {
          const isLocal = isLocalVisitor(request.headers);
          const requestFacts = isLocal ? { ...site, setup: (await isSetupOpen?.()) === true } : remoteFacts;
          const { status, html, cookie } = await render(toRenderRequest(request, hasTls), requestFacts);
          return { status, headers: withCookie(headers, cookie), etag: etagOf(html), body: html };
        },
      };
    }),
    apiPage(readFileSync(new URL('api.html', folder), 'utf8'), (request) =>
      renderer.renderApiHeader(
        toRenderRequest(request, hasTls),
        isLocalVisitor(request.headers) ? site : remoteFacts,
      ),
    ),
    filePage(files),
    cardPage(renderer, painter),
    ...wellKnownPages(files, facts),
  ];
  return isTrusted ? sitePages : sitePages.map(withoutOpenerPolicy);
}

/**
 * Removes the header Cross-Origin-Opener-Policy: browsers ignore this header at an origin that they do not trust, and log a
 * warning on each page.
 */
function withoutOpenerPolicy(page: SitePage): SitePage {
  return {
    ...page,
    answer: async (request) => {
      const reply = await page.answer(request);
      const { 'cross-origin-opener-policy': _ignored, ...headers } = reply.headers;
      return { ...reply, headers };
    },
  };
}

/** Returns the headers of an HTML page. @param ancestors origins that may show the page in a frame, for `frame-ancestors` */
function htmlHeaders(ancestors: string): Readonly<Record<string, string>> {
  return {
    ...HTML_HEADERS,
    'content-security-policy': [...POLICY, `frame-ancestors ${ancestors}`].join('; '),
  };
}

/**
 * Adds the header `Set-Cookie` if there is a cookie. The reply is then `private`, because a shared cache must not send the cookie
 * of one visitor to other visitors.
 */
function withCookie(headers: Readonly<Record<string, string>>, cookie: string | undefined) {
  return cookie === undefined
    ? headers
    : { ...headers, 'set-cookie': cookie, 'cache-control': 'private, no-cache' };
}

/**
 * The page `/docs` about the API, whose HTML the build has written. The page is in English; visitors of other languages see a
 * note about the language. Besides the header and the note, only the colors depend on the visitor.
 */
function apiPage(
  html: string,
  renderHeader: (request: SiteRequest) => ReturnType<Renderer['renderApiHeader']>,
): SitePage {
  const headers = htmlHeaders("'none'");
  return {
    path: '/docs',
    answer: async (request) => {
      const { html: header, preferences, cookie } = await renderHeader(request);
      const { theme, language } = preferences;
      const body = html
        .replace('data-theme="auto"', `data-theme="${theme}"`)
        .replace(`<p lang="${language}" hidden>`, `<p lang="${language}">`)
        .replace('<header></header>', () => header);
      return { status: 200, headers: withCookie(headers, cookie), etag: etagOf(body), body };
    },
  };
}

function toRenderRequest({ params, search, headers, read }: SiteRequest, hasTls: boolean): RenderRequest {
  return {
    params,
    search,
    origin: publicOrigin(headers.host, hasTls),
    acceptLanguage: headers['accept-language'],
    cookie: headers.cookie,
    read,
  };
}

/** The built files. Their names contain a hash of their content, so browsers may cache them without a time limit. */
function filePage({ byName }: SiteFiles): SitePage {
  return {
    path: '/assets/{name}',
    answer: ({ params }) => {
      const file = byName.get(params['name'] ?? '');
      if (file === undefined)
        return refusal(
          404,
          'This file does not exist. Reload the page: the service may have been updated.',
          HEADERS,
        );
      return {
        status: 200,
        headers: {
          ...HEADERS,
          'content-type': file.mediaType,
          'cache-control': 'public, max-age=31536000, immutable',
        },
        etag: file.hash,
        body: file.contents,
      };
    },
  };
}

/**
 * The picture of a station, which other sites show beside a link to the page of the station. The picture has the visibility of the
 * station: without a token, hidden stations have no picture.
 */
function cardPage({ drawCard }: Renderer, painter: CardPainter): SitePage {
  return {
    path: '/stations/{id}/card.png',
    readsAsUser: true,
    answer: async ({ params, search, headers, network, read }) => {
      const svg = await drawCard({ station: params['id'] ?? '', search, read });
      const { tag, png } = await painter.paint(svg, network);
      const isPrivate = headers.authorization !== undefined;
      return {
        status: 200,
        headers: {
          ...HEADERS,
          'content-type': 'image/png',
          'cache-control': isPrivate ? 'private, no-cache' : `public, max-age=${CARD_LIFETIME}`,
          'cross-origin-resource-policy': 'cross-origin',
        },
        etag: tag.slice(0, ETAG_LENGTH),
        body: new Map([['identity', png]]),
      };
    },
  };
}
