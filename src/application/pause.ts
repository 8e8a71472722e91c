/** Lets the event loop serve other requests before a long computation continues. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function pauseFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
