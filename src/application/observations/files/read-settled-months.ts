import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { SeriesDigest, type SeriesSum } from '#domain/weather/series-digest.js';
import type { Station } from '#domain/weather/station.js';
import { SETTLING } from '#domain/weather/summaries/daily-aggregate.js';
import { isDaily, type Variable, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { Clock } from '../../ports/clock.js';
import type { RecheckStore } from '../../ports/recheck-store.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { Permit } from '../read/gate/permit.js';
import { expectedRows, extentOf } from '../read/observation-query.js';
import { type ObservationPage, ROW_LIMITS, type ReadObservations } from '../read/read-observations.js';
import { ResultsByVersion } from '../read/results-by-version.js';
import type { TimeRange } from '../recheck/time-range.js';

/** A calendar month of a station, in the time zone of the station. */
export interface StationMonth extends TimeRange {
  /** `2013-07`. */
  readonly name: string;
}

/** Whether the rows of a month are settled, so that its files are available. */
export type Settlement =
  | { readonly isSettled: true }
  /** `settlesAt` is null if the month has ended long enough ago, and quality control must still check some of its rows. */
  | { readonly isSettled: false; readonly settlesAt: number | null };

/** The rows of a month, as far as they must be known without reading the rows again. */
export interface MonthContent extends SeriesSum {
  /** The variables with a value in the month, in ascending order of their numbers. */
  readonly variables: readonly Variable[];
  /** Times of the first and the last row, in milliseconds since 1970-01-01T00:00:00Z; null without rows. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Maximum number of months whose content is kept. A content is small; it has no rows. */
const MAX_KEPT = 10_000;
/** Time for which a list shows the known contents of months, in milliseconds, before it reads the rows of changed stations again. */
const LIST_AGE = 10 * MILLISECONDS.minute;
/**
 * Maximum number of values of a month with files: 32 MB. It is a month of reports of 12 variables each 8 seconds. A file is made in
 * memory.
 */
const MAX_VALUES = 4_000_000;
/** Seconds after which quality control has usually finished its next round. */
const NEXT_ROUND = 60;

/** Reads the rows of past months for files. The rows of a settled month change only if rows, settings or overrides change. */
export class ReadSettledMonths {
  readonly #clock: Clock;
  readonly #calendar: Calendar;
  readonly #recheck: RecheckStore;
  readonly #readObservations: ReadObservations;
  readonly #contents = new ResultsByVersion<MonthContent>(MAX_KEPT);
  readonly #listed = new ResultsByVersion<MonthContent>(MAX_KEPT);

  constructor(clock: Clock, calendar: Calendar, recheck: RecheckStore, readObservations: ReadObservations) {
    this.#clock = clock;
    this.#calendar = calendar;
    this.#recheck = recheck;
    this.#readObservations = readObservations;
  }

  /** @param name `2013-07`, a month that exists */
  month({ timeZone }: Station, name: string): StationMonth {
    const start = this.#calendar.startOfDay(`${name}-01`, timeZone, 0);
    const [month] = this.#calendar.buckets('month', timeZone, 0, start, start + 1);
    return { name, from: start, to: month?.end ?? start };
  }

  /** The first and the last year with observations, in the time zone of the station; undefined without observations. */
  years({
    station,
    inventory,
  }: StationSnapshot): { readonly first: number; readonly last: number } | undefined {
    const { first, last } = extentOf(inventory);
    if (first === null || last === null) return undefined;
    const yearOf = (time: number) => Number(this.#calendar.format(time, station.timeZone).slice(0, 4));
    return { first: yearOf(first), last: yearOf(last) };
  }

  /** Whether the station may have rows in a range, by the times of its first and last row. */
  overlaps({ inventory }: StationSnapshot, { from, to }: TimeRange): boolean {
    const { first, last } = extentOf(inventory);
    return first !== null && last !== null && from <= last && first < to;
  }

  /**
   * Whether months are settled: a month is settled `SETTLING` after its end, if no request of quality control is left whose checks
   * reach into the month. Requests are stored every half minute, so rows that were written since then are not known here.
   */
  async settlements({ number }: Station, months: readonly StationMonth[]): Promise<readonly Settlement[]> {
    const now = this.#clock.now();
    const pending = months.some(({ to }) => to + SETTLING <= now)
      ? await this.#recheck.pending([number])
      : [];
    return months.map(({ from, to }): Settlement => {
      if (now < to + SETTLING) return { isSettled: false, settlesAt: to + SETTLING };
      const isChecked = !pending.some(
        (range) => range.from - CHECK_REACH < to && from < range.to + CHECK_REACH,
      );
      return isChecked ? { isSettled: true } : { isSettled: false, settlesAt: null };
    });
  }

  /** @throws DomainError FILE_UNKNOWN if the month is not settled */
  async assertSettled(station: Station, month: StationMonth): Promise<void> {
    const [settlement] = await this.settlements(station, [month]);
    if (settlement === undefined || settlement.isSettled) return;
    const { settlesAt } = settlement;
    const { name } = month;
    if (settlesAt === null)
      throw new DomainError(
        'FILE_UNKNOWN',
        `Quality control still checks rows of ${name}. The files of the month exist when it has finished.`,
        { retryAfter: NEXT_ROUND },
      );
    throw new DomainError(
      'FILE_UNKNOWN',
      `The month ${name} is not settled. Its files may exist from ${new Date(settlesAt).toISOString()}, 48 hours after its end.`,
    );
  }

  /**
   * Describes the rows of a month. They are read only if the station has changed since the last call.
   *
   * @throws DomainError FILE_UNKNOWN for a month with too many values; DATA_DAMAGED; RATE_LIMITED or SERVICE_UNAVAILABLE if there
   *   are too many reads
   */
  async content(described: StationSnapshot, month: StationMonth, permit: Permit): Promise<MonthContent> {
    const { station, version } = described;
    return await this.#contents.findOrCompute(keyOf(station, month), version, () =>
      this.#read(described, month, permit),
    );
  }

  /**
   * Describes the rows of a month for a list. The result may be older than the rows by `LIST_AGE`, so that a list does not read the
   * rows of a year after each new row of the station.
   *
   * @throws DomainError as `content`
   */
  async recentContent(
    described: StationSnapshot,
    month: StationMonth,
    permit: Permit,
  ): Promise<MonthContent> {
    const slot = String(Math.floor(this.#clock.now() / LIST_AGE));
    return await this.#listed.findOrCompute(keyOf(described.station, month), slot, () =>
      this.content(described, month, permit),
    );
  }

  /**
   * Reads the rows of a month, in pages of `ROW_LIMITS.max` rows. Each page has the columns of `content`.
   *
   * @throws DomainError after the last page: SERVICE_UNAVAILABLE if the rows are no longer the rows of `content`
   */
  async *pages(
    described: StationSnapshot,
    month: StationMonth,
    content: MonthContent,
    permit: Permit,
  ): AsyncGenerator<ObservationPage> {
    const digest = new SeriesDigest();
    const names = content.variables.map(({ name }) => name);
    for await (const page of this.#readObservations.pages(described, inputOf(month, names), permit)) {
      await add(digest, page, permit);
      yield page;
    }
    const { rows, checksum } = digest.sum;
    if (rows !== content.rows || checksum !== content.checksum)
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        `Rows of ${month.name} have changed while its file was made. Try again.`,
        { retryAfter: 1 },
      );
  }

  async #read(described: StationSnapshot, month: StationMonth, permit: Permit): Promise<MonthContent> {
    const { inventory } = described;
    // Values of days are few, so their variables do not count.
    const reported = inventory.variables.filter((variable) => !isDaily(variable)).length;
    if (expectedRows(inventory, month) * reported > MAX_VALUES) throw tooLarge(month);
    const digest = new SeriesDigest();
    const found = new Set<number>();
    let [first, last]: [number | null, number | null] = [null, null];
    for await (const page of this.#readObservations.pages(described, inputOf(month, undefined), permit)) {
      await add(digest, page, permit);
      for (const { times, values } of page.parts) {
        first ??= times[0] ?? null;
        last = times.at(-1) ?? last;
        for (const [variable, column] of values)
          if (!found.has(variable) && !column.every(Number.isNaN)) found.add(variable);
      }
      if (digest.sum.rows * found.size > MAX_VALUES) throw tooLarge(month);
    }
    const variables = [...found].toSorted((a, b) => a - b).map(variableNumbered);
    return { ...digest.sum, variables, first, last };
  }
}

/** The position is part of the key, because the station has two versions if everybody sees a rounded position. */
function keyOf({ number, latitude, longitude }: Station, { name }: StationMonth): string {
  return `${number} ${latitude} ${longitude} ${name}`;
}

function inputOf({ from, to }: StationMonth, variables: readonly string[] | undefined) {
  return { from, to, variables, quality: 'all', limit: ROW_LIMITS.max, cursor: undefined } as const;
}

async function add(digest: SeriesDigest, { parts }: ObservationPage, permit: Permit): Promise<void> {
  for (const part of parts) {
    digest.add(part, 0, part.times.length);
    await permit.turn();
  }
}

function tooLarge({ name }: StationMonth): DomainError {
  return new DomainError(
    'FILE_UNKNOWN',
    `The month ${name} has more than ${MAX_VALUES} values, too many for a file. Read its observations with format=parquet and limit=all.`,
  );
}
