import { signal } from '@preact/signals-core';
import { MILLISECONDS } from '#domain/time.js';
import { useSite } from '../site-context.js';
import { clockDifference, currentTime } from './server-clock.js';
import { useSignal } from './use-signal.js';

/** Milliseconds between two updates of ages. */
const TICK = 10 * MILLISECONDS.second;
const clock = signal<number | undefined>(undefined);
/**
 * The time in ms since 1970 with which ages are computed. Until hydration it is the time of the first screen, then the current
 * time. In the parts that show an old station, it is the time of the last value.
 */
export function useNow(): number {
  const { now, isStill } = useSite();
  const time = useSignal(clock) ?? now;
  return isStill === true ? now : time;
}

/** Updates the ages on the page while the page is visible. */
export function startClock(): void {
  const tick = () => {
    if (!document.hidden) clock.value = currentTime();
  };
  clockDifference.subscribe(tick);
  setInterval(tick, TICK);
  document.addEventListener('visibilitychange', tick);
}
