import { useEffect, useState } from 'preact/hooks';
import { readBlocks, sleep } from '../../../../../../clients/typescript/src/event-blocks.js';
import { WeatherdError } from '../../api.js';
import { browserClient } from '../../browser-client.js';
import { useSignal } from '../../live/use-signal.js';
import { bearerToken, endSession, session } from '../../session.js';
import type { ImportChange, ImportJob } from './import-model.js';

/** Seconds before the page connects again. */
const PAUSE = 3;
/** Number of replies of other instances after which the page gives up. */
const MISSES = 5;

/**
 * Follows an import until the component is removed or the import is gone; again after a new sign-in.
 *
 * @param onGone called when the service does not know the import any more
 */
export function useImport(id: string, onGone: () => void) {
  const [job, setJob] = useState<ImportJob>();
  const signedIn = useSignal(session)?.basic;
  useEffect(() => {
    if (signedIn === undefined) return undefined;
    const stopped = new AbortController();
    void follow(id, setJob, onGone, stopped.signal);
    return () => stopped.abort();
  }, [id, signedIn]);
  return [job, setJob] as const;
}

async function follow(
  id: string,
  set: (update: (job: ImportJob | undefined) => ImportJob | undefined) => void,
  onGone: () => void,
  signal: AbortSignal,
): Promise<void> {
  const api = browserClient(bearerToken);
  const path = { id };
  let misses = 0;
  while (!signal.aborted) {
    try {
      let revision: number | undefined;
      const { body } = await api.response('/v1/imports/{id}/events', { path, signal });
      for await (const { data } of readBlocks(body)) {
        if (data === undefined) continue;
        const { rejected: _rejected, ...change } = JSON.parse(data) as ImportChange;
        // An event has only what changes often. Everything else is read when it has changed.
        const whole =
          change.revision === revision
            ? undefined
            : (await api.get('/v1/imports/{id}', { path, signal })).import;
        ({ revision } = whole ?? change);
        misses = 0;
        set((before) => whole ?? (before && { ...before, ...change }));
      }
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof WeatherdError ? error.code : undefined;
      if (code === 'AUTH_TOKEN_INVALID') return endSession();
      // A proxy may send the next request to the instance that has the import.
      misses += code === 'IMPORT_ELSEWHERE' ? 1 : 0;
      if (code === 'IMPORT_UNKNOWN' || misses > MISSES) return onGone();
    }
    await sleep(PAUSE, signal);
  }
}
