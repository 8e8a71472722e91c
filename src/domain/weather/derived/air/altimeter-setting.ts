import { V } from '../../variables.js';
import { STATION_PRESSURE } from '../barometry.js';
import { type DerivedQuantity, within } from '../quantity.js';

/** Exponent of the pressure in the standard atmosphere: gas constant of air · lapse rate / gravity. */
const EXPONENT = 0.190284;
/**
 * Difference in hPa between the pressures on the runway and at the barometer. The barometer is assumed to be 10 ft above the
 * runway.
 */
const BAROMETER_CORRECTION = 0.3;

export const altimeterSetting: DerivedQuantity = {
  name: 'altimeter_setting',
  unit: 'hPa',
  formula:
    'pressure reduced along the standard atmosphere: Smithsonian Meteorological Tables (1951), p. 269, as the US National Weather Service',
  validity: 'stations from -500 to 9000 m, measured station pressure from 500 to 1100 hPa',
  inputs: [V.pressure],
  compute: ({ pressure, elevation }) => {
    if (!within(pressure, STATION_PRESSURE.min, STATION_PRESSURE.max)) return Number.NaN;
    const column = (1013.25 ** EXPONENT * 0.0065 * elevation) / 288;
    return ((pressure - BAROMETER_CORRECTION) ** EXPONENT + column) ** (1 / EXPONENT);
  },
};
