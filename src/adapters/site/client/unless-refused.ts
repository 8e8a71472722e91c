/**
 * Calls a function of the browser that needs storage. Browsers refuse storage to a frame of another site, or to all pages if the
 * visitor has blocked it.
 *
 * @returns undefined if it is refused
 */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}
