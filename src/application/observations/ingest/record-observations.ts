import { addCounts, type Caller, type WriteCount } from '../../../domain/accounts/audit-event.js';
import { addWritten } from '../../../domain/weather/merge-series.js';
import { reordered } from '../../../domain/weather/row-order.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { StationStore } from '../../ports/station-store.js';
import { findStation, unknownStation } from '../../stations/find-station.js';
import type { CommitQueue } from './commit-queue.js';
import { type Receipt, repetitionsOf, type SentObservations } from './receipt.js';
import { MAX_AHEAD, refusalsOf } from './refuse-rows.js';
import { firstOfEach, foldRows } from './repeated-rows.js';
import { columnOf, convert, slices } from './sent-columns.js';
import { countTimes } from './write-events.js';

/** Writes observations of one station. Rows that cannot be stored are refused one by one; the others are stored. */
export class RecordObservations {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #queue: CommitQueue;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, stations: StationStore, queue: CommitQueue, audit: AuditTrail) {
    this.#clock = clock;
    this.#stations = stations;
    this.#queue = queue;
    this.#audit = audit;
  }

  /**
   * Writes rows, with an event in the audit trail. More than `SLICE` rows are written in several commits: where one
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
        const count = countTimes(batch.times);
        const { unknown, ...counts } = await this.#within(rows.length, () => this.#queue.write({ batch }));
        // The station was removed between the look-up and the commit.
        if (unknown.length > 0) throw unknownStation(id);
        addWritten(written, counts);
        done = done === undefined ? count : addCounts(done, count);
      }
    } catch (error) {
      // Rows of earlier commits stay stored, so the audit trail gets them. If that fails too, the first failure is reported.
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

  /** Runs `work`, which writes `rows` rows, as soon as the row budget has room for them. */
  async #within<T>(rows: number, work: () => Promise<T>): Promise<T> {
    await this.#queue.budget.acquire(rows);
    try {
      return await work();
    } finally {
      this.#queue.budget.release(rows);
    }
  }
}
