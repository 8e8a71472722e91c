import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';
import { checkPart, type PartToCheck } from '#domain/weather/quality/check-part.js';
import type { Series } from '#domain/weather/series.js';

lowerThreadPriority();

/** Checks the quality of a part of a station's rows, in a worker thread. */
export default function check(part: PartToCheck): Series | undefined {
  return checkPart(part);
}
