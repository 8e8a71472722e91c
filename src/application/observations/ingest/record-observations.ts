import { addCounts, type Caller, type WriteCount } from '../../../domain/accounts/audit-event.js';
import { addWritten, type WriteTotal } from '../../../domain/weather/merge-series.js';
import { reordered } from '../../../domain/weather/row-order.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import type { Directory, StationDirectory } from '../../stations/station-directory.js';
import { CommitQueue } from './commit-queue.js';
import { FirstRefused, type NumberedObservations, type RefusedRow, sift } from './numbered-observations.js';
import { type BulkReceipt, type Receipt, repetitionsOf, type SentObservations } from './receipt.js';
import { EARLIEST, refusalsOf } from './refuse-rows.js';
import { firstOfEach, foldRows } from './repeated-rows.js';
import { RowBudget } from './row-budget.js';
import { columnOf, convert, slices } from './sent-columns.js';
import { WriteEvents } from './write-events.js';
import type { WriteTally } from './write-tally.js';

/** Milliseconds that a time may lie ahead of the clock. */
export const MAX_AHEAD = 600_000;

/** Refused rows that a bulk receipt lists. */
export const MAX_REFUSED = 1000;
/** Rows that may be on their way to the disk before more are taken on. */
const ROWS_UNDER_WAY = 32_768;

/** Writes observations. Rows that cannot be taken are refused one by one; the others are kept. */
export class RecordObservations {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #directory: StationDirectory;
  readonly #queue: CommitQueue;
  readonly #audit: AuditTrail;
  readonly #tally: WriteTally;
  readonly #budget = new RowBudget(ROWS_UNDER_WAY);

  constructor(
    clock: Clock,
    stations: StationStore,
    directory: StationDirectory,
    observations: ObservationStore,
    audit: AuditTrail,
    tally: WriteTally,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#directory = directory;
    this.#queue = new CommitQueue(observations);
    this.#audit = audit;
    this.#tally = tally;
  }

