import { type Notice, type NoticeKind, touches } from '#domain/weather/quality/notices/notice.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Calendar } from '../../ports/calendar.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { rangeOf, type RangeRequest } from '../read/observation-query.js';
import type { NoticeRecords, StationNotices, TimeRange } from './notice-records.js';

/** A notice as a reader sees it. */
export interface ListedNotice extends Omit<Notice, 'comparedWith'> {
  /** Ids of the compared neighbors, as far as the reader sees these stations. */
  readonly comparedWith: readonly string[];
}

export interface NoticesInput extends RangeRequest {
  /** The kinds of notices; undefined means all kinds. */
  readonly kinds?: readonly NoticeKind[] | undefined;
}

export interface FoundNotices extends Pick<StationNotices, 'searchedAt'> {
  readonly notices: readonly ListedNotice[];
  /** The range that the request means. */
  readonly range: TimeRange;
}

/** Number of digits of a fact. More digits would show the rounding errors of a computation. */
const DIGITS = 6;

/** Lists the notices of a station. */
export class ListNotices {
  readonly #records: NoticeRecords;
  readonly #directory: StationDirectory;
  readonly #calendar: Calendar;

  constructor(records: NoticeRecords, directory: StationDirectory, calendar: Calendar) {
    this.#records = records;
    this.#directory = directory;
    this.#calendar = calendar;
  }

  /**
   * @param audience decides which neighbors are named
   * @returns the notices that touch the range, newest first
   * @throws DomainError REQUEST_INVALID as `rangeOf`
   */
  async execute(
    { station, inventory }: Pick<StationSnapshot, 'station' | 'inventory'>,
    { kinds, ...asked }: NoticesInput,
    audience: Audience,
  ): Promise<FoundNotices> {
    const range = rangeOf(this.#calendar, station, inventory, asked);
    const [{ searchedAt, notices }, { byNumber }] = await Promise.all([
      this.#records.find(station.number),
      this.#directory.current(audience),
    ]);
    const listed = notices
      .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
      .filter((notice) => touches(notice, range))
      .map((notice) => ({
        ...notice,
        facts: Object.fromEntries(
          Object.entries(notice.facts).map(([fact, value]) => [fact, Number(value.toPrecision(DIGITS))]),
        ),
        comparedWith: notice.comparedWith.flatMap((number) => byNumber.get(number)?.id ?? []),
      }));
    return { searchedAt, notices: listed.toReversed(), range };
  }
}
