import { SourceFailure } from '#domain/sources/source-failure.js';
import { MILLISECONDS } from '#domain/time.js';

/** Most hours of one forecast. Replies of other sizes are not forecasts of a place. */
const MAX_HOURS = 1000;

/** Reads whole hours in ascending order. @throws SourceFailure if the list is not of this form */
export function hoursIn(times: readonly number[], provider: string): Float64Array {
  const hours = Float64Array.from(times);
  const isOfForm = hours.every(
    (time, index) => time % MILLISECONDS.hour === 0 && (index === 0 || time > (hours[index - 1] as number)),
  );
  if (hours.length === 0 || hours.length > MAX_HOURS || !isOfForm)
    throw new SourceFailure(`The reply of ${provider} has no list of hours.`);
  return hours;
}

/** No quantity of the weather is larger in its unit. The largest is a visibility in meters. */
const LARGEST = 1e6;

/** A number of a reply; NaN for null, and for everything else that is no quantity of the weather. */
export function numberIn(value: unknown): number {
  return typeof value === 'number' && Math.abs(value) < LARGEST ? value : Number.NaN;
}
