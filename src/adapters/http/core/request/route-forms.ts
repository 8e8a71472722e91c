/** A path with and without the slash at its end, in the notation of routers. */
export function routeForms(path: string): string[] {
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  if (pattern === '/') return ['/'];
  return pattern.endsWith('/') ? [pattern, pattern.slice(0, -1)] : [pattern, `${pattern}/`];
}
