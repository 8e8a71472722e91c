import { type DerivedQuantity, type QuantityInputs, within } from '../quantity.js';
import { relativeHumidity, vaporPressure } from '../vapor.js';
import { apparentTemperature } from './apparent-temperature.js';
import { heatIndex } from './heat-index.js';
import { humidex } from './humidex.js';
import { universalThermalClimateIndex } from './utci.js';
import { windChill } from './wind-chill.js';

/** Range of the wind chill, °C. */
const COLD = { min: -80, max: 10 } as const;
/** Lowest temperature of the heat index (80 °F) and of the humidex, °C. */
const WARM = { heatIndex: (80 - 32) / 1.8 - 1e-9, humidex: 20 } as const;
/** Vapor pressure in hPa up to which air is too dry for a humidex above the temperature. */
const DRY = 10;

const inputs = [...new Set([...windChill.inputs, ...heatIndex.inputs])];

/** What the air feels like, as the US National Weather Service says it. */
export const windChillOrHeatIndex: DerivedQuantity = {
  name: 'wind_chill_or_heat_index',
  unit: '°C',
  formula:
    'wind_chill up to 10 °C and heat_index from 80 °F on, otherwise the temperature of the air: US National Weather Service',
  validity: `wind_chill: the wind is known; ${heatIndex.validity}`,
  inputs,
  compute: (conditions) =>
    conditions.temperature >= WARM.heatIndex ? heatIndex.compute(conditions) : cold(conditions),
};

/** What the air feels like, as Environment Canada says it. */
export const windChillOrHumidex: DerivedQuantity = {
  name: 'wind_chill_or_humidex',
  unit: '°C',
  formula:
    'wind_chill up to 10 °C and humidex from 20 °C on where it is above the temperature, otherwise the temperature of the air: Environment Canada',
  validity: `wind_chill: the wind is known; ${humidex.validity}`,
  inputs,
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!(temperature >= WARM.humidex)) return cold(conditions);
    const isDry = within(relativeHumidity(conditions), 0, 100) && vaporPressure(conditions) <= DRY;
    return isDry && temperature <= 43 ? temperature : humidex.compute(conditions);
  },
};

const CHOICES = {
  apparent_temperature: apparentTemperature,
  universal_thermal_climate_index: universalThermalClimateIndex,
  wind_chill_or_heat_index: windChillOrHeatIndex,
  wind_chill_or_humidex: windChillOrHumidex,
} as const satisfies Readonly<Record<string, DerivedQuantity>>;

export type FeelsLikeName = keyof typeof CHOICES;
/** Names of the quantities that `feels_like` can be. */
export const FEELS_LIKE_NAMES = Object.keys(CHOICES) as FeelsLikeName[];
/** The name under which replies have the quantity that the operator has chosen. */
export const FEELS_LIKE = 'feels_like';

/** The quantity `feels_like`: the chosen quantity under another name. */
export const feelsLikeBy = (name: FeelsLikeName): DerivedQuantity => ({
  ...CHOICES[name],
  name: FEELS_LIKE,
  aliasOf: name,
});

/** The wind chill, or the temperature where it is not defined: above 10 °C, and in light wind above 0 °C. */
function cold(conditions: QuantityInputs): number {
  const { temperature, windSpeed } = conditions;
  if (!within(temperature, COLD.min, COLD.max)) return temperature > COLD.max ? temperature : Number.NaN;
  const chill = windChill.compute(conditions);
  return Number.isNaN(chill) && windSpeed >= 0 ? temperature : chill;
}
