import type { RecordObservations } from '../../../application/record-observations.js';
import { COMMAND_LINE } from '../../../domain/audit-event.js';
import { isDomainError } from '../../../domain/domain-error.js';
import type { BadRow, GoodRow, PlanColumn, SentRow } from './sent-row.js';

/** Rows that are gathered before they are written. */
const GATHERED = 10_000;

export interface ImportCounts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

export interface ImportEvents {
  /** A row that was not taken, and why. */
  rejected(row: BadRow): void;
  /** Everything up to this line is on disk. */
  written(line: number): void;
}

/** Writes the rows of a file, in the order in which they come. */
export class Importer {
  readonly counts: ImportCounts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 };
  readonly #record: RecordObservations;
  readonly #columns: readonly PlanColumn[];
  readonly #events: ImportEvents;
  #gathered = new Map<string, GoodRow[]>();
  #count = 0;

  constructor(record: RecordObservations, columns: readonly PlanColumn[], events: ImportEvents) {
    this.#record = record;
    this.#columns = columns;
    this.#events = events;
  }

  /** @param after the last line of an attempt before; rows up to it are passed over */
  async run(rows: AsyncIterable<SentRow>, after: number): Promise<void> {
    let last = after;
    for await (const row of rows) {
      if (row.line <= after) continue;
      this.counts.rows += 1;
      last = Math.max(last, row.line);
      if ('problem' in row) this.#reject(row);
      else this.#gather(row);
      if (this.#count >= GATHERED) await this.#write(last);
    }
    await this.#write(last);
  }

  #gather(row: GoodRow): void {
    const rows = this.#gathered.get(row.station);
    if (rows === undefined) this.#gathered.set(row.station, [row]);
    else rows.push(row);
    this.#count += 1;
  }

  async #write(line: number): Promise<void> {
    for (const [station, rows] of this.#gathered) await this.#writeStation(station, rows);
    this.#gathered = new Map();
    this.#count = 0;
    this.#events.written(line);
  }

  async #writeStation(station: string, rows: readonly GoodRow[]): Promise<void> {
    const values = this.#columns.map(
      ({ variable }, column) =>
        [variable, Float64Array.from(rows, (row) => row.values[column] as number)] as const,
    );
    const units = Object.fromEntries(this.#columns.map(({ variable, unit }) => [variable, unit]));
    const times = Float64Array.from(rows, ({ time }) => time);
    try {
      const sent = { times, values: new Map(values), units, rejections: [] };
      const receipt = await this.#record.execute(station, sent, COMMAND_LINE);
      this.counts.inserted += receipt.inserted;
      this.counts.updated += receipt.updated;
      this.counts.unchanged += receipt.unchanged;
      for (const { index, field, reason } of receipt.rejections) {
        this.#reject({ line: rows[index]?.line ?? 0, problem: `${field} ${reason}` });
      }
    } catch (error) {
      if (!isDomainError(error, 'STATION_UNKNOWN')) throw error;
      for (const { line } of rows) this.#reject({ line, problem: error.message });
    }
  }

  #reject(row: BadRow): void {
    this.counts.rejected += 1;
    this.#events.rejected(row);
  }
}
