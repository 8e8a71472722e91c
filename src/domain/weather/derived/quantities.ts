import { fineParticlesIndex, particlesIndex } from './air/air-quality-index.js';
import { airDensity } from './air/air-density.js';
import { altimeterSetting } from './air/altimeter-setting.js';
import { cloudBase } from './air/cloud-base.js';
import { potentialTemperature } from './air/potential-temperature.js';
import { seaLevelPressure, seaLevelPressure12h } from './air/sea-level-pressure.js';
import { apparentTemperature } from './comfort/apparent-temperature.js';
import { windChillOrHeatIndex, windChillOrHumidex } from './comfort/feels-like.js';
import { heatIndex } from './comfort/heat-index.js';
import { humidex } from './comfort/humidex.js';
import { universalThermalClimateIndex } from './comfort/utci.js';
import { wetBulbGlobeTemperature } from './comfort/wet-bulb-globe.js';
import { windChill } from './comfort/wind-chill.js';
import { absoluteHumidity } from './humidity/absolute-humidity.js';
import { deltaT } from './humidity/delta-t.js';
import { dewPoint } from './humidity/dew-point.js';
import { frostPoint } from './humidity/frost-point.js';
import { mixingRatio } from './humidity/mixing-ratio.js';
import { vaporPressureDeficit } from './humidity/vapor-pressure-deficit.js';
import { wetBulb } from './humidity/wet-bulb.js';
import type { DerivedQuantity } from './quantity.js';

/** The quantities at an instant, in the order of the documentation. */
export const DERIVED: readonly DerivedQuantity[] = [
  dewPoint,
  frostPoint,
  wetBulb,
  deltaT,
  vaporPressureDeficit,
  absoluteHumidity,
  mixingRatio,
  heatIndex,
  humidex,
  windChill,
  apparentTemperature,
  windChillOrHeatIndex,
  windChillOrHumidex,
  wetBulbGlobeTemperature,
  universalThermalClimateIndex,
  seaLevelPressure,
  seaLevelPressure12h,
  altimeterSetting,
  airDensity,
  potentialTemperature,
  cloudBase,
  fineParticlesIndex,
  particlesIndex,
];
