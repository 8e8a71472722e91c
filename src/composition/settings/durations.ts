import { z } from 'zod';
import { MILLISECONDS } from '#domain/time.js';

const SECONDS = {
  s: 1,
  m: MILLISECONDS.minute / 1000,
  h: MILLISECONDS.hour / 1000,
  d: MILLISECONDS.day / 1000,
};

/** A duration such as `30d`, `12h`, `15m` or `90s`, converted to seconds. @param max the longest duration */
export const duration = (max: string) => {
  const seconds = (text: string) =>
    Number(text.slice(0, -1)) * SECONDS[text.slice(-1) as keyof typeof SECONDS];
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,5})[smhd]$/, 'Must be a whole number and a unit: 90s, 15m, 12h, 30d')
    .transform(seconds)
    .refine((value) => value > 0, 'Must be longer than 0')
    .refine((value) => value <= seconds(max), `Must be at most ${max}`);
};
