import { DomainError } from '#domain/domain-error.js';
import type { Calendar } from '#application/ports/calendar.js';
import { mapTogether } from '#application/work-through.js';
import type { StationSnapshot } from '../describe-station.js';
import { expectedRows, rangeOf } from '../observation-query.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import {
  type BegunSummary,
  CELLS_OF_BUCKET,
  type Summarize,
  type SummarizeInput,
  type SummaryPage,
  type UnsummedRows,
} from '../summarize.js';
import { LENGTHS, MAX_BUCKETS } from '../summary-parts.js';

/** Number of stations or groups of stations that are summarized at the same time, so that all reading threads of a store work. */
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
    const begun = await mapTogether(stations, STATIONS_AT_ONCE, (described) => {
      permit.signal?.throwIfAborted();
      return this.#summarize.begin(described, input, own);
    });
    await mapTogether(groupsOf(begun), STATIONS_AT_ONCE, (group) => {
      permit.signal?.throwIfAborted();
      return this.#summarize.addRows(group, own);
    });
    const pages: SummaryPage[] = [];
    for (const { page } of begun) {
      pages.push(page());
      await permit.turn();
    }
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

/**
 * Groups the rows that are summed together. The stations of a group are in the order of their numbers, because
 * `ObservationStore.sum` is then fastest.
 */
function groupsOf(begun: readonly BegunSummary[]): readonly (readonly UnsummedRows[])[] {
  const rows = begun.flatMap(({ remaining }) => remaining);
  const groups = new Map<unknown, UnsummedRows[]>();
  for (const one of rows) {
    const key = one.group ?? one;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => group.toSorted((a, b) => a.station.number - b.station.number));
}
