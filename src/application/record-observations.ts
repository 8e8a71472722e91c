import type { Caller } from '../domain/audit-event.js';
import { DomainError } from '../domain/domain-error.js';
import type { WriteCounts } from '../domain/merge-series.js';
import { reordered } from '../domain/row-order.js';
import { converter } from '../domain/units.js';
import { type Variable, variableNamed } from '../domain/variables.js';
import type { AuditTrail } from './audit-trail.js';
import { CommitQueue } from './commit-queue.js';
import { findStation, unknownStation } from './find-station.js';
import { type NumberedObservations, type RefusedRow, sift } from './numbered-observations.js';
import type { Clock } from './ports/clock.js';
import type { ObservationStore } from './ports/observation-store.js';
import type { StationStore } from './ports/station-store.js';
import { RowBudget } from './row-budget.js';
import type { Directory, StationDirectory } from './station-directory.js';
import type { WriteTally } from './write-tally.js';

/** Milliseconds that a time may lie ahead of the clock. */
export const MAX_AHEAD = 600_000;
/** The first time that there can be observations of. */
const EARLIEST = Date.UTC(1600, 0, 1);

export interface Rejection {
  /** Row of the batch, from 0. */
  readonly index: number;
  /** Name of a variable, `time`, or `row` for all of it. */
  readonly field: string;
  readonly reason: string;
}

/** Rows as they were sent, in columns. */
export interface SentObservations {
  /** Milliseconds since 1970-01-01T00:00:00Z; NaN where none could be read. */
  readonly times: Float64Array;
  /** By name of variable; NaN for absent. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By name of variable, where it is not the stored unit. */
  readonly units: Readonly<Record<string, string>>;
  /** What could not even be read. */
  readonly rejections: readonly Rejection[];
}

export interface Receipt extends WriteCounts {
  readonly rejected: number;
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
   * Those of one station, with an event in the audit trail.
   *
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown variable, unit, or columns of unequal length
   */
  async execute(id: string, sent: SentObservations, caller: Caller): Promise<Receipt> {
    const station = await findStation(this.#stations, id);
    const columns = [...sent.values].map(([name, column]) => convert(name, column, sent));
    const rejections = [...sent.rejections, ...this.#refuse(sent.times, columns)];
    const refused = new Set(rejections.map(({ index }) => index));
    const rows = Uint32Array.from(sent.times.keys()).filter((row) => !refused.has(row));
    const counts = { rejected: refused.size, rejections };
    if (rows.length === 0) return { inserted: 0, updated: 0, unchanged: 0, ...counts };
    const batch = {
      stations: new Uint32Array(rows.length).fill(station.number),
      times: reordered(sent.times.map(Math.round), rows),
      values: new Map(columns.map(([variable, column]) => [variable.number, reordered(column, rows)])),
      flags: new Map(),
    };
    const [from, to] = extent(batch.times); // The store takes the columns.
    const { unknown, ...written } = await this.#queue.write({ batch });
    // Removed a moment ago.
    if (unknown.length > 0) throw unknownStation(id);
    const detail = { from, to, rows: rows.length, ...written, rejected: refused.size };
    await this.#audit.record(caller, 'observations-write', id, 'done', detail);
    return { ...written, ...counts };
  }

  /**
   * Those of many stations, batch by batch as they come. The next is awaited while the last are on their way to the disk,
   * but only so many: whoever sends waits for the disk. When `batches` fails, what came before has been written. The audit
   * trail counts the rows by source, station and day.
   */
  async ofMany(batches: AsyncIterable<NumberedObservations>, caller: Caller): Promise<BulkReceipt> {
    const directory = await this.#directory.current();
    const total = { inserted: 0, updated: 0, unchanged: 0, rejected: 0, refused: [] as RefusedRow[] };
    const writes = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    let sent = 0;
    try {
      for await (const batch of batches) {
        const rows = batch.times.length;
        await this.#budget.acquire(rows);
        const write = this.#recordBatch(batch, sent, directory, total, caller)
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
    return { ...total, refused: total.refused.toSorted((a, b) => a.row - b.row).slice(0, MAX_REFUSED) };
  }

  async #recordBatch(
    sent: NumberedObservations,
    first: number,
    { byNumber }: Directory,
    total: { -readonly [K in keyof WriteCounts]: number } & { rejected: number; refused: RefusedRow[] },
    caller: Caller,
  ): Promise<void> {
    const latest = this.#clock.now() + MAX_AHEAD;
    const { accepted, places, rejected, refused } = sift(sent, byNumber, EARLIEST, latest, MAX_REFUSED);
    const note = (row: RefusedRow) => total.refused.push({ ...row, row: first + row.row });
    if (total.refused.length < MAX_REFUSED) refused.forEach(note);
    total.rejected += rejected;
    if (accepted.times.length === 0) return;
    // The store takes the others.
    const [stations, times] = [accepted.stations.slice(), accepted.times.slice()];
    const outcome = await this.#queue.write({ batch: { ...accepted, flags: new Map() } });
    total.inserted += outcome.inserted;
    total.updated += outcome.updated;
    total.unchanged += outcome.unchanged;
    const gone = new Set(outcome.unknown);
    this.#tally.note(caller, stations, times, gone);
    if (gone.size === 0) return;
    // Removed a moment ago.
    for (const [index, station] of stations.entries()) {
      if (!gone.has(station)) continue;
      total.rejected += 1;
      const row = places?.[index] ?? index;
      if (total.refused.length < 2 * MAX_REFUSED) note({ row, variable: 0, reason: 'station' });
    }
  }

  #refuse(times: Float64Array, columns: readonly (readonly [Variable, Float64Array])[]): Rejection[] {
    const latest = this.#clock.now() + MAX_AHEAD;
    const refused: Rejection[] = [];
    for (const [index, time] of times.entries()) {
      const refuse = (field: string, reason: string) => refused.push({ index, field, reason });
      if (Number.isNaN(time)) continue; // Refused where it was read.
      if (time > latest) refuse('time', 'lies in the future');
      else if (time < EARLIEST) refuse('time', 'lies before 1600');
      else if (columns.every(([, column]) => Number.isNaN(column[index]))) refuse('row', 'has no value');
      for (const [{ name }, column] of columns) {
        if (Math.abs(column[index] as number) === Infinity) refuse(name, 'is not finite');
      }
    }
    return refused;
  }
}

/** The least and the greatest of some times. */
function extent(times: Float64Array): [from: number, to: number] {
  let [from, to] = [Infinity, -Infinity];
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  return [from, to];
}

function convert(
  name: string,
  column: Float64Array,
  { times, units }: SentObservations,
): [Variable, Float64Array] {
  const variable = variableNamed(name);
  if (variable === undefined) {
    throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(name)}.`);
  }
  if (column.length !== times.length) {
    throw new DomainError('REQUEST_INVALID', `${name} has ${column.length} values and time ${times.length}.`);
  }
  const unit = units[name] ?? variable.unit;
  if (unit === variable.unit) return [variable, column];
  const toStored = converter(variable, unit, 'stored');
  return [variable, column.map((value) => (Number.isNaN(value) ? value : toStored(value)))];
}
