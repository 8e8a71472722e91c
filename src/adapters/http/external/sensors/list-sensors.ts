import { z } from 'zod';
import { type ListedSensor, ListSensors } from '#application/sensors/list-sensors.js';
import type { SensorPoint } from '#domain/sensors/sensor-history.js';
import { LOW_PERCENT } from '#domain/sensors/sensor-state.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { documentedAs, utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationId } from '../observations/weather-query.js';

const stateFields = {
  battery_percent: z.number().nullable().describe('Charge of the battery in percent'),
  battery_voltage: z.number().nullable().describe('Voltage of the battery in V'),
  battery_low: z.boolean().nullable().describe('Whether the sensor reports that its battery must be changed'),
  signal: z.number().nullable().describe('Strength of the received signal in dBm'),
  reception: z.number().nullable().describe('Share of the messages that were received, in percent'),
};

const sensorFields = z
  .strictObject({
    sensor: z.string().describe('Name at the source, or field of the upload'),
    source: z.string().nullable().describe('Name of the source that reports the sensor; null for uploads'),
    upload_key: z.int().positive().nullable().describe('Number of the upload key; null for sources'),
    ...stateFields,
    low: z
      .boolean()
      .describe(`Whether the battery is low: the sensor reports it, or its charge is below ${LOW_PERCENT} %`),
    since: utcTimestamp().describe('Time since which `low` has its value'),
    last_seen: utcTimestamp().describe('Time of the newest report'),
    history: z
      .array(z.strictObject({ time: utcTimestamp(), ...stateFields }).meta({ id: 'SensorPoint' }))
      .optional()
      .describe('The kept states, the oldest first; only with `history=true`'),
  })
  .meta({ id: 'Sensor' });

const toIso = (time: number) => new Date(time).toISOString();

function toState(point: SensorPoint) {
  const { batteryPercent, batteryVoltage, isBatteryLow, signal, reception } = point;
  return {
    battery_percent: batteryPercent ?? null,
    battery_voltage: batteryVoltage ?? null,
    battery_low: isBatteryLow ?? null,
    signal: signal ?? null,
    reception: reception ?? null,
  };
}

function toFields(
  { sensor, sender, last, isLow, since, points }: ListedSensor,
  withHistory: boolean,
): z.infer<typeof sensorFields> {
  return {
    sensor,
    source: 'source' in sender ? sender.source : null,
    upload_key: 'key' in sender ? sender.key : null,
    ...toState(last),
    low: isLow,
    since: toIso(since),
    last_seen: toIso(last.time),
    ...(withHistory && { history: points.map((point) => ({ time: toIso(point.time), ...toState(point) })) }),
  };
}

const QUERY = z.strictObject({
  history: documentedAs({ type: 'boolean' }, z.enum(['true', 'false']))
    .default('false')
    .describe('Whether the reply has the history of each sensor'),
});

const REPLY = z.strictObject({ station: z.string(), sensors: z.array(sensorFields) });

export function listSensorsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listSensors = useCase(ListSensors);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/sensors',
    summary: 'List the batteries and signals of the sensors of a station',
    description:
      'The sensors that the sources and the uploads of the station report, in the order of their senders and names. A history has a point when ' +
      'the battery becomes low or is no longer low, and at most one an hour when the charge changes by 1 %, the voltage by 0.05 V, the signal by ' +
      '5 dBm or the reception by 5 %. After 90 days, the point of each day with the lowest battery is kept, for 400 days.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'json',
      status: 200,
      message: 'Sensors.',
      schema: REPLY,
    },
    errors: ['STATION_UNKNOWN', 'REQUEST_INVALID'],
    call: async ({ params: { id }, query: { history } }) => ({
      station: id,
      sensors: (await listSensors.execute(id)).map((sensor) => toFields(sensor, history === 'true')),
    }),
  });
}
