import type { DisplayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import type { Rose } from './rose-model.js';

/** The names of the classes of speed, with their unit. */
export function useClassTexts({ classes }: Rose, { convert, unit }: DisplayUnit): string[] {
  const { between, above } = useSite().text.station.rose;
  const number = useNumbers();
  return classes.map(({ from, to }, index) => {
    // The first class begins where calms end, which is no round number in all units.
    const low = number(convert(from), index === 0 ? 1 : 0);
    return `${to === null ? above(low) : between(low, number(convert(to), 0))} ${unit}`;
  });
}
