import { EARLIEST_ROW, MILLISECONDS } from '#domain/time.js';
import type { Clock } from '../../ports/clock.js';
import type { DueRange, NoticeRecords, TimeRange } from './notice-records.js';

/**
 * A range is extended to multiples of this number of ms, so that the new rows of a station, which come each minute, need no write
 * each minute.
 */
export const GRID = 30 * MILLISECONDS.day;

/** The end of a range that has no end, in milliseconds since 1970-01-01T00:00:00Z. */
const LATEST = 8.64e15;

type NotedRange = Omit<DueRange, 'count'>;

/** Remembers for each station the range of values that were checked again, so that its notices are searched again. */
export class DueSearches {
  readonly #records: NoticeRecords;
  readonly #clock: Clock;
  /** Ranges that are stored as due, and those that are not stored yet, by `Station.number`. */
  readonly #stored = new Map<number, TimeRange>();
  readonly #pending = new Map<number, NotedRange>();

  constructor(records: NoticeRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** @param isUrgent whether the range is searched at once, and not with the next search of the station */
  note(station: number, range: TimeRange, isUrgent = false): void {
    const due = {
      from: Math.max(EARLIEST_ROW, Math.floor(range.from / GRID) * GRID),
      to: Math.min(LATEST, Math.ceil(range.to / GRID) * GRID),
      ...(isUrgent && { isUrgent }),
    };
    if (!isUrgent && isWithin(due, this.#stored.get(station))) return;
    this.#pending.set(station, joined(due, this.#pending.get(station) ?? null));
  }

  /** Stores the noted ranges. A range that could not be stored is stored by the next call. */
  async flush(): Promise<void> {
    for (const [station, range] of this.#pending) {
      const isStored = await this.#records.change(
        station,
        (notices) => {
          const count = (notices.due?.count ?? 0) + 1;
          return { ...notices, due: { ...joined(range, notices.due), count } };
        },
        this.#clock.now(),
      );
      if (!isStored) continue;
      this.#stored.set(station, joined(range, this.#stored.get(station) ?? null));
      this.#pending.delete(station);
    }
  }

  /** A search of the notices of a station begins, or another process has searched, so the range of its next values is due again. */
  forget(station: number): void {
    this.#stored.delete(station);
  }
}

function isWithin(range: TimeRange, outer: TimeRange | undefined): boolean {
  return outer !== undefined && outer.from <= range.from && range.to <= outer.to;
}

/** The smallest range that contains both. */
function joined(range: NotedRange, other: NotedRange | null): NotedRange {
  if (other === null) return range;
  const isUrgent = range.isUrgent === true || other.isUrgent === true;
  return {
    from: Math.min(range.from, other.from),
    to: Math.max(range.to, other.to),
    ...(isUrgent && { isUrgent }),
  };
}
