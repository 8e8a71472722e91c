import { useEffect, useState } from 'preact/hooks';
import { useSite } from '../site-context.js';

export interface Reading<Data> {
  /** The last data that were read; they stay while others are read. */
  readonly data: Data | undefined;
  readonly isLoading: boolean;
  /** Why the data could not be read. */
  readonly fault: unknown;
  readonly retry: () => void;
}

/** Reads a route of the API in the browser, and again when the address changes. A newer request ends the older one. */
export function useRead<Data>(target: string): Reading<Data> {
  const { api } = useSite();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{
    readonly of: string;
    readonly data?: Data;
    readonly fault?: unknown;
  }>();
  useEffect(() => {
    const ending = new AbortController();
    api.read(target, ending.signal).then(
      (data) => setState({ of: target, data: data as Data }),
      (error: unknown) => {
        if (!ending.signal.aborted) setState({ of: target, fault: error });
      },
    );
    return () => ending.abort();
  }, [api, target, attempt]);
  return {
    data: state?.data,
    isLoading: state?.of !== target,
    fault: state?.of === target ? state.fault : undefined,
    retry: () => {
      setState(undefined);
      setAttempt((count) => count + 1);
    },
  };
}
