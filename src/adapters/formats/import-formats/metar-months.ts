import { epochOf, MILLISECONDS } from '#domain/time.js';

/** A step from report to report, in minutes, beyond which a step against the order of the file begins another month. */
const DISORDER = MILLISECONDS.day / MILLISECONDS.minute;
/** A step beyond which a step in the order of the file is one back over the turn of a month: reports a little out of order. */
const WHOLE_MONTH = 26 * DISORDER;

interface Report {
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The reports of one station. */
interface Station {
  /** Steps forward less steps backward: negative where the newest report comes first. */
  order: number;
  readonly first: Report;
  last: Report;
  /** Steps from report to report that may change the month, in minutes. */
  readonly leaps: number[];
  /** In the second pass: the report before, and its month, counted back from that of `before`. */
  previous: Report | undefined;
  month: number;
}

/**
 * The months of reports that name only a day. A first pass over the file counts for each station how often the day falls back
 * (in a file with the newest report first: leaps forward). The newest report is on the last such day before `before`; the others
 * are in its month or in those before it. Without the first pass each report is on the last such day.
 */
export class MonthCount {
  readonly before: number;
  readonly #stations = new Map<string, Station>();

  /** @param before in milliseconds since 1970-01-01T00:00:00Z */
  constructor(before: number) {
    this.before = before;
  }

  /** The next report of the first pass. */
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

  /** The time of the next report, in milliseconds since 1970-01-01T00:00:00Z; NaN where the day does not exist. */
  timeOf(id: string, report: Report): number {
    const station = this.#stations.get(id);
    if (station === undefined) return this.#timeIn(report, this.#monthsBack(report));
    if (station.previous !== undefined) {
      station.month += monthsOf(minuteOf(report) - minuteOf(station.previous), station.order < 0);
    }
    station.previous = report;
    return this.#timeIn(report, station.month);
  }

  /** The number of months between that of `before` and the last one in which the report lies before it. */
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

/** By how many months a step goes back; negative for forward. */
function monthsOf(step: number, isNewestFirst: boolean): number {
  if (step < -(isNewestFirst ? WHOLE_MONTH : DISORDER)) return -1;
  return step > (isNewestFirst ? DISORDER : WHOLE_MONTH) ? 1 : 0;
}

function minuteOf({ day, hour, minute }: Report): number {
  return (day * 24 + hour) * 60 + minute;
}
