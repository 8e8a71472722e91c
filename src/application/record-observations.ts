import type { WriteCounts } from '../domain/merge-series.js';
import { reordered } from '../domain/row-order.js';
import { CommitQueue } from './commit-queue.js';
import { findStation } from './find-station.js';
import { FirstRefused, type NumberedObservations, type RefusedRow, sift } from './numbered-observations.js';
import type { Clock } from './ports/clock.js';
import { pause } from './pause.js';
import type { ObservationStore } from './ports/observation-store.js';
import type { StationStore } from './ports/station-store.js';
import { MAX_REJECTIONS, Refusals, type Rejection } from './refusals.js';
import { firstOfEach, foldRows } from './repeated-rows.js';
import { RowBudget } from './row-budget.js';
import { columnOf, convert, type SentColumn, SLICE, slices } from './sent-columns.js';
import { type Directory, rulesOf, type StationDirectory } from './station-directory.js';

/** Milliseconds that a time may lie ahead of the clock. */
export const MAX_AHEAD = 600_000;
/** The first time that there can be observations of. */
const EARLIEST = Date.UTC(1600, 0, 1);

/** Rows as they were sent, in columns. */
export interface SentObservations {
  /** Milliseconds since 1970-01-01T00:00:00Z; NaN where none could be read. */
  readonly times: Float64Array;
  /** By name of variable; NaN for absent. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By name of variable, where it is not the stored unit. */
  readonly units: Readonly<Record<string, string>>;
  /** What could not be read: all of it, or the first `MAX_REJECTIONS`. */
  readonly rejections: readonly Rejection[];
  /** A byte for each row, 1 where something could not be read; left out where `rejections` names all such rows. */
  readonly unreadable?: Uint8Array;
}

/** A row with the time of an earlier one, whose values it has replaced. */
export interface Repetition {
  readonly index: number;
  /** The first row with this time. */
  readonly first: number;
}

/** The five counts add up to the rows that were sent. */
export interface Receipt extends WriteCounts {
  readonly repeated: number;
  /** The first of them. */
  readonly repetitions: readonly Repetition[];
  readonly rejected: number;
  /** The first of them. */
  readonly rejections: readonly Rejection[];
}

