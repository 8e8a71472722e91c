import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Measures the width of an element in px, also when it changes. The width is 0 before the first measurement. */
export function useWidth<Target extends HTMLElement>(): readonly [
  element: RefObject<Target | null>,
  width: number,
] {
  const element = useRef<Target>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => setWidth(Math.floor(current.clientWidth));
    measure();
    const watched = new ResizeObserver(measure);
    watched.observe(current);
    return () => watched.disconnect();
  }, []);
  return [element, width];
}
