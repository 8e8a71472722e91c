import { V } from '../../variables.js';
import { type DerivedQuantity, KELVIN, within } from '../quantity.js';
import { dewPointOf } from '../vapor.js';

/** Height in meters by which a parcel of dry air rises when it cools by 1 K: c_p / g of dry air. */
const METERS_PER_KELVIN = 1005.7 / 9.80665;

export const cloudBase: DerivedQuantity = {
  name: 'estimated_cloud_base',
  unit: 'm',
  decimals: 0,
  formula:
    'an estimate, in meters above the station: lifting condensation level of a parcel of air from the station, Bolton (1980), Mon. Wea. ' +
    'Rev. 108, equation 15. It is the base of convective clouds in well mixed air only',
  validity: 'temperature from -35 to 35 °C, for which Bolton gives an accuracy of 0.1 K',
  inputs: [V.temperature, V.humidity, V.dewPoint],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, -35, 35)) return Number.NaN;
    const [air, dew] = [KELVIN + temperature, KELVIN + dewPointOf(conditions)];
    // The formula divides by 0 at a dew point of 56 K. Dew points up to 150 K are refused, because no dew point in the atmosphere
    // is so low.
    if (!(dew > 150)) return Number.NaN;
    const level = 1 / (1 / (dew - 56) + Math.log(air / dew) / 800) + 56;
    return Math.max(0, air - level) * METERS_PER_KELVIN;
  },
};
