import { MILLISECONDS } from '#domain/time.js';
import type { Newest } from '../api.js';
import type { SparkValues } from './model/spark.js';
import type { Now } from './read-now.js';

/**
 * Appends newest values to the lines of the last 24 hours, so that pictures follow events without a reading. Rejected values and values
 * that a line already contains are left out, and values older than a day are removed.
 */
export function appendNewest(lines: Now['lines'], latest: Newest): Now['lines'] {
  const appended = Object.entries(latest).flatMap(([name, { time, value, verdict }]) => {
    const line = lines[name] ?? { times: [], values: [] };
    const seconds = Date.parse(time) / MILLISECONDS.second;
    const known = verdict === 'suspect' ? (line.suspects?.times ?? []) : line.times;
    if (verdict === 'fail' || seconds <= (known.at(-1) ?? -Infinity)) return [];
    const from = seconds - MILLISECONDS.day / MILLISECONDS.second;
    if (verdict === 'suspect') {
      const suspects = line.suspects ?? { times: [], values: [] };
      return [[name, { ...line, suspects: append(suspects, seconds, value, from) }] as const];
    }
    return [[name, { ...line, ...append(line, seconds, value, from) }] as const];
  });
  return appended.length === 0 ? lines : { ...lines, ...Object.fromEntries(appended) };
}

function append(
  { times, values }: SparkValues,
  time: number,
  value: number,
  from: number,
): Pick<SparkValues, 'times' | 'values'> {
  const start = times.findIndex((known) => known >= from);
  const kept = start === -1 ? times.length : start;
  return { times: [...times.slice(kept), time], values: [...values.slice(kept), value] };
}
