import { signal } from '@preact/signals-core';
import { MILLISECONDS } from '#domain/time.js';
import { useSite } from '../site-context.js';
import { useSignal } from './use-signal.js';

/** Milliseconds between two updates of ages. */
const TICK = 10 * MILLISECONDS.second;

const clock = signal<number | undefined>(undefined);

/** The time to which ages are shown, in ms since 1970: that of the first screen until the browser has taken it over. */
export function useNow(): number {
  const { now } = useSite();
  return useSignal(clock) ?? now;
}

/** Lets the ages on the page go on while the page can be seen. */
export function startClock(): void {
  const tick = () => {
    if (!document.hidden) clock.value = Date.now();
  };
  tick();
  setInterval(tick, TICK);
  document.addEventListener('visibilitychange', tick);
}
