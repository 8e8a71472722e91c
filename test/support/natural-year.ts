import { MILLISECONDS } from '#domain/time.js';
import { type Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';

const STEP = 10 * MILLISECONDS.minute;
const ROWS = 365 * 144;

/**
 * Generates one year of 10-minute rows that look like weather. Deviations of temperature, dew point and wind decay within a day;
 * the tendency of pressure decays too. Values have sensor noise and one decimal. The result is always the same.
 */
export function naturalYear(start = Date.UTC(2023, 0, 1)): Series {
  const random = normalNumbers();
  const tenths = (value: number) => Math.round(value * 10) / 10;
  const [temperature, dewPoint, pressure, wind] = Array.from({ length: 4 }, () => new Float64Array(ROWS)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let [warm, moist, tendency, high, windy] = [0, 0, 0, 0, 0];
  for (let row = 0; row < ROWS; row += 1) {
    const days = row / 144;
    const season = Math.cos((2 * Math.PI * days) / 365);
    const hour = Math.cos(2 * Math.PI * days - 0.6);
    warm = 0.998 * warm + 0.12 * random();
    moist = 0.998 * moist + 0.1 * random();
    tendency = 0.98 * tendency + 0.006 * random();
    high = 0.9995 * high + tendency;
    windy = 0.99 * windy + 0.35 * random();
    temperature[row] = tenths(9 - 9 * season - 4 * hour + warm + 0.08 * random());
    dewPoint[row] = tenths(
      Math.min(9 - 9 * season - 4 * hour + warm - 0.5, 5 - 6 * season + moist + 0.1 * random()),
    );
    pressure[row] = tenths(1013 + high + 0.02 * random());
    wind[row] = tenths(Math.max(0, 3 + windy + 0.4 * random()));
  }
  return {
    times: Float64Array.from({ length: ROWS }, (_, row) => start + row * STEP),
    values: new Map([
      [V.temperature, temperature],
      [V.dewPoint, dewPoint],
      [V.seaLevelPressure, pressure],
      [V.windSpeed, wind],
    ]),
    flags: new Map(),
  };
}

/** Generates nearly normally distributed numbers with a linear congruential generator. */
function normalNumbers(): () => number {
  let state = 1;
  const uniform = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  return () => {
    let sum = 0;
    for (let count = 0; count < 6; count += 1) sum += uniform();
    return (sum - 3) / Math.SQRT1_2;
  };
}
