import { epochOf, MILLISECONDS } from '#domain/time.js';

/**
 * Longest step between two reports, in minutes, that may go against the order of the file within a month. A longer step against
 * the order means that the month changes. Example with the oldest report first: a step from the 31st to the 1st.
 */
const DISORDER = MILLISECONDS.day / MILLISECONDS.minute;
/**
 * Longest step between two reports, in minutes, that may go in the order of the file within a month. A longer step means that the
 * month changes, because two reports are slightly out of order. Example with the oldest report first: a step from the 1st to the
 * 31st leads back to the previous month.
 */
const WHOLE_MONTH = 26 * DISORDER;

interface Report {
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The reports of one station. */
interface Station {
  /** Number of steps forward minus steps backward. It is negative if the newest report comes first. */
  order: number;
  readonly first: Report;
  last: Report;
  /** Steps between neighboring reports that may lead to another month, in minutes. */
  readonly leaps: number[];
  /**
   * `previous` is the previous report in the second pass. `month` is the number of months from the month of the report `previous`
   * to the month of `before`.
   */
  previous: Report | undefined;
  month: number;
}

/**
 * Determines the months of reports that name only a day of the month. A first pass over the file counts, for each station, the
 * steps to another month. If the oldest report comes first, the day falls at such a step. If the newest report comes first, the
 * day rises. The newest report is in the last month in which its time is before `before`. The months of the other reports are
 * counted from that month. Without the first pass each report is in the last month in which its time is before `before`.
 */
export class MonthCount {
  readonly before: number;
  readonly #stations = new Map<string, Station>();

  /** @param before an instant later than all reports, in milliseconds since 1970-01-01T00:00:00Z */
  constructor(before: number) {
    this.before = before;
  }

  /** Counts the next report in the first pass. */
  look(id: string, report: Report): void {
    const station = this.#stations.get(id);
    if (station === undefined) {
      const start = { order: 0, first: report, last: report, leaps: [], previous: undefined, month: 0 };
      this.#stations.set(id, start);
      return;
    }
    const step = minuteOf(report) - minuteOf(station.last);
    station.last = report;
    if (Math.abs(step) > DISORDER) station.leaps.push(step);
    else station.order += Math.sign(step);
  }

  /** Ends the first pass. */
  begin(): void {
    for (const station of this.#stations.values()) {
      const isNewestFirst = station.order < 0;
      const newest = isNewestFirst ? station.first : station.last;
      const earlier = station.leaps.reduce((months, leap) => months - monthsOf(leap, isNewestFirst), 0);
      station.month = this.#monthsBack(newest) + (isNewestFirst ? 0 : earlier);
    }
  }

  /** The time of the next report of the second pass, in milliseconds since 1970-01-01T00:00:00Z; NaN if the day does not exist. */
  timeOf(id: string, report: Report): number {
    const station = this.#stations.get(id);
    if (station === undefined) return this.#timeIn(report, this.#monthsBack(report));
    if (station.previous !== undefined) {
      station.month += monthsOf(minuteOf(report) - minuteOf(station.previous), station.order < 0);
    }
    station.previous = report;
    return this.#timeIn(report, station.month);
  }

  /**
   * The number of months from the month of the report to the month of `before`. It is the smallest number with which the time of
   * the report is earlier than `before`.
   */
  #monthsBack(report: Report): number {
    let back = 0;
    while (back < 12 && !(this.#timeIn(report, back) < this.before)) back += 1;
    return back;
  }

  #timeIn(report: Report, back: number): number {
    const latest = new Date(this.before);
    const first = new Date(Date.UTC(latest.getUTCFullYear(), latest.getUTCMonth() - back));
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
    return epochOf({ year, month, ...report, second: 0, millisecond: 0 });
  }
}

/** The number of months by which a step goes back; negative for a step forward. */
function monthsOf(step: number, isNewestFirst: boolean): number {
  if (step < -(isNewestFirst ? WHOLE_MONTH : DISORDER)) return -1;
  return step > (isNewestFirst ? DISORDER : WHOLE_MONTH) ? 1 : 0;
}

function minuteOf({ day, hour, minute }: Report): number {
  return (day * 24 + hour) * 60 + minute;
}
