/**
 * Does work that must end within a time. `AbortSignal.any` with `AbortSignal.timeout` would do the same, but before Node.js 22 it
 * forgets its limit after a garbage collection.
 *
 * @param signal ends the work early
 * @param work gets a signal that aborts when the time is over or `signal` aborts. It must end then.
 */
export async function withinTime<Result>(
  milliseconds: number,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const end = () => limit.abort(signal.reason);
  const timer = setTimeout(
    () => limit.abort(new DOMException('The time is over.', 'TimeoutError')),
    milliseconds,
  );
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted) end();
    return await work(limit.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
