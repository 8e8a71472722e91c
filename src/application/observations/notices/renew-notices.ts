import { MILLISECONDS } from '#domain/time.js';
import { NOTICE_SPANS } from '#domain/weather/quality/notices/notice-check.js';
import { NOTICE_KINDS, type NoticeKind } from '#domain/weather/quality/notices/notice.js';
import type { Clock } from '../../ports/clock.js';
import type { RecheckStore } from '../../ports/recheck-store.js';
import { pacing } from '../recheck/pace.js';
import type { DueSearches } from './due-searches.js';
import type { NoticeRecords, StationNotices, DueRange } from './notice-records.js';
import { NeighborHoursCache, type SearchNotices, type SearchOptions } from './search-notices.js';

/** Time in ms between two executions. */
export const NOTICE_INTERVAL = 2 * MILLISECONDS.minute;
/** Minimum time in ms between two searches of the notices of a station. */
export const SEARCH_INTERVAL = 6 * MILLISECONDS.hour;
/** Age in ms from which values are not the newest ones of a station, but imported ones. Their notices are searched at once. */
const OLD = 70 * MILLISECONDS.day;
/**
 * Old values of searched stations are searched again after a rest of this multiple of the time that their last searches took together, and
 * of at most `SEARCH_INTERVAL`. Otherwise a sender of one old and one new row every minute would let all years of all stations around be
 * searched again and again.
 */
const REST_FACTOR = 10;
/** Maximum number of kept notices of a station, the newest ones. */
const MAX_NOTICES = 500;

export interface RenewNoticesDependencies {
  readonly clock: Clock;
  readonly records: NoticeRecords;
  readonly due: DueSearches;
  readonly search: SearchNotices;
  readonly recheck: RecheckStore;
}

/** Searches the notices of the stations whose values have changed. */
export class RenewNotices {
  readonly #with: RenewNoticesDependencies;

  /** Number of notices of all stations whose cause has not ended, by kind, at the last execution. */
  #ongoing: ReadonlyMap<NoticeKind, number> = new Map();
  /**
   * Time in milliseconds since 1970-01-01T00:00:00Z since which each execution has found values that wait for their verdicts; undefined if
   * the last execution found none.
   */
  #postponedSince: number | undefined;
  /** `Clock.uptime()` before which the old values of searched stations are not searched again. */
  #restUntil = -Infinity;

  constructor(dependencies: RenewNoticesDependencies) {
    this.#with = dependencies;
  }

  /** The number of notices of all stations whose cause has not ended, by kind. Kinds without notices are included. */
  ongoing(): readonly (readonly [NoticeKind, number])[] {
    return NOTICE_KINDS.map((kind) => [kind, this.#ongoing.get(kind) ?? 0]);
  }

  /** Whether the last execution has left out stations because values waited for their verdicts. */
  isPostponed(): boolean {
    return this.#postponedSince !== undefined;
  }

  /**
   * Searches the notices of all stations that are due. Nothing is searched while values wait for their verdicts, for example after an
   * import, because the notices need the verdicts; but at the latest after twice the `SEARCH_INTERVAL`. The failed search of a station is
   * tried again by the next execution, and does not delay the other stations.
   *
   * @param signal ends the execution after the current station
   * @throws the first error of a search, after all other stations were searched
   */
  async execute(signal?: AbortSignal): Promise<void> {
    const { clock, records, recheck } = this.#with;
    const isWaiting = (await recheck.waiting()) > 0;
    this.#postponedSince = isWaiting ? (this.#postponedSince ?? clock.now()) : undefined;
    const pause = pacing(() => recheck.turn(), signal);
    const all = await records.list();
    this.#ongoing = countsOf(all);
    const hours = new NeighborHoursCache();
    const errors: unknown[] = [];
    const isResting = clock.uptime() < this.#restUntil;
    let repeated = 0;
    for (const notices of all) {
      if (signal?.aborted === true) return;
      const { searchedAt, due } = notices;
      if (due === null) {
        this.#with.due.forget(notices.station);
        continue;
      }
      const age = clock.now() - (searchedAt ?? this.#postponedSince ?? clock.now());
      if (isWaiting && age < 2 * SEARCH_INTERVAL) continue;
      const isOld = searchedAt !== null && due.from < searchedAt - OLD;
      const isUrgent = due.isUrgent === true || searchedAt === null || (isOld && !isResting);
      if (!isUrgent && age < SEARCH_INTERVAL) continue;
      const begun = clock.uptime();
      try {
        await this.#renew({ ...notices, due }, isUrgent || isOld, { pause, hours });
      } catch (error) {
        errors.push(error);
      }
      if (isOld) repeated += clock.uptime() - begun;
    }
    if (repeated > 0) this.#restUntil = clock.uptime() + Math.min(SEARCH_INTERVAL, REST_FACTOR * repeated);
    if (errors.length > 0) throw errors[0];
  }

  async #renew(
    { station, searchedAt, due, notices }: StationNotices & { readonly due: DueRange },
    allYears: boolean,
    options: SearchOptions,
  ): Promise<void> {
    const { clock, records, due: searches, search } = this.#with;
    const begun = clock.now();
    // All years of a station are read once a day.
    const isNextDay = dayOf(begun) !== dayOf(searchedAt ?? 0);
    const spans = allYears || isNextDay ? NOTICE_SPANS : (['weeks'] as const);
    // Values that are checked from here on are noted again, because the search may have read their hours before.
    searches.forget(station);
    const renewed = await search.execute(station, notices, due, spans, options);
    const ended = clock.now();
    await records.change(
      station,
      // Nothing is due any more if the station was removed meanwhile, or if another process has searched.
      (before) =>
        before.due === null
          ? before
          : {
              ...before,
              searchedAt: ended,
              // Values that were checked meanwhile stay due.
              due: before.due.count === due.count ? null : before.due,
              notices: renewed.slice(-MAX_NOTICES),
            },
      ended,
    );
  }
}

function dayOf(time: number): number {
  return Math.floor(time / MILLISECONDS.day);
}

function countsOf(all: readonly StationNotices[]): Map<NoticeKind, number> {
  const counts = new Map<NoticeKind, number>();
  for (const { notices } of all)
    for (const { kind, until } of notices) if (until === null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
