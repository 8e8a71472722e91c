import { z } from 'zod';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';

/** The path parameter of an alarm. */
export const alarmName = z.strictObject({ name: z.string().max(64).describe('Name of the alarm') });

export function deleteAlarmEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeAlarm = useCase(RemoveAlarm);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/alarms/{name}',
    summary: 'Remove an alarm',
    description: 'With all that it says of stations. Its target gets no message, even if it is raised.',
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
