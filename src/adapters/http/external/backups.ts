import { z } from 'zod';
import { DescribeBackups } from '#application/operation/describe-backups.js';
import { MILLISECONDS } from '#domain/time.js';
import { type AnyEndpoint, jsonEndpoint } from '../core/endpoint.js';
import { utcTimestamp } from '../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from './access.js';
import type { ExternalContext } from './external-context.js';

export function getBackupsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const describeBackups = useCase(DescribeBackups);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/backups',
    summary: 'Show the state of the scheduled backups',
    description:
      'The schedule is set with `WEATHERD_BACKUP_DIR`. Backups are files on the machine of the service, so they cannot be read or restored over HTTP.',
    access: ELEVATED_ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Backups.',
      schema: REPLY,
    },
    errors: [],
    call: () => {
      const { schedule, last, next, count, fault } = describeBackups.execute();
      return {
        schedule: schedule && { every: schedule.every / MILLISECONDS.second, keep: schedule.keep },
        last: toIso(last),
        next: toIso(next),
        count,
        fault,
      };
    },
  });
}

const toTime = () => utcTimestamp().nullable();

const REPLY = z.strictObject({
  schedule: z
    .strictObject({
      every: z.number().describe('Seconds between two backups'),
      keep: z.int().describe('Number of backups that are kept'),
    })
    .nullable()
    .describe('null if scheduled backups are switched off'),
  last: toTime().describe('Start of the last backup; null if there is none'),
  next: toTime().describe('Time from which the next backup is due'),
  count: z.int().nonnegative().describe('Number of complete backups'),
  fault: z.string().nullable().describe('What is wrong; null if nothing is wrong'),
});
const toIso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
