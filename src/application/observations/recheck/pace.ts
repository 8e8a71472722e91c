import { pause as yieldTurn, pauseFor } from '../../pause.js';

/** Waits in ms up to which the event loop counts as free. A turn of a free loop takes a small part of it. */
const FREE = 2;
/** Length of a pause as a multiple of the wait before it. */
const PAUSE_FACTOR = 10;
/** Maximum length of a pause in ms. */
const MAX_PAUSE = 2000;

/** Waits until the event loop has handled the other work that is ready. @returns the length of the wait in ms */
export type LoopWait = () => Promise<number>;

/**
 * Returns a function that must be called between pieces of background work, so that other work of the process comes first. It
 * measures how long the event loop makes the background work wait:
 *
 * - If the loop is free, the work goes on at once, so that it uses an idle machine completely.
 * - If the loop is busy, the work pauses for `PAUSE_FACTOR` times as long as it had to wait, so that it takes a small share.
 *
 * @param signal ends a pause early
 */
export function pacing(
  signal: AbortSignal | undefined,
  loopWait: LoopWait = waitForTurns,
): () => Promise<void> {
  return async () => {
    const waited = await loopWait();
    if (waited > FREE) await pauseFor(Math.min(MAX_PAUSE, waited * PAUSE_FACTOR), signal);
  };
}

/** Waits for two turns, because the first one can end in the turn in which it began. */
async function waitForTurns(): Promise<number> {
  const begun = performance.now();
  await yieldTurn();
  await yieldTurn();
  return performance.now() - begun;
}
