import { discardedOld } from '#adapters/formats/garbage.js';
import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';
import { checkPart, type PartToCheck } from '#domain/weather/quality/check-part.js';
import { findNotices, type NoticeSearch } from '#domain/weather/quality/notices/find-notices.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import type { Series } from '#domain/weather/series.js';

lowerThreadPriority();

/** A check needs about this number of times the memory of its rows. */
const USED_TIMES = 3;

/** Bytes of the rows of the last part. They can be collected when the next part begins. */
let lastBytes = 0;

/** Checks the quality of a part of a station's rows, or finds notices, in a worker thread. */
export default function check(task: PartToCheck | NoticeSearch): Series | undefined | readonly Notice[] {
  if ('input' in task) return findNotices(task);
  discardedOld(USED_TIMES * lastBytes);
  const series = [...task.stored, ...task.neighbors.map((nearby) => nearby.series)];
  lastBytes = series.reduce((sum, { times, values }) => sum + times.byteLength * (1 + values.size), 0);
  return checkPart(task);
}
