import type { DisplayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import type { Rose } from './rose-model.js';

/** Returns the names of the speed classes with their unit. */
export function useClassTexts({ classes }: Rose, { convert, unit }: DisplayUnit): string[] {
  const { between, above } = useSite().text.station.rose;
  const number = useNumbers();
  return classes.map(({ from, to }, index) => {
    // The first class starts at the upper limit of calms. In some units, this limit is not a round number. Therefore the limit is
    // written with one decimal.
    const low = number(convert(from), index === 0 ? 1 : 0);
    return `${to === null ? above(low) : between(low, number(convert(to), 0))} ${unit}`;
  });
}
