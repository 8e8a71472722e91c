import type { ReadonlySignal } from '@preact/signals-core';
import { useEffect, useState } from 'preact/hooks';

/**
 * Returns the value of a signal, and renders the component again when the value changes. On the server, which renders a page only
 * once, the value never changes.
 */
export function useSignal<T>(signal: ReadonlySignal<T>): T {
  const [value, setValue] = useState(() => signal.peek());
  // `subscribe` calls its listener immediately, so a change between rendering and this effect is not lost.
  useEffect(() => signal.subscribe((now) => setValue(() => now)), [signal]);
  return value;
}
