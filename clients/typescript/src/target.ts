/** Returns the path with its parameters and the query. Query parameters that are undefined are left out. */
export function targetOf(path: string, options: { path?: unknown; query?: unknown } = {}): string {
  let target = path;
  for (const [name, value] of Object.entries(options.path ?? {}))
    target = target.replace(`{${name}}`, encodeURIComponent(value));
  const parameters = Object.entries(options.query ?? {}).filter(([, value]) => value !== undefined);
  return parameters.length === 0
    ? target
    : `${target}?${new URLSearchParams(parameters as [string, string][]).toString()}`;
}
