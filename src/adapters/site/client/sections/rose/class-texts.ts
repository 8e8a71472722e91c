import { useNumbers, useSite } from '../../site-context.js';

/** The names of the classes of speed, without their unit. */
export function useClassTexts(bounds: readonly number[]): string[] {
  const { below, between, above } = useSite().text.station.rose;
  const number = useNumbers();
  const written = bounds.map((bound) => number(bound, 0));
  return [...written, ''].map((bound, index) => {
    const low = written[index - 1];
    if (low === undefined) return below(bound);
    return bound === '' ? above(low) : between(low, bound);
  });
}
