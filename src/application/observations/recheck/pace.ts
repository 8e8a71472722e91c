import { pause as yieldTurn, pauseFor } from '../../pause.js';

/** Milliseconds of work between two measurements. Before, the work only lets other work of the event loop come first. */
const WORK = 50;
/** Waits in ms up to which the process counts as free. A turn of a free event loop takes a small part of it. */
const FREE = 2;
/** Maximum number of measurements for one decision, and the milliseconds between them. */
const SAMPLES = 3;
const SAMPLE_INTERVAL = 5;
/** Length of a pause as a multiple of the work or of the wait before it. */
const PAUSE_FACTOR = 10;
/** Maximum length of a pause in ms. */
const MAX_PAUSE = 10_000;

/** Waits until the work that is ready before has been done. */
export type Turn = () => Promise<unknown>;

/**
 * Returns a function that must be called between pieces of background work, so that other work of the process comes first. It
 * measures how long the event loop and the writes that wait make the background work wait:
 *
 * - If the process is free, the work goes on at once, so that it uses an idle machine completely.
 * - If the process is busy, the work pauses for `PAUSE_FACTOR` times as long as it has worked or had to wait, so that it takes a
 *   small share.
 *
 * A single long wait can have another cause, such as another process. So the shortest of a few waits counts.
 *
 * @param turn waits for the turn of this work. It is called after the event loop has handled its other work
 * @param signal ends a pause early
 */
export function pacing(turn: Turn, signal: AbortSignal | undefined): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    const worked = performance.now() - begun;
    if (worked < WORK) return await yieldTurn();
    const waited = await shortestWait(turn, signal);
    if (waited > FREE) await pauseFor(Math.min(MAX_PAUSE, PAUSE_FACTOR * Math.max(worked, waited)), signal);
    begun = performance.now();
  };
}

async function shortestWait(turn: Turn, signal: AbortSignal | undefined): Promise<number> {
  let shortest = Infinity;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    if (sample > 0) await pauseFor(SAMPLE_INTERVAL, signal);
    const begun = performance.now();
    // Two turns, because the first one can end in the turn of the event loop in which it began.
    await yieldTurn();
    await yieldTurn();
    await turn();
    shortest = Math.min(shortest, performance.now() - begun);
    if (shortest <= FREE) break;
  }
  return shortest;
}
