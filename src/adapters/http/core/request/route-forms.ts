/** Returns a path with and without a trailing slash, in the notation of routers (`:name`). */
export function routeForms(path: string): string[] {
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  if (pattern === '/') return ['/'];
  return pattern.endsWith('/') ? [pattern, pattern.slice(0, -1)] : [pattern, `${pattern}/`];
}
