import { NO_HISTORY, type SensorHistory, type SensorPoint } from '#domain/sensors/sensor-history.js';

/** A stored point: time, battery in percent and V, whether it is low (0 or 1), signal in dBm, reception in percent. */
type StoredPoint = readonly [
  time: number,
  percent: number | null,
  voltage: number | null,
  low: number | null,
  signal: number | null,
  reception: number | null,
];

interface StoredHistory {
  readonly last: StoredPoint | null;
  readonly batteryAt: number | null;
  readonly signalAt: number | null;
  readonly points: readonly StoredPoint[];
}

/** A history as JSON text. A point has no names of fields, so that a record is small. */
export function historyText({ last, batteryAt, signalAt, points }: SensorHistory): string {
  const stored: StoredHistory = {
    last: last && toStored(last),
    batteryAt: Number.isFinite(batteryAt) ? batteryAt : null,
    signalAt: Number.isFinite(signalAt) ? signalAt : null,
    points: points.map(toStored),
  };
  return JSON.stringify(stored);
}

/** Reads a stored history; an empty one if the text is damaged. Then the history begins again. */
export function historyIn(text: string): SensorHistory {
  try {
    const { last, batteryAt, signalAt, points } = JSON.parse(text) as StoredHistory;
    return {
      last: last && toPoint(last),
      batteryAt: batteryAt ?? -Infinity,
      signalAt: signalAt ?? -Infinity,
      points: points.map(toPoint),
    };
  } catch {
    return NO_HISTORY;
  }
}

function toStored(point: SensorPoint): StoredPoint {
  const { time, batteryPercent, batteryVoltage, isBatteryLow, signal, reception } = point;
  const low = isBatteryLow === undefined ? null : Number(isBatteryLow);
  return [time, batteryPercent ?? null, batteryVoltage ?? null, low, signal ?? null, reception ?? null];
}

function toPoint([time, percent, voltage, low, signal, reception]: StoredPoint): SensorPoint {
  return {
    time,
    ...(percent !== null && { batteryPercent: percent }),
    ...(voltage !== null && { batteryVoltage: voltage }),
    ...(low !== null && { isBatteryLow: low === 1 }),
    ...(signal !== null && { signal }),
    ...(reception !== null && { reception }),
  };
}