  /**
   * Those of one station, with an event in the audit trail. More than `SLICE` rows are written in several commits: where one
   * fails, those before it stay.
   *
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown variable, unit, or columns of unequal length
   */
  async execute(id: string, sent: SentObservations, caller: Caller): Promise<Receipt> {
    const station = await findStation(this.#stations, id);
    const columns = [...sent.values].map(([name, column]) =>
      columnOf(name, column, sent.times.length, sent.units[name]),
    );
    const times = sent.times.map(Math.round);
    const refusals = await refusalsOf(sent, columns, this.#clock.now() + MAX_AHEAD);
    const refused = refusals.bytes(times.length);
    const firsts = await firstOfEach(times, refused);
    const values = firsts === undefined ? sent.values : foldRows(sent.values, firsts);
    const written = { inserted: 0, updated: 0, unchanged: 0 };
    let done: WriteCount | undefined;
    const audit = async () => {
      if (done === undefined) return;
      const detail = { ...done, ...written, rejected: refusals.count };
      await this.#audit.record(caller, 'observations-write', id, 'done', detail);
    };
    try {
      const isTaken = (row: number) => refused[row] === 0 && (firsts?.[row] ?? row) === row;
      for (const rows of slices(times.length, isTaken)) {
        const batch = {
          stations: new Uint32Array(rows.length).fill(station.number),
          times: reordered(times, rows),
          values: await convert(columns, values, rows),
          flags: new Map(),
        };
        const count = countOf(batch.times);
        const { unknown, ...counts } = await this.#within(rows.length, () => this.#queue.write({ batch }));
        // Removed a moment ago.
        if (unknown.length > 0) throw unknownStation(id);
        addWritten(written, counts);
        done = done === undefined ? count : addCounts(done, count);
      }
    } catch (error) {
      // What has been written stays, and is told; the failure matters more than one of the audit trail.
      await audit().catch(() => undefined);
      throw error;
    }
    await audit();
    return {
      ...written,
      ...repetitionsOf(firsts),
      rejected: refusals.count,
      rejections: refusals.listed.toSorted((a, b) => a.index - b.index),
    };
  }

  /**
   * Those of many stations, batch by batch as they come. The next is awaited while the last are on their way to the disk,
   * but only so many: whoever sends waits for the disk. When `batches` fails, what came before has been written. Each
   * batch is judged by the stations as they are when it comes. The audit trail counts the rows by source, station and day.
   *
   * @param options.listed refused rows that the receipt names
   * @param options.events gets what is written in batches of one station, with its counts, instead
   */
  async ofMany(
    batches: AsyncIterable<NumberedObservations>,
    caller: Caller,
    { listed = MAX_REFUSED, events }: { listed?: number; events?: WriteEvents } = {},
  ): Promise<BulkReceipt> {
    const total = { inserted: 0, updated: 0, unchanged: 0, rejected: 0, refused: new FirstRefused(listed) };
    const writes = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    let sent = 0;
    let directory: Promise<unknown> = Promise.resolve();
    try {
      for await (const batch of batches) {
        const rows = batch.times.length;
        await this.#budget.acquire(rows);
        // Each waits for the look-up of the one before it too: they are written in the order in which they came.
        const [current, before] = [this.#directory.current(), directory];
        const found = Promise.all([current, before]).then(([first]) => first);
        directory = found;
        const write = this.#recordBatch(batch, sent, found, total, { caller, events })
          .catch((error: unknown) => (failure ??= { error }))
          .then(() => {
            this.#budget.release(rows);
            writes.delete(write);
          });
        writes.add(write);
        sent += rows;
        if (failure !== undefined) break;
      }
    } catch (error) {
      failure ??= { error };
    }
    await Promise.all(writes);
    if (failure !== undefined) throw failure.error;
    return { ...total, refused: total.refused.inOrder() };
  }

  /** For what one caller writes by many calls of `ofMany`; whoever made it flushes it. */
  newEvents(caller: Caller): WriteEvents {
    return new WriteEvents(this.#audit, caller);
  }

  /** Does work that has so many rows on their way to the disk, when there is room for them. */
  async #within<T>(rows: number, work: () => Promise<T>): Promise<T> {
    await this.#budget.acquire(rows);
    try {
      return await work();
    } finally {
      this.#budget.release(rows);
    }
  }

  async #recordBatch(
    sent: NumberedObservations,
    first: number,
    directory: Promise<Directory>,
    total: WriteTotal & { rejected: number; refused: FirstRefused },
    { caller, events }: { readonly caller: Caller; readonly events: WriteEvents | undefined },
  ): Promise<void> {
    const { byNumber } = await directory;
    const latest = this.#clock.now() + MAX_AHEAD;
    const { accepted, places, rejected, refused } = sift(
      sent,
      byNumber,
      EARLIEST,
      latest,
      total.refused.most,
    );
    const note = (row: RefusedRow) => total.refused.add({ ...row, row: first + row.row });
    refused.forEach(note);
    total.rejected += rejected;
    if (accepted.times.length === 0) return;
    // The store takes the others.
    const [stations, times] = [accepted.stations.slice(), accepted.times.slice()];
    const outcome = await this.#queue.write({ batch: { ...accepted, flags: new Map() } });
    addWritten(total, outcome);
    const gone = new Set(outcome.unknown);
    const [oneStation = 0] = stations;
    const id = byNumber.get(oneStation)?.id;
    // Asked last: it looks at every row.
    const isOfOne = () => gone.size === 0 && stations.every((one) => one === oneStation);
    if (events !== undefined && id !== undefined && isOfOne()) {
      events.note(id, countOf(times), outcome, rejected);
    } else this.#tally.note(caller, stations, times, gone);
    if (gone.size === 0) return;
    // Removed a moment ago.
    for (const [index, station] of stations.entries()) {
      if (!gone.has(station)) continue;
      total.rejected += 1;
      const row = places?.[index] ?? index;
      note({ row, variable: 0, reason: 'station' });
    }
  }
}

/** How many rows have these times, and from when to when. */
function countOf(times: Float64Array): WriteCount {
  let [from, to] = [Infinity, -Infinity];
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  return { from, to, rows: times.length };
}