export interface BulkReceipt extends WriteCounts {
  readonly rejected: number;
  /** The first of them. */
  readonly refused: readonly RefusedRow[];
}

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
  readonly #budget = new RowBudget(ROWS_UNDER_WAY);

  constructor(
    clock: Clock,
    stations: StationStore,
    directory: StationDirectory,
    observations: ObservationStore,
  ) {
    this.#clock = clock;
    this.#stations = stations;
    this.#directory = directory;
    this.#queue = new CommitQueue(observations);
  }

  /**
   * Those of one station. More than `SLICE` rows are written in several commits: where one fails, those before it stay.
   *
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown variable, unit, or columns of unequal length
   */
  async execute(id: string, sent: SentObservations): Promise<Receipt> {
    const station = await findStation(this.#stations, id);
    const columns = [...sent.values].map(([name, column]) =>
      columnOf(name, column, sent.times.length, sent.units[name]),
    );
    const times = sent.times.map(Math.round);
    const refusals = await this.#refuse(sent, columns);
    const refused = refusals.bytes(times.length);
    const firsts = await firstOfEach(times, refused);
    const values = firsts === undefined ? sent.values : foldRows(sent.values, firsts);
    const receipt = {
      inserted: 0,
      updated: 0,
      unchanged: 0,
      ...repetitionsOf(firsts),
      rejected: refusals.count,
      rejections: refusals.listed.toSorted((a, b) => a.index - b.index),
    };
    const rules = new Map([[station.number, rulesOf(station)]]);
    for (const rows of slices(times.length, (row) => refused[row] === 0 && (firsts?.[row] ?? row) === row)) {
      const batch = {
        stations: new Uint32Array(rows.length).fill(station.number),
        times: reordered(times, rows),
        values: await convert(columns, values, rows),
        flags: new Map(),
      };
      const { unknown, ...written } = await this.#queue.write({ batch, rules });
      // Removed a moment ago.
      if (unknown.length > 0) await findStation(this.#stations, id);
      receipt.inserted += written.inserted;
      receipt.updated += written.updated;
      receipt.unchanged += written.unchanged;
    }
    return receipt;
  }

  /**
   * Those of many stations, batch by batch as they come. The next is awaited while the last are on their way to the disk,
   * but only so many: whoever sends waits for the disk. When `batches` fails, what came before has been written. Each
   * batch is judged by the stations as they are when it comes.
   *
   * @param listed refused rows that the receipt names
   */
  async ofMany(batches: AsyncIterable<NumberedObservations>, listed = MAX_REFUSED): Promise<BulkReceipt> {
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
        const write = this.#recordBatch(batch, sent, found, total)
          .catch((error: unknown) => (failure ??= { error }))
          .then(() => {
            this.#budget.release(rows);
            writes.delete(write);
          });
        writes.add(write);
        sent += rows;
        if (failure !== undefined) break;
      }
    } finally {
      await Promise.all(writes);
    }
    if (failure !== undefined) throw failure.error;
    return { ...total, refused: total.refused.inOrder() };
  }

  async #recordBatch(
    sent: NumberedObservations,
    first: number,
    directory: Promise<Directory>,
    total: { -readonly [K in keyof WriteCounts]: number } & { rejected: number; refused: FirstRefused },
  ): Promise<void> {
    const { rules } = await directory;
    const latest = this.#clock.now() + MAX_AHEAD;
    const { accepted, places, rejected, refused } = sift(sent, rules, EARLIEST, latest, total.refused.most);
    const note = (row: RefusedRow) => total.refused.add({ ...row, row: first + row.row });
    refused.forEach(note);
    total.rejected += rejected;
    if (accepted.times.length === 0) return;
    const stations = accepted.stations.slice(); // The store takes the others.
    const outcome = await this.#queue.write({ batch: { ...accepted, flags: new Map() }, rules });
    total.inserted += outcome.inserted;
    total.updated += outcome.updated;
    total.unchanged += outcome.unchanged;
    if (outcome.unknown.length === 0) return;
    // Removed a moment ago.
    const gone = new Set(outcome.unknown);
    for (const [index, station] of stations.entries()) {
      if (!gone.has(station)) continue;
      total.rejected += 1;
      const row = places?.[index] ?? index;
      note({ row, variable: 0, reason: 'station' });
    }
  }

  async #refuse(
    { times, rejections, unreadable }: SentObservations,
    columns: readonly SentColumn[],
  ): Promise<Refusals> {
    const latest = this.#clock.now() + MAX_AHEAD;
    const refusals = new Refusals(times.length);
    for (const { index, field, reason } of rejections) refusals.add(index, field, () => reason);
    for (let row = 0; row < times.length; row += 1) {
      if (row > 0 && row % SLICE === 0) await pause();
      if (unreadable?.[row] === 1) refusals.mark(row);
      const time = times[row] as number;
      if (Number.isNaN(time)) continue; // Refused where it was read.
      if (time > latest) refusals.add(row, 'time', () => 'lies in the future');
      else if (time < EARLIEST) refusals.add(row, 'time', () => 'lies before 1600');
      else if (columns.every(({ column }) => Number.isNaN(column[row])))
        refusals.add(row, 'row', () => 'has no value');
      for (const { variable, column } of columns) {
        if (Math.abs(column[row] as number) === Infinity)
          refusals.add(row, variable.name, () => 'is not finite');
      }
    }
    return refusals;
  }
}

function repetitionsOf(firsts: Uint32Array | undefined): Pick<Receipt, 'repeated' | 'repetitions'> {
  const repetitions: Repetition[] = [];
  let repeated = 0;
  for (let index = 0; index < (firsts?.length ?? 0); index += 1) {
    const first = firsts?.[index] ?? index;
    if (first === index) continue;
    repeated += 1;
    if (repetitions.length < MAX_REJECTIONS) repetitions.push({ index, first });
  }
  return { repeated, repetitions };
}
