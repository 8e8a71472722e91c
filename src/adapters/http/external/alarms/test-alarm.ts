import { z } from 'zod';
import { TestAlarm } from '#application/alarms/test-alarm.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { alarmName } from './delete-alarm.js';

export function testAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const testAlarm = useCase(TestAlarm);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/alarms/{name}/test',
    operationId: 'testAlarm',
    summary: 'Send a test message to the target of an alarm',
    description: 'Once, with `"event": "alarm.test"`. What the alarm says stays as it is.',
    access: ELEVATED_ADMINISTRATOR,
    params: alarmName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Tried once.',
      schema: z.strictObject({
        delivered: z.boolean(),
        reason: z.string().nullable().describe('Why the message was not delivered'),
      }),
    },
    errors: ['ALARM_UNKNOWN', 'REQUEST_INVALID'],
    call: async ({ params: { name }, signal }) => {
      const outcome = await testAlarm.execute(name, signal);
      return outcome === 'delivered'
        ? { delivered: true, reason: null }
        : { delivered: false, reason: outcome.failed };
    },
  });
}
