/** Lets the event loop serve other requests before a long computation continues. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** @param signal ends the pause early, without an error */
export function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end);
  });
}
