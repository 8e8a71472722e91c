import type { Caller } from '#domain/accounts/audit-event.js';
import type { CellCount } from '#domain/weather/undo/cell-changes.js';
import type { MaintainDailyAggregates } from '../observations/read/maintain-daily-aggregates.js';
import type { ProgressWatch } from '../observations/removal/count-values.js';
import type { EraseRanges } from '../observations/removal/erase-ranges.js';
import type { Calendar } from '../ports/calendar.js';
import type { EraseRange } from '../ports/observation-store.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { FindOldRows, RetentionRequest } from './find-old-rows.js';

/** Erases rows that are older than their retention period. The daily aggregates of these rows are computed first and are kept. */
export class ExpireRows {
  readonly #find: FindOldRows;
  readonly #erase: EraseRanges;
  readonly #aggregates: MaintainDailyAggregates;
  readonly #directory: StationDirectory;
  readonly #calendar: Calendar;

  constructor(
    find: FindOldRows,
    erase: EraseRanges,
    aggregates: MaintainDailyAggregates,
    directory: StationDirectory,
    calendar: Calendar,
  ) {
    this.#find = find;
    this.#erase = erase;
    this.#aggregates = aggregates;
    this.#directory = directory;
    this.#calendar = calendar;
  }

  /**
   * Does nothing if neither the request nor a setting has a retention period.
   *
   * @param watch its signal stops a long run early; the next run continues
   * @throws DomainError STATION_UNKNOWN; the reason of the signal
   */
  async execute(request: RetentionRequest, caller: Caller, watch: ProgressWatch): Promise<CellCount> {
    if (request.period === undefined && !(await this.#find.hasPeriod())) return { rows: 0, values: 0 };
    const ranges = await this.#find.execute(request);
    const subject = request.stations?.join(', ') ?? null;
    for (const range of ranges) {
      watch.signal?.throwIfAborted();
      await this.#computeAggregates(range, watch.signal);
    }
    return await this.#erase.execute(ranges, { action: 'observations-expire', subject, caller }, watch);
  }

  async #computeAggregates(
    { station: number, from, to }: EraseRange,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const station = (await this.#directory.current()).byNumber.get(number);
    if (station === undefined) return;
    await this.#aggregates.compute(
      station,
      this.#calendar.buckets('month', station.timeZone, 0, from, to),
      signal,
    );
  }
}
