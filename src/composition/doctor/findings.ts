import type { Finding } from '#adapters/cli/doctor/doctor-command.js';
import { reasonOf, sentenceOf } from '../reason.js';

export type { Finding } from '#adapters/cli/doctor/doctor-command.js';

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text });
export const warn = (check: string, text: string): Finding => ({ check, state: 'warn', text });
export const fail = (check: string, text: string): Finding => ({ check, state: 'fail', text });

/** The findings of a check; a failure if it throws. Every check goes through this, so that none ends the others. */
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

/** `2026-01-31` */
export const findingDate = (time: number) => new Date(time).toISOString().replace(/T.*/, '');

/** `1 day`, `3 hours` */
export function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
