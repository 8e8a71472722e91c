import { z } from 'zod';
import { setting } from './setting.js';

/**
 * Largest number of worker processes. Each worker process needs memory and a connection to the data. More worker processes than
 * processor cores have no benefit.
 */
const MAX_WORKERS = 64;

const number = z
  .string()
  .regex(/^[1-9]\d?$/, `Must be a whole number from 1 to ${MAX_WORKERS}`)
  .transform(Number)
  .refine((value) => value <= MAX_WORKERS, `Must be a whole number from 1 to ${MAX_WORKERS}`);

export const WORKER_SETTINGS = {
  WORKERS: setting(
    number,
    '1',
    'Number of processes that serve the external API, at most 64 ([scaling.md](scaling.md#several-processes-on-one-machine)).',
  ),
} as const;
