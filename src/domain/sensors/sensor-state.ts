/** The state of a sensor, with what is known of it. */
export interface SensorState {
  /** Name of the sensor at the source: `iss 1`, `wh65`. */
  readonly sensor: string;
  /** Charge of the battery in percent. */
  readonly batteryPercent?: number;
  /** Voltage of the battery in V. */
  readonly batteryVoltage?: number;
  /** Whether the sensor reports that its battery must be changed. */
  readonly isBatteryLow?: boolean;
  /** Strength of the received signal in dBm. */
  readonly signal?: number;
  /** Share of the messages of the sensor that were received, in percent. */
  readonly reception?: number;
}

/** Charge of a battery, in percent, below which the battery is low although the sensor does not report it. */
export const LOW_PERCENT = 10;

/**
 * Whether the battery of a sensor is low.
 *
 * @param below charge in percent below which the battery is low although the sensor does not report it
 */
export function isLow(
  { isBatteryLow = false, batteryPercent = 100 }: Pick<SensorState, 'isBatteryLow' | 'batteryPercent'>,
  below = LOW_PERCENT,
): boolean {
  return isBatteryLow || batteryPercent < below;
}

/**
 * The state that a console sends as text: `ok`, `low`, `60 %` or `1.4 V`.
 *
 * @returns undefined for any other text, which says nothing about the battery
 */
export function sensorStateOf(sensor: string, text: string): SensorState | undefined {
  if (text === 'ok' || text === 'low') return { sensor, isBatteryLow: text === 'low' };
  const [, digits, unit] = /^(\d{1,6}(?:\.\d{1,6})?) (%|V)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  if (unit === 'V') return { sensor, batteryVoltage: value };
  return value <= 100 ? { sensor, batteryPercent: value } : undefined;
}
