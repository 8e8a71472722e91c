import { setTimeout as wait } from 'node:timers/promises';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { RecheckProgress } from '#application/observations/recheck/recheck-progress.js';
import { DomainError } from '#domain/domain-error.js';
import type { CommandContext } from '../command-context.js';
import { makeBar } from '../progress-bar.js';
import type { Terminal } from '../terminal.js';

/** Milliseconds between two looks at the progress. */
const LOOK = 300;
/** Number of the newest imports among which earlier imports of the same files are searched. */
const EARLIER = 1000;

/**
 * Waits until quality control has finally checked the rows of imports, and of earlier imports of the same files: an import that was
 * interrupted during this wait changes nothing when it is repeated, but its rows are not checked yet. A running service checks them.
 * Without a service, the command checks them itself. A signal to the process ends the wait; the check continues when a service runs.
 *
 * @param numbers numbers of the imports
 * @throws DomainError SERVICE_UNAVAILABLE if some rows cannot be checked now; STORE_UNAVAILABLE if the service has ended; an Error that
 *   names the signal
 */
export async function waitForFinalFlags(
  numbers: readonly number[],
  { useCase, importLog, isServed }: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const records = await Promise.all(numbers.map((number) => importLog.find(number)));
  const files = new Set(records.flatMap((record) => record?.file ?? []));
  const earlier = (await importLog.list(EARLIER)).filter(({ file }) => files.has(file));
  const stations = new Set([...records, ...earlier].flatMap((record) => record?.stations ?? []));
  const progress = useCase(RecheckProgress);
  await terminal.interruptibly(async (signal) => {
    const ranges = await progress.pendingOf([...stations]);
    const total = await progress.rowsLeft(ranges);
    const stopping = new AbortController();
    const check = isServed ? undefined : useCase(RecheckObservations).execute(stopping.signal);
    let hasEnded = false;
    void check?.catch(() => undefined).finally(() => (hasEnded = true));
    const bar = await makeBar(total, terminal);
    bar.start(total, 0);
    try {
      for (;;) {
        // The end is read before the rows, so that rows which are left after the end cannot be checked.
        const isOver = hasEnded;
        const left = await progress.rowsLeft(ranges);
        bar.update(Math.max(0, total - left));
        if (left === 0) break;
        // Without the service nobody checks the rows, and the wait would not end.
        if (isServed) await progress.reach();
        if (isOver) {
          await check;
          throw unchecked(left);
        }
        await wait(LOOK, undefined, { signal });
      }
    } finally {
      bar.stop();
      stopping.abort();
      await check?.catch(() => undefined);
      if (signal.aborted)
        terminal.printError('The rows are stored. A running service continues to check their quality.');
    }
    terminal.print('Quality control has checked the rows: their flags are final.');
  });
}

function unchecked(rows: number): DomainError {
  return new DomainError(
    'SERVICE_UNAVAILABLE',
    `The rows are stored, but about ${rows} of them could not be checked finally. A running service tries again.`,
  );
}
