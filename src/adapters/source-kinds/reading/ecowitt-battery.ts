import type { SensorState } from '#application/ports/source-kind.js';
import { decimalNumber } from '#adapters/formats/text/number.js';

/** What an Ecowitt gateway says of a battery and of a signal, as texts. */
export interface SentState {
  readonly battery: string | undefined;
  readonly voltage?: string | undefined;
  readonly rssi?: string | undefined;
}

/** Largest level of a battery. Larger numbers mean mains power, or that there is no battery. */
const FULL = 5;

/**
 * The state of a sensor of an Ecowitt gateway. Batteries are in fifths of a full one; some sensors only tell whether it is low.
 *
 * @param isFlag whether the battery is a flag: 1 means low
 * @returns undefined if nothing is known
 */
export function ecowittSensor(
  sensor: string,
  { battery, voltage, rssi }: SentState,
  isFlag: boolean,
): SensorState | undefined {
  const level = decimalNumber(battery ?? '');
  const volts = decimalNumber(voltage ?? '');
  const signal = decimalNumber(rssi ?? '');
  const state = {
    ...(isFlag && (level === 0 || level === 1) && { isBatteryLow: level === 1 }),
    ...(!isFlag && level >= 0 && level <= FULL && { batteryPercent: (100 / FULL) * level }),
    ...(volts > 0 && { batteryVoltage: volts }),
    ...(signal < 0 && { signal }),
  };
  return Object.keys(state).length === 0 ? undefined : { sensor, ...state };
}
