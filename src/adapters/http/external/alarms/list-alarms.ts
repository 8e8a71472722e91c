import { z } from 'zod';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { listedAlarmFields, toListedFields } from './alarm-fields.js';

export function listAlarmsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listAlarms = useCase(ListAlarms);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/alarms',
    summary: 'List the alarms and what they say',
    description: 'In order of their names. Secrets of targets are never shown.',
    access: ELEVATED_ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Alarms.',
      schema: z.strictObject({ alarms: z.array(listedAlarmFields) }),
    },
    errors: [],
    call: async () => ({ alarms: (await listAlarms.execute()).map(toListedFields) }),
  });
}
