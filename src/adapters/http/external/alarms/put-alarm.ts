import { z } from 'zod';
import { PutAlarm } from '#application/alarms/put-alarm.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { alarmFields, toAlarmFields } from './alarm-fields.js';
import { sentAlarm, toAlarmRequest } from './sent-alarm.js';

export function putAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const putAlarm = useCase(PutAlarm);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/alarms/{name}',
    summary: 'Add or replace an alarm',
    description:
      'An alarm that is replaced begins anew. One of which only the target is another one goes on, and one that is sent again as it is stays as it is. It is evaluated within some seconds. While it is raised, everybody who may read the station sees its name and its ' +
      'condition with the newest values. Its target gets a message when it is raised and when it clears. Programs as ' +
      'targets, and private addresses, can be set only with `weatherd alarm` on the machine of the service.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: z.strictObject({
      name: z.string().describe('1 to 64 of `A-Z a-z 0-9 . _ -`, of which `-` is not the first'),
    }),
    body: {
      kind: 'json',
      schema: sentAlarm,
      example: {
        station: 'JFK',
        condition: {
          kind: 'below',
          variable: 'air_temperature',
          threshold: 0,
          clear: 2,
          unit: '°C',
          for: 600,
        },
        target: { url: 'https://example.org/alarms', secret: 'a-secret-of-this-hook' },
      },
      limit: 16_384,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Stored.',
      schema: z.strictObject({ alarm: alarmFields }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'ALARM_EXISTS'],
    call: async ({ params: { name }, body, caller }) => ({
      alarm: toAlarmFields(await putAlarm.execute(toAlarmRequest(name, body), caller), body.station),
    }),
  });
}
