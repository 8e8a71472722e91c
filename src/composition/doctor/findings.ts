import type { Finding } from '#adapters/cli/doctor/doctor-command.js';
import { reasonOf, sentenceOf } from '../reason.js';

export type { Finding } from '#adapters/cli/doctor/doctor-command.js';

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text });
export const warn = (check: string, text: string): Finding => ({ check, state: 'warn', text });
export const fail = (check: string, text: string): Finding => ({ check, state: 'fail', text });

/**
 * Calls a check. If the check throws, the result is a failure with the message of the error, so that the other checks still run.
 */
export async function examine(
  check: string,
  work: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    return [fail(check, sentenceOf(reasonOf(error)))];
  }
}

/** A date as text: `2026-01-31`. */
export const findingDate = (time: number) => new Date(time).toISOString().replace(/T.*/, '');

/** A number with its unit as text: `1 day`, `3 hours`. */
export function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
