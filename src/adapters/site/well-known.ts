import { MILLISECONDS } from '#domain/time.js';
import type { SiteFacts } from './renderer.js';
import { etagOf, NO_SNIFF } from './replies.js';
import type { SiteFiles } from './site-files.js';
import type { SitePage, SiteReply } from './site-page.js';

/** Colors behind the icon and of the bar of an installed site. They are the paper of the light theme, see `style/site.css`. */
const PAPER = '#f7f5f1';
const SITE_NAME = 'weatherd';
const CACHE_CONTROL = `public, max-age=${MILLISECONDS.day / 1000}`;

/** The files at fixed paths, with which browsers, home screens and search engines begin. */
export function wellKnownPages(files: SiteFiles, facts: Pick<SiteFacts, 'publicReads'>): readonly SitePage[] {
  return [
    iconPage('/favicon.ico', 'favicon.ico', files),
    iconPage('/apple-touch-icon.png', 'apple-touch-icon.png', files),
    fixedPage('/robots.txt', 'text/plain; charset=utf-8', robots(facts)),
    fixedPage('/manifest.webmanifest', MANIFEST_TYPE, manifest(SITE_NAME, '/', files)),
    {
      path: '/stations/{id}/manifest.webmanifest',
      // Browsers send no token with this request, so a hidden station has no manifest.
      answer: async ({ params, read }) => {
        const path = `/stations/${encodeURIComponent(params['id'] ?? '')}`;
        const { station } = (await read(`/v1${path}?inventory=false`)) as StationReply;
        return textReply(MANIFEST_TYPE, manifest(station.name, path, files), 'no-cache');
      },
    },
  ];
}

interface StationReply {
  readonly station: { readonly name: string };
}

const MANIFEST_TYPE = 'application/manifest+json';

/** The description of the site as an app, which starts at `path` (Web Application Manifest). */
function manifest(name: string, path: string, { addresses }: SiteFiles): string {
  const pictures = ['192', '512'].map((size) => ({
    src: addresses[`icon-${size}.png`],
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose: 'any maskable',
  }));
  const vector = { src: addresses['icon.svg'], type: 'image/svg+xml', sizes: 'any' };
  return JSON.stringify({
    id: path,
    name,
    short_name: name,
    start_url: path,
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: [vector, ...pictures],
  });
}

/**
 * The rules for search engines: they may read the pages, but not the API, which has the same data, nor pages for other sites and
 * for screens. If reading needs a token, there is nothing to find.
 */
function robots({ publicReads }: Pick<SiteFacts, 'publicReads'>): string {
  const closed = publicReads ? ['/v1/', '/openapi.json', '/admin', '/kiosk/', '/embed/'] : ['/'];
  return ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), ''].join('\n');
}

function fixedPage(path: string, mediaType: string, body: string): SitePage {
  const reply = textReply(mediaType, body, CACHE_CONTROL);
  return { path, answer: () => reply };
}

function textReply(mediaType: string, body: string, cacheControl: string): SiteReply {
  return {
    status: 200,
    headers: { ...NO_SNIFF, 'content-type': mediaType, 'cache-control': cacheControl },
    etag: etagOf(body),
    body,
  };
}

/** A built file at a fixed path. */
function iconPage(path: string, name: string, { addresses, byName }: SiteFiles): SitePage {
  const file = byName.get(addresses[name]?.split('/').at(-1) ?? '');
  if (file === undefined) throw new Error(`The build has not written ${name}.`);
  const headers = { ...NO_SNIFF, 'content-type': file.mediaType, 'cache-control': CACHE_CONTROL };
  const reply = { status: 200, headers, etag: file.hash, body: file.contents };
  return { path, answer: () => reply };
}
