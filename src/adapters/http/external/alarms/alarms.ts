import { z } from 'zod';
import { alarmText } from '#domain/alarms/alarm.js';
import { changedInMeantime } from '#domain/domain-error.js';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { PutAlarm } from '#application/alarms/put-alarm.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { TestAlarm } from '#application/alarms/test-alarm.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import type { RecordedExchange } from '#application/ports/delivery.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';
import {
  alarmFields,
  listedAlarmFields,
  stationIdOf,
  toAlarmFields,
  toListedFields,
} from './alarm-fields.js';
import { targetKindFields, testReply, toTargetKind, toTestReply } from '../hooks/target-fields.js';
import { sentAlarm, toAlarmRequest } from './sent-alarm.js';

const LIST_ALARMS_REPLY = z.strictObject({
  alarms: z.array(listedAlarmFields),
  kinds: z.array(targetKindFields).describe('The services to which an alarm can send messages for people'),
});

export function listAlarmsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listAlarms = useCase(ListAlarms);
  const kinds = useCase(TargetKinds);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/alarms',
    summary: 'List the alarms and their states',
    description: 'The alarms are sorted by name. Secrets of targets are never shown.',
    access: ELEVATED_ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Alarms.',
      schema: LIST_ALARMS_REPLY,
    },
    errors: [],
    call: async () => ({
      alarms: (await listAlarms.execute()).map(toListedFields),
      kinds: kinds.of('alarm').map(toTargetKind),
    }),
  });
}

const THE_ALARM = 'The alarm.';

const GET_ALARM_SUCCESS = versionedSuccess(THE_ALARM, z.strictObject({ alarm: alarmFields }));

export function getAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listAlarms = useCase(ListAlarms);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/alarms/{name}',
    summary: 'Show the settings of an alarm',
    description: 'A request that replaces the alarm can send the ETag in If-Match.',
    access: ELEVATED_ADMINISTRATOR,
    params: alarmName,
    success: GET_ALARM_SUCCESS,
    errors: ['ALARM_UNKNOWN'],
    call: async ({ params: { name } }) => {
      const listed = await listAlarms.find(name);
      const fields = toAlarmFields(listed.alarm, stationIdOf(listed));
      return versionedContent(THE_ALARM, alarmText(listed.alarm), { alarm: fields });
    },
  });
}

const PUT_ALARM_PARAMS = z.strictObject({
  name: z
    .string()
    .describe(
      'Name of the alarm: 1 to 64 of the characters `A-Z a-z 0-9 . _ -`. The first character is not `-`',
    ),
});

const PUT_ALARM_REPLY = z.strictObject({ alarm: alarmFields });

export function putAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const putAlarm = useCase(PutAlarm);
  const listAlarms = useCase(ListAlarms);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/alarms/{name}',
    summary: 'Add or replace an alarm',
    description:
      'A replaced alarm loses its states, unless only its target changes. Sending the same alarm again changes nothing. The alarm is evaluated ' +
      'within some seconds. While it is raised, everybody who may read the station sees its name and its condition together with the newest ' +
      'values. Its target receives a message when it is raised and when it clears. A program or a private address can be set as target only ' +
      'with `weatherd alarm` on the machine of the service. If-Match needs the ETag of `GET /v1/alarms/{name}`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    isSecret: true,
    params: PUT_ALARM_PARAMS,
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
      schema: PUT_ALARM_REPLY,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'ALARM_EXISTS'],
    call: async ({ params: { name }, body, caller, conditions }) => {
      const current = async () => alarmText((await listAlarms.find(name)).alarm);
      const changed = () => changedInMeantime('alarm', name);
      const expected = await expectedText(conditions, current, 'ALARM_UNKNOWN', changed);
      const alarm = await putAlarm.execute(toAlarmRequest(name, body), caller, expected);
      return { alarm: toAlarmFields(alarm, body.station) };
    },
  });
}

export function testAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const testAlarm = useCase(TestAlarm);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/alarms/{name}/test',
    operationId: 'testAlarm',
    summary: 'Send a test message to the target of an alarm',
    description: 'Sends one message with `"event": "alarm.test"`. The states of the alarm do not change.',
    access: ELEVATED_ADMINISTRATOR,
    params: alarmName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Tried once.',
      schema: testReply,
    },
    errors: ['ALARM_UNKNOWN', 'REQUEST_INVALID'],
    call: async ({ params: { name }, signal }) => {
      const exchanges: RecordedExchange[] = [];
      const outcome = await testAlarm.execute(name, signal, (exchange) => void exchanges.push(exchange));
      return toTestReply(outcome, exchanges);
    },
  });
}

/** The path parameter of routes for one alarm. */
const alarmName = z.strictObject({ name: z.string().max(64).describe('Name of the alarm') });

export function deleteAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeAlarm = useCase(RemoveAlarm);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/alarms/{name}',
    summary: 'Remove an alarm',
    description:
      'Removes the alarm with its states. Its target receives no message, even if the alarm is raised.',
    access: ELEVATED_ADMINISTRATOR,
    params: alarmName,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['ALARM_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await removeAlarm.execute(name, caller);
      return {};
    },
  });
}
