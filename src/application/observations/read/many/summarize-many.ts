import { DomainError } from '#domain/domain-error.js';
import type { Calendar } from '#application/ports/calendar.js';
import { mapTogether } from '#application/work-through.js';
import type { StationSnapshot } from '../describe-station.js';
import { expectedRows, rangeOf } from '../observation-query.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import { CELLS_OF_BUCKET, type Summarize, type SummarizeInput, type SummaryPage } from '../summarize.js';
import { LENGTHS, MAX_BUCKETS } from '../summary-parts.js';

/** Number of stations that are summarized at the same time, so that all reading threads of a store work. */
const STATIONS_AT_ONCE = 3;

export interface ManySummaries {
  readonly stations: readonly SummaryPage[];
}

/** Summarizes the observations of many stations. */
export class SummarizeMany {
  readonly #calendar: Calendar;
  readonly #summarize: Summarize;

  constructor(calendar: Calendar, summarize: Summarize) {
    this.#calendar = calendar;
    this.#summarize = summarize;
  }

  /**
   * @param stations from `FindMany`
   * @throws DomainError as `Summarize`; REQUEST_INVALID if all stations together have more than `MAX_BUCKETS` intervals
   */
  async execute(
    stations: readonly StationSnapshot[],
    input: SummarizeInput,
    permit: Permit = UNLIMITED,
  ): Promise<ManySummaries> {
    await permit.acquire(this.#cells(stations, input));
    // The call of `permit.acquire` above has already admitted the memory for all stations. So the summaries of the single
    // stations wait for nothing more: their `acquire` does nothing.
    const own: Permit = { ...permit, acquire: () => Promise.resolve() };
    const pages = await mapTogether(stations, STATIONS_AT_ONCE, (described) => {
      permit.signal?.throwIfAborted();
      return this.#summarize.execute(described, input, own);
    });
    return { stations: pages };
  }

  /**
   * Estimated memory of the sums and of the rows, in cells of 8 bytes, as `Permit` counts them. The estimate assumes that no
   * month has daily aggregates, so that all rows are read.
   */
  #cells(stations: readonly StationSnapshot[], input: SummarizeInput): number {
    let [cells, intervals] = [0, 0];
    for (const { station, inventory, asOf } of stations) {
      const range = rangeOf(this.#calendar, station, inventory, input, asOf);
      const count = Math.ceil((range.to - range.from) / LENGTHS[input.interval]);
      const columns = (input.variables ?? inventory.variables).length;
      intervals += count;
      cells += columns * (count * CELLS_OF_BUCKET + expectedRows(inventory, range));
    }
    if (intervals <= MAX_BUCKETS) return cells;
    throw new DomainError(
      'REQUEST_INVALID',
      `A request can have at most ${MAX_BUCKETS} intervals of all stations together: use a shorter range, longer intervals or fewer stations.`,
    );
  }
}
