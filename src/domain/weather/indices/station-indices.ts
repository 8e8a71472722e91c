import { airQualityOfDays, airQualityOfHours } from './air-quality.js';
import { chill } from './chill.js';
import { fireWeather } from './fire-weather.js';
import { growingDegreeDays } from './growing-degree-days.js';
import { heatStressOfDays, heatStressOfHours } from './heat-stress.js';
import { leafWetnessOfDays, leafWetnessOfHours } from './leaf-wetness.js';
import { spray } from './spray.js';
import type { StationIndex } from './station-index.js';
import { waterBalance } from './water-balance.js';

/** All indices, in the order of the documents. An index that exists for hours and for days is in the list twice. */
export const STATION_INDICES: readonly StationIndex<never>[] = [
  airQualityOfHours,
  airQualityOfDays,
  growingDegreeDays,
  chill,
  leafWetnessOfHours,
  leafWetnessOfDays,
  spray,
  waterBalance,
  fireWeather,
  heatStressOfHours,
  heatStressOfDays,
];
