import { useNumbers, useSite } from '../../site-context.js';
import { elementUnit } from './element-unit.js';

/** Returns functions that format elements of the climate in the unit system of the visitor. @param units units by element */
export function useElements(units: Readonly<Record<string, string>>): {
  readonly unit: (element: string) => string;
  readonly write: (element: string, value: number) => string;
} {
  const { preferences } = useSite();
  const number = useNumbers();
  const unitOf = (element: string) => elementUnit(element, units[element] ?? '', preferences.units);
  return {
    unit: (element) => unitOf(element).unit,
    write: (element, value) => {
      const { convert, decimals } = unitOf(element);
      return number(convert(value), decimals);
    },
  };
}
