import type { PageRoute } from '../page.js';

/** All pages. A browser loads the code of a page when the visitor opens it. */
export const PAGES: readonly PageRoute[] = [
  { path: '/', load: async () => (await import('./home.js')).home },
  { path: '/stations/{id}', load: async () => (await import('./station.js')).station },
  { path: '/stations/{id}/forecast', load: async () => (await import('./proof.js')).proof },
  {
    path: '/kiosk/{id}',
    isBare: true,
    isUnlisted: true,
    load: async () => (await import('./kiosk.js')).kiosk,
  },
  {
    path: '/embed/{id}',
    isBare: true,
    isUnlisted: true,
    mayBeFramed: true,
    load: async () => (await import('./embed.js')).embed,
  },
  { path: '/setup', hasNoData: true, isUnlisted: true, load: async () => (await import('./admin.js')).setup },
  { path: '/admin', hasNoData: true, isUnlisted: true, load: async () => (await import('./admin.js')).admin },
];

/** Finds the page at a path. @returns the route of the page and the path parameters; undefined for an unknown path */
export function findPage(
  pathname: string,
): { readonly route: PageRoute; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const route of PAGES) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    // The regular expression of a declared path matches one segment for each name, so it cannot backtrack.
    const found = new RegExp(`^${route.path.replace(/\{\w+\}/g, '([^/]+)')}/?$`).exec(pathname);
    if (found === null) continue;
    const params = names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]);
    return { route, params: Object.fromEntries(params) as Record<string, string> };
  }
  return undefined;
}
