import type { PageRoute } from '../page.js';

/** Every page. A browser loads the code of a page when it opens it. */
export const PAGES: readonly PageRoute[] = [
  { path: '/', load: async () => (await import('./home.js')).home },
  { path: '/stations/{id}', load: async () => (await import('./station.js')).station },
  { path: '/kiosk/{id}', isBare: true, load: async () => (await import('./kiosk.js')).kiosk },
  {
    path: '/embed/{id}',
    isBare: true,
    mayBeFramed: true,
    load: async () => (await import('./embed.js')).embed,
  },
  { path: '/admin', hasNoData: true, load: async () => (await import('./admin.js')).admin },
];

/** The page at a path of an address, with its parameters. */
export function findPage(
  pathname: string,
): { readonly route: PageRoute; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const route of PAGES) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    // Expression of a declared path: one segment for each name, so that no text can be shared in two ways.
    const found = new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}/?$`).exec(pathname);
    if (found === null) continue;
    const params = names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]);
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  }
  return undefined;
}
