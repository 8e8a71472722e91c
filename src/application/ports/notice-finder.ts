import type { NoticeSearch } from '#domain/weather/quality/notices/find-notices.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';

/** Runs `findNotices` without delaying other work. */
export interface NoticeFinder {
  /**
   * Returns the result of `findNotices`. The caller must not use the hours of `search.input.own` afterwards, because they may be
   * moved to a thread. The hours of the neighbors stay usable.
   *
   * @throws DomainError SERVICE_UNAVAILABLE if the notices could not be found this time
   */
  findNotices(search: NoticeSearch): Promise<readonly Notice[]>;
}
