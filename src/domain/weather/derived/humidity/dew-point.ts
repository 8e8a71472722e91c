import { V } from '../../variables.js';
import type { DerivedQuantity } from '../quantity.js';
import { dewPointOf } from '../vapor.js';

export const dewPoint: DerivedQuantity = {
  name: 'dew_point',
  unit: '°C',
  standardName: 'dew_point_temperature',
  formula: 'the stored dew point, otherwise Magnus over water, inverted: WMO-No. 8 (2018), annex 4.B',
  validity:
    'computed: temperature and dew point from -45 to 60 °C, relative humidity above 0 and up to 100 %; stored: at most the temperature ' +
    '(0.05 °C more, which is rounding, counts as the temperature)',
  inputs: [V.temperature, V.humidity, V.dewPoint],
  stored: V.dewPoint,
  compute: dewPointOf,
};
