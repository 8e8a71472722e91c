import { MILLISECONDS } from '#domain/time.js';
import { extraterrestrialRadiation, sunAt } from '../../derived/solar.js';

/** Water that an energy evaporates, in mm per MJ/m²: FAO-56, equation 20. */
const MM_OF_ENERGY = 0.408;

/**
 * Reference evapotranspiration of each day in mm, from the extremes of its temperature: Hargreaves and Samani (1985), FAO-56,
 * equation 52. NaN for a day without an extreme.
 *
 * @param dates days from 1970-01-01
 * @param maxima °C
 * @param minima °C
 */
export function hargreaves(
  dates: Int32Array,
  maxima: Float64Array,
  minima: Float64Array,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): Float64Array {
  return maxima.map((maximum, row) => {
    const minimum = minima[row] as number;
    if (Number.isNaN(maximum + minimum)) return Number.NaN;
    const noon = ((dates[row] as number) + 0.5 - longitude / 360) * MILLISECONDS.day;
    const radiation = extraterrestrialRadiation(sunAt(noon, longitude), latitude, -Math.PI, Math.PI);
    const range = Math.sqrt(Math.max(0, maximum - minimum));
    return Math.max(0, 0.0023 * MM_OF_ENERGY * radiation * ((maximum + minimum) / 2 + 17.8) * range);
  });
}
