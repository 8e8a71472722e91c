import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';
import { checkPart, type PartToCheck } from '#domain/weather/quality/check-part.js';
import { findNotices, type NoticeSearch } from '#domain/weather/quality/notices/find-notices.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import type { Series } from '#domain/weather/series.js';

lowerThreadPriority();

/** Checks the quality of a part of a station's rows, or finds notices, in a worker thread. */
export default function check(task: PartToCheck | NoticeSearch): Series | undefined | readonly Notice[] {
  return 'input' in task ? findNotices(task) : checkPart(task);
}
