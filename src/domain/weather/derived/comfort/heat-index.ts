import { V } from '../../variables.js';
import { type DerivedQuantity, within } from '../quantity.js';
import { relativeHumidity } from '../vapor.js';

/** Range of temperatures, °F: from the lower limit of the NWS to the end of Steadman's table (50 °C). */
const TEMPERATURE = { min: 80 - 1e-9, max: 122 } as const;
/** The largest value of the chart of the NWS, °F. */
const MAX_INDEX = 137;

export const heatIndex: DerivedQuantity = {
  name: 'heat_index',
  unit: '°C',
  standardName: 'heat_index_of_air_temperature',
  formula:
    'Rothfusz regression with its adjustments: US National Weather Service, SR 90-23 (1990) and the page "The Heat Index Equation" of ' +
    'its Weather Prediction Center',
  validity:
    'temperature from 80 °F (26.67 °C) to 122 °F (50 °C), where the table of Steadman (1979) ends; relative humidity from 0 to 100 %; ' +
    'results up to 137 °F (58.33 °C), the largest of the NWS chart',
  inputs: [V.temperature, V.humidity, V.dewPoint],
  compute: (conditions) => {
    const humidity = relativeHumidity(conditions);
    const degrees = conditions.temperature * 1.8 + 32;
    if (!within(degrees, TEMPERATURE.min, TEMPERATURE.max)) return Number.NaN;
    const index = fahrenheitIndex(degrees, humidity);
    return index <= MAX_INDEX ? (index - 32) / 1.8 : Number.NaN;
  },
};

/**
 * Heat index in °F from a temperature in °F and a humidity in %. A simple formula gives the results below 80 °F. A regression
 * with adjustments for dry and for damp air gives all other results.
 */
function fahrenheitIndex(t: number, h: number): number {
  const simple = 0.5 * (t + 61 + (t - 68) * 1.2 + h * 0.094);
  if ((simple + t) / 2 < 80) return (simple + t) / 2;
  const regression =
    -42.379 +
    2.04901523 * t +
    10.14333127 * h -
    0.22475541 * t * h -
    0.00683783 * t * t -
    0.05481717 * h * h +
    0.00122874 * t * t * h +
    0.00085282 * t * h * h -
    0.00000199 * t * t * h * h;
  if (h < 13 && t <= 112) return regression - ((13 - h) / 4) * Math.sqrt((17 - Math.abs(t - 95)) / 17);
  if (h > 85 && t <= 87) return regression + ((h - 85) / 10) * ((87 - t) / 5);
  return regression;
}
