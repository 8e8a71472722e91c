import { z } from 'zod';
import { setting } from './setting.js';

/** Each process takes memory and a connection to the data. More than there are cores is of no use. */
const MOST = 64;

const number = z
  .string()
  .regex(/^[1-9]\d?$/, `Must be a whole number from 1 to ${MOST}`)
  .transform(Number)
  .refine((value) => value <= MOST, `Must be a whole number from 1 to ${MOST}`);

export const WORKER_SETTINGS = {
  WORKERS: setting(
    number,
    '1',
    'processes that serve the external API, at most 64; more than one needs SQLite or PostgreSQL ([scaling.md](scaling.md#several-processes-on-one-machine))',
  ),
} as const;

/** @param workers undefined if the setting is faulty itself */
export function checkWorkerSettings(workers: number | undefined, databaseUrl: string | undefined): string[] {
  if (workers === undefined || workers === 1 || databaseUrl !== 'memory:') return [];
  return [
    `WEATHERD_WORKERS: data in memory (WEATHERD_DATABASE_URL=memory:) belong to one process, and ${workers} cannot share them: ` +
      'set WEATHERD_WORKERS=1, or use SQLite or PostgreSQL',
  ];
}
