import { signal } from '@preact/signals-core';
import { MILLISECONDS } from '#domain/time.js';

/** A smaller difference in ms between the clocks is not corrected: times of replies have whole seconds, and replies take time. */
const MIN_DIFFERENCE = 5 * MILLISECONDS.second;

/** How far the clock of the service is ahead of the clock of this device, in ms. */
export const clockDifference = signal(0);

/** The current time in ms since 1970 by the clock of the service, because the clock of the device may be wrong. */
export function currentTime(): number {
  return Date.now() + clockDifference.peek();
}

/** Compares the clock of this device with the time of a reply. @param date the header `Date` of a reply that was just received */
export function compareClocks(date: string | null): void {
  const ahead = Date.parse(date ?? '') - Date.now();
  if (!(Math.abs(ahead - clockDifference.peek()) >= MIN_DIFFERENCE)) return;
  clockDifference.value = Math.abs(ahead) < MIN_DIFFERENCE ? 0 : ahead;
}
