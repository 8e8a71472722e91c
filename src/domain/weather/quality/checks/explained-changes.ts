import { MAGNUS, saturationTemperature, saturationVaporPressure } from '../../derived/vapor.js';
import { V } from '../../variables.js';

/** Relative humidity in % below which a rounded value does not give the vapor pressure accurately enough. */
const MIN_HUMIDITY = 5;

/**
 * Returns a function that computes how much of a change between two rows another variable explains; 0 without an explanation. The
 * temperature and the relative humidity explain each other.
 *
 * For example, if air warms and its vapor stays the same, the relative humidity falls. So a fall of the humidity is expected if
 * the temperature rises. A fall of the humidity at an unchanged temperature is not explained, and may be a fault.
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
      Math.min(earlier, later) >= MIN_HUMIDITY &&
      Math.max(earlier, later) <= 100;
    return isUsable ? change(first, second, earlier, later) : 0;
  };
}

/**
 * The change of the temperature, in °C, that changes the relative humidity from `earlier` to `later` at a constant vapor
 * pressure.
 */
function warming(first: number, _second: number, earlier: number, later: number): number {
  return saturationTemperature((saturationVaporPressure(first) * earlier) / later) - first;
}

/**
 * The change of the relative humidity, in %, if the temperature changes from `first` to `second` at a constant vapor pressure.
 */
function drying(first: number, second: number, earlier: number): number {
  const later = (earlier * saturationVaporPressure(first)) / saturationVaporPressure(second);
  return Math.min(100, later) - earlier;
}
