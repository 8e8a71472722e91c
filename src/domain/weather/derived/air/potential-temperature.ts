import { V } from '../../variables.js';
import { STATION_PRESSURE_TEXT, stationPressure } from '../barometry.js';
import { type DerivedQuantity, KELVIN, within } from '../quantity.js';

/** R / c_p of dry air as an ideal gas of diatomic molecules. */
const POISSON = 2 / 7;

export const potentialTemperature: DerivedQuantity = {
  name: 'potential_temperature',
  unit: '°C',
  standardName: 'air_potential_temperature',
  formula: `Poisson's equation for dry air, reference 1000 hPa, exponent 2/7: WMO, International Meteorological Tables. ${STATION_PRESSURE_TEXT}`,
  validity: 'temperature from -80 to 60 °C, pressure from 500 to 1100 hPa',
  inputs: [V.temperature, V.pressure, V.seaLevelPressure, V.humidity, V.dewPoint],
  compute: (conditions) => {
    const { temperature } = conditions;
    if (!within(temperature, -80, 60)) return Number.NaN;
    return (KELVIN + temperature) * (1000 / stationPressure(conditions)) ** POISSON - KELVIN;
  },
};
