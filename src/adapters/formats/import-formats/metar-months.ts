import { epochOf, MILLISECONDS } from '#domain/time.js';

/**
 * Number of minutes by which neighboring reports of a file may be in the wrong order. Reports have a day of the month, but no
 * month. The step between two neighboring reports is therefore computed as if both were in the same month. In a file that begins
 * with the oldest report:
 *
 * - A step of -10 minutes means that two reports are in the wrong order. The month is the same.
 * - The step from the 31st to the 1st is -30 days. It goes back by more than this number of minutes, so that the next month
 *   begins.
 *
 * In a file that begins with the newest report, the signs are the opposite.
 */
const DISORDER = MILLISECONDS.day / MILLISECONDS.minute;
/**
 * Longest step in the order of the file, in minutes, that stays in the same month (`DISORDER` explains steps). In a file that
 * begins with the oldest report, most steps from one day to a later day are just time without reports, such as the step from the
 * 1st to the 20th. A step of more than 26 days, such as from the 1st to the 31st, has another cause: two reports at the change of
 * the month are in the wrong order, and the second one belongs to the previous month.
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
   * The number of steps from a report to a later report, minus the number of steps from a report to an earlier report. A negative
   * result means that the file begins with the newest report. Steps longer than `DISORDER` are not counted, because they may lead
   * to another month.
   */
  order: number;
  readonly first: Report;
  last: Report;
  /**
   * The steps (differences of day and time of day) between neighboring reports that are longer than `DISORDER`, in minutes. Only
   * such a step can lead to another month.
   */
  readonly leaps: number[];
  /**
   * `previous` is the last report that was read in the second pass over the file; undefined before the first report.
   *
   * `month` is the month of `previous`, as a number of months before the month of the instant `before` (`MonthCount`): 0 is the same month, 1 is
   * the month before. As long as `previous` is undefined, `month` is the month of the first report of the file.
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
 * If a file can be read only once, there is no first pass. Then every report is in the last month in which its time is before the
 * instant `before`, so that reports of earlier months get a wrong month.
 */
export class MonthCount {
  readonly #before: number;
  readonly #stations = new Map<string, Station>();

  /** @param before an instant later than all reports, in milliseconds since 1970-01-01T00:00:00Z */
  constructor(before: number) {
    this.#before = before;
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
    while (back < 12 && !(this.#timeIn(report, back) < this.#before)) back += 1;
    return back;
  }

  #timeIn(report: Report, back: number): number {
    const latest = new Date(this.#before);
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
