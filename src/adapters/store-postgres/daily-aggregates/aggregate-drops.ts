import type { StoredAggregates } from '#adapters/packed-store/write-target.js';
import { byStatement } from '../database/by-statement.js';
import type { Query } from '../database/query.js';
import { blockOf, type OpenBlock } from '../observations/blocks.js';

/**
 * Daily aggregates are stored sums of the days of a month, and are dropped when rows of this month change. This class collects
 * the daily aggregates that a transaction drops. Most transactions drop none, because new rows are later than all months with
 * daily aggregates.
 */
export class AggregateDrops implements StoredAggregates {
  readonly #open: ReadonlyMap<number, OpenBlock> | undefined;
  readonly #dropped: (readonly [station: number, first: number, last: number])[] = [];

  /**
   * @param open the blocks (groups of 64 stations) of the transaction. The field `tablesEnd` of a block is a time after which the
   *   block has no daily aggregates. A drop after this time has nothing to delete and needs no statement. If `open` is undefined,
   *   each drop needs a statement
   */
  constructor(open?: ReadonlyMap<number, OpenBlock>) {
    this.#open = open;
  }

  drop(station: number, first: number, last: number): void {
    const end =
      this.#open === undefined ? Infinity : (this.#open.get(blockOf(station))?.tablesEnd ?? -Infinity);
    if (first <= end) this.#dropped.push([station, first, last]);
  }

  /**
   * Drops the collected daily aggregates. If the time of a row is exactly the end of a month, the daily aggregates of this month
   * are dropped too: an amount at this time, such as rain, belongs to the month that ends.
   */
  async write(query: Query): Promise<void> {
    const parts = byStatement(query, this.#dropped, ([station]) => blockOf(station), 'dropped.block');
    for (const [some, inBlock] of parts)
      await query(
        `DELETE FROM weatherd.day_table USING unnest($1::integer[], $2::integer[], $3::bigint[], $4::bigint[])
           AS dropped (block, station, first, last)
         WHERE day_table.block = ${inBlock} AND day_table.station = dropped.station
           AND day_table.start <= dropped.last AND day_table."end" >= dropped.first`,
        [
          some.map(([station]) => blockOf(station)),
          some.map(([station]) => station),
          some.map(([, first]) => first),
          some.map(([, , last]) => last),
        ],
      );
  }
}
