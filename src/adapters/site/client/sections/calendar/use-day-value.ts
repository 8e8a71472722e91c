import { displayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import { type CalendarQuantity, VARIABLE_OF } from './calendar-model.js';

/** Returns functions that format a value in the unit system of the visitor. */
export function useDayValue(quantity: CalendarQuantity): {
  readonly number: (metric: number) => string;
  readonly withUnit: (metric: number) => string;
  /** Formats a value for a legend. Temperatures are in whole degrees. */
  readonly rounded: (metric: number) => string;
} {
  const number = useNumbers();
  const { units } = useSite().preferences;
  const isRain = quantity === 'rain';
  const { unit, decimals, convert } = displayUnit(VARIABLE_OF[quantity], isRain ? 'mm' : '°C', units);
  const rounded = isRain ? decimals : 0;
  return {
    number: (metric) => number(convert(metric), decimals),
    withUnit: (metric) => `${number(convert(metric), decimals)} ${unit}`,
    rounded: (metric) => `${number(convert(metric), rounded)} ${unit}`,
  };
}
