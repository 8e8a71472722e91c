import type { SensorState } from '#application/ports/source-kind.js';
import { decimalNumber } from '#adapters/formats/text/number.js';

/** What an Ecowitt gateway says of a battery and of a signal, as texts. */
export interface SentState {
  readonly battery: string | undefined;
  readonly voltage?: string | undefined;
  readonly rssi?: string | undefined;
}

/** Largest level of a battery. 6 means an external supply, and 9 that the sensor is off. */
const FULL = 5;
/** Sensors whose battery is a flag: 1 means low. */
const FLAG_SENSORS = /^(?:w[hn](?:24|25|26|31|32|65|69)|ch_aisle\b)/i;
/**
 * Sensors whose level 0 says nothing: the WH51 reports fifths or a flag, depending on the firmware, and a WH40 without a measurement of
 * its battery reports 0. A low WH51 reports 1 in both cases.
 */
const UNCLEAR_SENSORS = /^(?:wh51|wh40|ch_soil\b)/i;

/**
 * The state of a sensor of an Ecowitt gateway. Batteries are in fifths of a full one; some sensors only tell whether it is low.
 *
 * Source: encodings as in Cumulus MX (https://github.com/cumulusmx/CumulusMX, `EcowittHttpApiStation.cs`) and in ecowitt_local
 * (https://github.com/alexlenk/ecowitt_local), which has replies of many gateways.
 *
 * @param sensor model or group, with the channel: `wh51 2`, `ch_soil 1`
 * @returns undefined if nothing is known
 */
export function ecowittSensor(
  sensor: string,
  { battery, voltage, rssi }: SentState,
): SensorState | undefined {
  const isFlag = FLAG_SENSORS.test(sensor);
  const least = UNCLEAR_SENSORS.test(sensor) ? 1 : 0;
  const level = decimalNumber(battery ?? '');
  const volts = decimalNumber(voltage ?? '');
  const signal = decimalNumber(rssi ?? '');
  const state = {
    ...(isFlag && (level === 0 || level === 1) && { isBatteryLow: level === 1 }),
    ...(!isFlag && level >= least && level <= FULL && { batteryPercent: (100 / FULL) * level }),
    ...(volts > 0 && { batteryVoltage: volts }),
    ...(signal < 0 && { signal }),
  };
  return Object.keys(state).length === 0 ? undefined : { sensor, ...state };
}
