import { epochOf, MILLISECONDS } from '#domain/time.js';

/**
 * Reports name only the day of the month. A change of the month is therefore recognized by the step between two neighboring
 * reports: the difference of their days and times of day, as if both were in the same month.
 *
 * A step against the order of the file is a change of the month if it is longer than this number of minutes. Example with the
 * oldest report first: the step from the 31st to the 1st leads to the next month. A shorter step is no change of the month,
 * because reports may be slightly out of order.
 */
const DISORDER = MILLISECONDS.day / MILLISECONDS.minute;
/**
 * A step in the order of the file (`DISORDER` explains steps) is a change of the month if it is longer than this number of
 * minutes. Example with the oldest report first: the step from the 1st to the 31st leads back to the previous month, because two
 * reports at the change of the month are out of order.
 */
const WHOLE_MONTH = 26 * DISORDER;

interface Report {
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The reports of one station. */
interface Station {
  /**
   * Number of steps to a later report minus number of steps to an earlier report, without steps longer than `DISORDER`. It is
   * negative if the file begins with the newest report.
   */
  order: number;
  readonly first: Report;
  last: Report;
  /**
   * The steps between neighboring reports that are longer than `DISORDER`, in minutes. Only such a step can lead to another
   * month.
   */
  readonly leaps: number[];
  /**
   * The state of the second pass over the file. `previous` is the report that was read last. `month` is the month of `previous`,
   * as a number of months before the month of `MonthCount.before`. At the start of the second pass no report has been read, and
   * `month` belongs to the first report of the file.
   */
  previous: Report | undefined;
  month: number;
}

/**
 * Determines the months of reports that name only a day of the month. The file is read in two passes:
 *
 * - The first pass (`look`) finds the places where the month changes. If the file begins with the oldest report, the day falls
 *   there, for example from the 31st to the 1st. If the file begins with the newest report, the day rises there.
 * - The second pass (`timeOf`) returns the times of the reports. The newest report of a station is in the last month in which its
 *   time is before the instant `before`. The months of the other reports are counted from this month.
 *
 * Without the first pass, each report is in the last month in which its time is before `before`.
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
   * The number of months from the month of the report to the month of `before`, if the report is as new as possible: in the last
   * month in which its time is earlier than `before`.
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

/**
 * The number of months by which a step from one report to the next goes back: 1, 0, or -1 for a step into the next month.
 *
 * @param step difference of the days and times of day of the two reports, in minutes, as if both were in the same month
 */
function monthsOf(step: number, isNewestFirst: boolean): number {
  if (step < -(isNewestFirst ? WHOLE_MONTH : DISORDER)) return -1;
  return step > (isNewestFirst ? DISORDER : WHOLE_MONTH) ? 1 : 0;
}

function minuteOf({ day, hour, minute }: Report): number {
  return (day * 24 + hour) * 60 + minute;
}
