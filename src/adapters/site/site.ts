import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { isLocalVisitor } from './local-visitor.js';
import type { Renderer, RenderRequest, SiteFacts } from './renderer.js';
import { readSiteFiles, type SiteFiles } from './site-files.js';

/** A page or a file, in the form that the HTTP adapter serves. */
export interface SitePage {
  readonly path: string;
  readonly answer: (request: SiteRequest) => SiteReply | Promise<SiteReply>;
}

export interface SiteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly read: (target: string) => Promise<unknown>;
}

export interface SiteReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: string | ReadonlyMap<string, Uint8Array>;
}

/**
 * Allows what the pages load from their own origin, and nothing else. The pages have no inline script and no inline style.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
];
const HEADERS = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};
const HTML_HEADERS = {
  ...HEADERS,
  'content-type': 'text/html; charset=utf-8',
  // A page shows values of the moment: browsers ask each time, and get 304 if nothing has changed.
  'cache-control': 'no-cache',
  vary: 'Accept-Language, Cookie',
};

/** Characters of a hash in an ETag: 96 bits. */
const ETAG_LENGTH = 16;

/**
 * The pages of the site and their files.
 *
 * @param folder `dist/site/`
 * @param isTrusted whether browsers may trust the address of the service: over TLS, or on this machine
 * @throws Error if the site has not been built
 */
export async function openSite(
  folder: URL,
  facts: Omit<SiteFacts, 'files'>,
  isTrusted = true,
): Promise<readonly SitePage[]> {
  const files = readSiteFiles(folder);
  const { pages, readPreferences } = (await import(new URL('render.js', folder).href)) as Renderer;
  const site = { ...facts, files: files.addresses };
  const elsewhere = { ...site, command: 'weatherd' };
  const served = [
    ...pages.map(({ path, mayBeFramed, render }): SitePage => {
      const ancestors = mayBeFramed ? '*' : "'none'";
      const headers = htmlHeaders(ancestors);
      return {
        path,
        answer: async (request) => {
          const shown = isLocalVisitor(request.headers) ? site : elsewhere;
          const { status, html, cookie } = await render(toRenderRequest(request), shown);
          return { status, headers: withCookie(headers, cookie), etag: etagOf(html), body: html };
        },
      };
    }),
    apiPage(readFileSync(new URL('api.html', folder), 'utf8'), readPreferences),
    filePage(files),
  ];
  return isTrusted ? served : served.map(withoutOpenerPolicy);
}

/** Browsers ignore the policy at an address that they do not trust, and warn of it on each page. */
function withoutOpenerPolicy({ path, answer }: SitePage): SitePage {
  return {
    path,
    answer: async (request) => {
      const reply = await answer(request);
      const { 'cross-origin-opener-policy': _ignored, ...headers } = reply.headers;
      return { ...reply, headers };
    },
  };
}

/** @param ancestors who may show the page in a frame */
function htmlHeaders(ancestors: string): Readonly<Record<string, string>> {
  return {
    ...HTML_HEADERS,
    'content-security-policy': [...POLICY, `frame-ancestors ${ancestors}`].join('; '),
  };
}

/** A shared cache must not give the cookie of a visitor to others. */
function withCookie(headers: Readonly<Record<string, string>>, cookie: string | undefined) {
  return cookie === undefined
    ? headers
    : { ...headers, 'set-cookie': cookie, 'cache-control': 'private, no-cache' };
}

function etagOf(html: string): string {
  return createHash('sha256').update(html).digest('base64url').slice(0, ETAG_LENGTH);
}

/**
 * The page about the API, which was made at build. It is in English, and says so to visitors of other languages. Otherwise only its
 * colors depend on the visitor.
 */
function apiPage(html: string, readPreferences: Renderer['readPreferences']): SitePage {
  const headers = htmlHeaders("'none'");
  const replies = new Map<string, SiteReply>();
  return {
    path: '/docs',
    answer: (request) => {
      const { theme, language } = readPreferences(toRenderRequest(request));
      const key = `${theme} ${language}`;
      let reply = replies.get(key);
      if (reply === undefined) {
        const body = html
          .replace('data-theme="auto"', `data-theme="${theme}"`)
          .replace(`<p lang="${language}" hidden>`, `<p lang="${language}">`);
        reply = { status: 200, headers, etag: etagOf(body), body };
        replies.set(key, reply);
      }
      return reply;
    },
  };
}

function toRenderRequest({ params, search, headers, read }: SiteRequest): RenderRequest {
  return { params, search, acceptLanguage: headers['accept-language'], cookie: headers.cookie, read };
}

/** The built files. Their names change with their content, so browsers may keep them for ever. */
function filePage({ byName }: SiteFiles): SitePage {
  return {
    path: '/assets/{name}',
    answer: ({ params }) => {
      const file = byName.get(params['name'] ?? '');
      if (file === undefined) {
        const type = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
        return {
          status: 404,
          headers: { ...HEADERS, ...type },
          etag: 'none',
          body: 'There is no such file.\n',
        };
      }
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
