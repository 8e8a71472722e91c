import { saturationVaporPressure } from '#domain/weather/derived/vapor.js';

/** Smallest number of samples from which a unit is concluded. */
const MIN_SAMPLES = 3;

/**
 * The unit of pressures reduced to sea level, concluded from the size of the numbers; undefined if the samples do not determine
 * the unit.
 */
export function likelyPressureUnit(samples: readonly string[]): 'inHg' | 'hPa' | 'mmHg' | undefined {
  const values = numbers(samples);
  if (values.length < MIN_SAMPLES) return undefined;
  const all = (low: number, high: number) => values.every((value) => value > low && value < high);
  if (all(25, 33)) return 'inHg';
  if (all(850, 1100)) return 'hPa';
  return all(635, 830) ? 'mmHg' : undefined;
}

/**
 * The unit of temperatures. In the correct unit, temperature and dew point of a row result in the humidity of the same row; in
 * the wrong unit they do not. Undefined if the samples do not determine the unit, for instance in fog.
 *
 * @param temperatures, humidities, dewPoints samples of the same rows
 */
export function likelyTemperature(
  temperatures: readonly string[],
  humidities: readonly string[],
  dewPoints: readonly string[],
): '°C' | '°F' | undefined {
  let [celsius, fahrenheit, count] = [0, 0, 0];
  for (const [row, text] of temperatures.entries()) {
    const [temperature, humidity, dewPoint] = [Number(text), Number(humidities[row]), Number(dewPoints[row])];
    // Rows near saturation are skipped, because both units result in similar humidities there.
    if (!(humidity > 0 && humidity < 90) || Number.isNaN(temperature) || Number.isNaN(dewPoint)) continue;
    count += 1;
    celsius += Math.abs(humidityOf(temperature, dewPoint) - humidity);
    fahrenheit += Math.abs(humidityOf((temperature - 32) / 1.8, (dewPoint - 32) / 1.8) - humidity);
  }
  if (count < MIN_SAMPLES) return undefined;
  // The limit is 4 percentage points, because temperatures in whole degrees cause errors of this size.
  if (celsius / count < 4 && fahrenheit > 2 * celsius) return '°C';
  return fahrenheit / count < 4 && celsius > 2 * fahrenheit ? '°F' : undefined;
}

/** Relative humidity in percent, from temperatures in degrees Celsius. */
function humidityOf(temperature: number, dewPoint: number): number {
  return (100 * saturationVaporPressure(dewPoint)) / saturationVaporPressure(temperature);
}

function numbers(samples: readonly string[]): number[] {
  return samples
    .map((text) => Number(text.replace(',', '.')))
    .filter((value) => Number.isFinite(value) && value > 0);
}
