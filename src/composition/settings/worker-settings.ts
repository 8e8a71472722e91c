import { z } from 'zod';

/** Each process takes memory and a connection to the data. More than there are cores is of no use. */
const MOST = 64;

export const WORKER_SETTINGS = {
  WORKERS: z
    .string()
    .regex(/^[1-9]\d?$/, `Must be a whole number from 1 to ${MOST}`)
    .transform(Number)
    .refine((value) => value <= MOST, `Must be a whole number from 1 to ${MOST}`)
    .default(1),
} as const;

/** @param workers undefined if the setting is faulty itself */
export function checkWorkerSettings(workers: number | undefined, databaseUrl: string | undefined): string[] {
  if (workers === undefined || workers === 1 || databaseUrl !== 'memory:') return [];
  return [
    `WEATHERD_WORKERS: data in memory (WEATHERD_DATABASE_URL=memory:) belong to one process, and ${workers} cannot share them: ` +
      'set WEATHERD_WORKERS=1, or use SQLite or PostgreSQL',
  ];
}
