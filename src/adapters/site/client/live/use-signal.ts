import type { ReadonlySignal } from '@preact/signals-core';
import { useEffect, useState } from 'preact/hooks';

/** The value of a signal, for a component that is drawn again when it changes. In the service it is the first value. */
export function useSignal<T>(signal: ReadonlySignal<T>): T {
  const [value, setValue] = useState(() => signal.peek());
  // A subscriber is also called at once, with what has changed since the component was drawn.
  useEffect(() => signal.subscribe((now) => setValue(() => now)), [signal]);
  return value;
}
