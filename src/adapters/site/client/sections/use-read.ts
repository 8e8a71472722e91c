import { useEffect, useState } from 'preact/hooks';
import { type Options, type PathOf, type Reply, targetOf } from '../api.js';
import { useSite } from '../site-context.js';

export interface Reading<Data> {
  /** The last data that were read; they stay while others are read. */
  readonly data: Data | undefined;
  readonly isLoading: boolean;
  /** Why the data could not be read. */
  readonly fault: unknown;
  readonly retry: () => void;
}

/** Reads a route of the API in the browser, and again when its parameters change. A newer request ends the older one. */
export function useRead<P extends PathOf<'get'>>(
  path: P,
  ...[options]: Options<P, 'get', 'json'>
): Reading<Reply<P, 'get'>> {
  const { api } = useSite();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{
    readonly of: string;
    readonly data?: Reply<P, 'get'>;
    readonly fault?: unknown;
  }>();
  const address = targetOf(path, options);
  useEffect(() => {
    const ending = new AbortController();
    api.get(path, ...([{ ...options, signal: ending.signal }] as Options<P, 'get', 'json'>)).then(
      (data) => setState({ of: address, data }),
      (error: unknown) => {
        if (!ending.signal.aborted) setState({ of: address, fault: error });
      },
    );
    return () => ending.abort();
  }, [api, address, attempt]);
  return {
    data: state?.data,
    isLoading: state?.of !== address,
    fault: state?.of === address ? state.fault : undefined,
    retry: () => {
      setState(undefined);
      setAttempt((count) => count + 1);
    },
  };
}
