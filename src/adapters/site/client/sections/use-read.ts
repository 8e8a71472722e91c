import { useEffect, useState } from 'preact/hooks';
import { type Options, type PathOf, type Reply, targetOf } from '../api.js';
import { useSite } from '../site-context.js';

export interface ReadState<Data> {
  /** The data of the last successful reading. These data stay while new data are read. */
  readonly data: Data | undefined;
  readonly isLoading: boolean;
  /** The error of the last reading; undefined if the reading succeeded. */
  readonly fault: unknown;
  readonly retry: () => void;
}

/** Reads a route of the API in the browser, and reads it again when the parameters change. */
export function useRead<P extends PathOf<'get'>>(
  path: P,
  ...[options]: Options<P, 'get', 'json'>
): ReadState<Reply<P, 'get'>> {
  const { api } = useSite();
  return useReading(targetOf(path, options), (signal) =>
    api.get(path, ...([{ ...options, signal }] as Options<P, 'get', 'json'>)),
  );
}

/**
 * Reads data in the browser, and reads them again when `key` changes. A new request cancels the previous request.
 *
 * @param key identifies the data
 */
export function useReading<Data>(key: string, read: (signal: AbortSignal) => Promise<Data>): ReadState<Data> {
  const [attempt, setAttempt] = useState(0);
  const [{ loadedKey, data, fault }, setState] = useState<{
    readonly loadedKey?: string;
    readonly data?: Data | undefined;
    readonly fault?: unknown;
  }>({});
  useEffect(() => {
    const controller = new AbortController();
    read(controller.signal).then(
      (now) => {
        if (!controller.signal.aborted) setState({ loadedKey: key, data: now });
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          setState((before) => ({ loadedKey: key, data: before.data, fault: error }));
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  const isLoading = loadedKey !== key;
  return {
    data,
    isLoading,
    fault: isLoading ? undefined : fault,
    retry: () => {
      setState((before) => ({ data: before.data }));
      setAttempt((count) => count + 1);
    },
  };
}
