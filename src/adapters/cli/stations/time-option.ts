import { InvalidArgumentError } from 'commander';
import { isDateAlone, parseInstant, parseLocalTime, timeFault } from '#domain/time.js';

/** Parses an option that is a date, or a time with an offset. @returns the time in milliseconds; a date is returned unchanged */
export function parseTimeOption(text: string): number | string {
  const time = parseInstant(text);
  if (!Number.isNaN(time)) return time;
  if (isDateAlone(text) && parseLocalTime(text) !== undefined) return text;
  throw new InvalidArgumentError(`${JSON.stringify(text)} ${timeFault(text)}.`);
}
