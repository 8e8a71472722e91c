/** The part of the Web Locks API that is used here. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, run: () => Promise<void>): Promise<unknown>;
}

/**
 * Calls `run` when no other window of the site runs something with the same name. Browsers refuse locks to a frame of another site
 * if they block its storage. Such a frame calls `run` at once, and so does a page without locks.
 */
export async function runInOneWindow(
  locks: Locks | undefined,
  name: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  let hasBegun = false;
  const begin = (): Promise<void> => {
    hasBegun = true;
    return run();
  };
  await locks?.request(name, { signal }, begin).catch(() => undefined);
  if (!hasBegun && !signal.aborted) await run();
}
