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
    'Number of processes that serve the external API, at most 64 ([scaling.md](scaling.md#several-processes-on-one-machine)).',
  ),
} as const;
