import type { Station } from '../api.js';
import { displayUnit } from '../format/units.js';
import { useNumbers, useSite } from '../site-context.js';
import type { Now } from './read-now.js';

export interface CardProps {
  readonly station: Station;
  readonly now: Now;
}

/** Returns a function that formats a value with its unit in the unit system of the visitor; `–` for a missing value. */
export function useAmountFormat(): (
  variable: string,
  metric: string,
  value: number | null | undefined,
) => string {
  const { text, preferences } = useSite();
  const number = useNumbers();
  return (variable, metric, value) => {
    if (value === null || value === undefined) return text.value.none;
    const { unit, decimals, convert } = displayUnit(variable, metric, preferences.units);
    return `${number(convert(value), decimals)} ${unit}`;
  };
}

/** A formatted amount whose unit is written smaller. A text without a unit means that there is no value. */
export function RainAmount({ written }: { readonly written: string }) {
  const { text } = useSite();
  const [value, unit] = written.split(' ');
  return (
    <span class="value">
      <span aria-hidden={unit === undefined}>{value}</span>
      {unit === undefined ? (
        <span class="hidden">{text.value.missing}</span>
      ) : (
        <span class="unit"> {unit}</span>
      )}
    </span>
  );
}
