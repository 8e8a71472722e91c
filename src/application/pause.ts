/** Lets the event loop serve everybody else before a long computation goes on. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
