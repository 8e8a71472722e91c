import { MAGNUS, saturationTemperature, saturationVapourPressure } from '../../derived/vapour.js';
import { V } from '../../variables.js';

/** Below this relative humidity (%), a rounded value says too little about the vapour. */
const DRY = 5;

/**
 * The change of a variable between two rows that another variable explains; 0 if there is none. If air warms and its vapour stays
 * the same, the relative humidity falls. So a change of one of them that the other one does not have is a fault, and a change that
 * both have is weather.
 */
export function explainedChanges(
  variable: number,
  values: ReadonlyMap<number, Float64Array>,
): (before: number, after: number) => number {
  const [temperatures, humidities] = [values.get(V.temperature), values.get(V.humidity)];
  if (temperatures === undefined || humidities === undefined) return () => 0;
  const change = variable === V.temperature ? warming : variable === V.humidity ? drying : undefined;
  if (change === undefined) return () => 0;
  return (before, after) => {
    const [first, second] = [temperatures[before] as number, temperatures[after] as number];
    const [earlier, later] = [humidities[before] as number, humidities[after] as number];
    const isUsable =
      Math.min(first, second) >= MAGNUS.min &&
      Math.max(first, second) <= MAGNUS.max &&
      Math.min(earlier, later) >= DRY &&
      Math.max(earlier, later) <= 100;
    return isUsable ? change(first, second, earlier, later) : 0;
  };
}

/** The change of temperature that leaves the vapour as it was. */
function warming(first: number, _second: number, earlier: number, later: number): number {
  return saturationTemperature((saturationVapourPressure(first) * earlier) / later) - first;
}

/** The change of relative humidity that leaves the vapour as it was. */
function drying(first: number, second: number, earlier: number): number {
  const later = (earlier * saturationVapourPressure(first)) / saturationVapourPressure(second);
  return Math.min(100, later) - earlier;
}
