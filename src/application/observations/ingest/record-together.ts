import type { WriteCounts } from '#domain/weather/merge-series.js';
import { joinColumns } from '#domain/weather/row-order.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { StoredRecord } from '../../ports/record-store.js';
import type { Directory } from '../../stations/station-directory.js';
import type { CommitQueue } from './commit-queue.js';
import type { Rejection } from './rejection.js';
import { sift } from './sift.js';
import { batchOf } from './sifted-rows.js';

export interface TogetherOutcome extends WriteCounts {
  /** The rejections of all `parts` of the call. The row number of a rejection is the index of the row in its own part. */
  readonly rejections: readonly Rejection[];
  /** The number of rejected rows of each part. */
  readonly rejectedRows: readonly number[];
  /** Numbers of stations that were removed before the commit. */
  readonly unknown: readonly number[];
  /**
   * Whether another write has changed one of the records, which are small texts, since the caller has read it. Its stored revision
   * then differs from the revision in the call, and nothing was stored.
   */
  readonly isOutdated: boolean;
}

const NOTHING = { inserted: 0, updated: 0, unchanged: 0, unknown: [], isOutdated: false };

/**
 * Writes a few rows of some stations, together with records, in one transaction. A record is a small text, for example the rain
 * counters of a sender. The audit trail gets no event.
 */
export class RecordTogether {
  readonly #queue: CommitQueue;

  constructor(queue: CommitQueue) {
    this.#queue = queue;
  }

  /**
   * Writes the rows and the records, which are small texts. Rows that cannot be stored are rejected; the others are stored.
   * If all rows are rejected, nothing is written.
   *
   * @param now milliseconds since 1970-01-01T00:00:00Z
   * @throws DomainError STORE_UNAVAILABLE, STATION_UNKNOWN; REQUEST_INVALID for an unknown variable or unit
   */
  async execute(
    parts: readonly SentRows[],
    records: readonly StoredRecord[],
    directory: Directory,
    now: number,
  ): Promise<TogetherOutcome> {
    const sifted = await Promise.all(parts.map((sent) => sift(sent, directory, now)));
    const rejectedRows = sifted.map(({ rejected }) => rejected);
    const rejections = sifted.flatMap((rows) => [...rows.rejections()]);
    const batch = joinColumns(sifted.map((rows) => batchOf(rows, rows.accepted())));
    const rows = batch.times.length;
    if (rows === 0) return { ...NOTHING, rejections, rejectedRows };
    await this.#queue.budget.acquire(rows);
    try {
      const { isOutdated = false, ...outcome } = await this.#queue.write({ batch: packed(batch), records });
      return { ...outcome, isOutdated, rejections, rejectedRows };
    } finally {
      this.#queue.budget.release(rows);
    }
  }
}

/**
 * Copies a batch so that all its columns share one buffer. If each column had its own buffer, a batch of one row would spend most
 * of its time in the transfer of the buffers to the thread of the store.
 */
function packed({ stations, times, values }: ObservationBatch): ObservationBatch {
  const rows = times.length;
  const numbers = new Float64Array((values.size + 2) * rows);
  let at = 0;
  const copy = (column: Float64Array) => {
    const from = at;
    at += rows;
    numbers.set(column, from);
    return numbers.subarray(from, at);
  };
  const packedTimes = copy(times);
  const packedValues = new Map([...values].map(([variable, column]) => [variable, copy(column)]));
  // The buffer has eight bytes for each station number, which takes only four.
  const packedStations = new Uint32Array(numbers.buffer, at * numbers.BYTES_PER_ELEMENT, rows);
  packedStations.set(stations);
  return { stations: packedStations, times: packedTimes, values: packedValues, flags: new Map() };
}
