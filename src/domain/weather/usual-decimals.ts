/** The decimals with which people write values: the one table for pages, files, reports, and the parameter `decimals=usual`. */

/** Numbers of decimals by unit, for each stored unit. */
const DECIMALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '°C': { '°C': 1, '°F': 1, K: 2 },
  hPa: { hPa: 1, inHg: 2 },
  // The API calls the knot `kt`, pages call it `kn`.
  'm/s': { 'm/s': 1, 'km/h': 0, mph: 0, kt: 0, kn: 0 },
  mm: { mm: 1, in: 2 },
  'mm/h': { 'mm/h': 1, 'in/h': 2 },
  '%': { '%': 0 },
  degree: { degree: 0 },
  'W/m²': { 'W/m²': 0 },
  m: { m: 0, km: 1, mi: 1, ft: 0 },
  s: { s: 0 },
  ppm: { ppm: 0 },
  kPa: { kPa: 2 },
  'kg/m³': { 'kg/m³': 3 },
};

/** Numbers of decimals of single quantities, in place of the numbers in `DECIMALS`. */
const OF_QUANTITIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  degree_days: { '°C': 0, '°F': 0, K: 0 },
  energy: { 'MJ/m²': 1, 'J/m²': 0 },
  surface_snow_thickness: { m: 2, cm: 0, in: 1 },
  daily_surface_snow_thickness: { m: 2, cm: 0, in: 1 },
  volume_fraction_of_condensed_water_in_soil: { '1': 2 },
  volume_fraction_of_condensed_water_in_soil_pores: { '1': 2 },
  lightning_strike_count: { '1': 0 },
  percentage: { '%': 1 },
  standardized_index: { '1': 2 },
  precipitation_trace: { '1': 0 },
  daily_precipitation_trace: { '1': 0 },
  daily_snowfall_trace: { '1': 0 },
  daily_surface_snow_trace: { '1': 0 },
  multiday_precipitation_days: { '1': 0 },
  multiday_snowfall_days: { '1': 0 },
};

/**
 * Number of decimals with which a value is usually written.
 *
 * @param name name of the variable or quantity
 * @param stored its stored unit
 * @param unit unit of the value
 * @param factor number of these units in a stored unit, for units that are not in the table: a unit that is ten times as large has
 *   one decimal more
 */
export function usualDecimals(name: string, stored: string, unit: string, factor = 1): number {
  const known = OF_QUANTITIES[name]?.[unit] ?? DECIMALS[stored]?.[unit];
  if (known !== undefined) return known;
  const ofStored = OF_QUANTITIES[name]?.[stored] ?? DECIMALS[stored]?.[stored] ?? 1;
  return Math.max(0, ofStored + Math.ceil(-Math.log10(factor) - 1e-9));
}

/** Rounds half away from zero, by the decimal digits of the number: 1.005 to 2 decimals is 1.01, as `Intl.NumberFormat` writes it. */
export function roundTo(value: number, decimals: number): number {
  const power = 10 ** decimals;
  const size = Math.abs(value) * power;
  // Numbers whose digits are all before the rounded digit, NaN and infinity are returned unchanged.
  if (!(size < 1e15)) return value;
  const half = Math.floor(size) + 0.5;
  // Close to a half, the product may be on the other side of it, because binary fractions are not exact. 15 digits are.
  const rounded = Math.round(Math.abs(size - half) > 1e-6 * half ? size : Number(size.toPrecision(15)));
  // Adding 0 turns -0 into 0, because JSON has no -0.
  return Math.sign(value) * (rounded / power) + 0;
}
