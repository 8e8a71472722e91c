import type { RecordObservations } from '../../../application/observations/ingest/record-observations.js';
import { firstReasons, type Rejection } from '../../../application/observations/ingest/rejection.js';
import type { WriteEvents } from '../../../application/observations/ingest/write-events.js';
import { COMMAND_LINE } from '../../../domain/accounts/audit-event.js';
import type { ImportJournal } from './import-journal.js';
import { addWritten } from '../../../domain/weather/merge-series.js';
import type { SentRows } from '../../../domain/weather/sent-rows.js';
import type { FileColumn, FileRow, GoodRow, RejectedRow } from '../../formats/files/file-row.js';

/** Rows that are gathered before they are written, as one batch for all their stations. */
const GATHERED = 10_000;
/** Number of blocks between two flushes of the audit trail. After a crash it lacks at most these. */
const BLOCKS_AUDITED = 100;

export interface ImportCounts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  /** Number of rows with the same station and time as an earlier row that was gathered into the same batch. */
  repeated: number;
  rejected: number;
}

export interface ImportEvents {
  /** A row that was not taken as it is, and why. */
  reported(row: RejectedRow): void;
  /** Everything up to this line is on disk. */
  written(line: number): Promise<void>;
}

/** Writes the rows of a file, in the order in which they come. */
export class Importer {
  readonly counts: ImportCounts = {
    rows: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
  };
  readonly #record: RecordObservations;
  readonly #columns: readonly FileColumn[];
  readonly #events: ImportEvents;
  readonly #audit: WriteEvents;
  readonly #journal: ImportJournal;
  #gathered: GoodRow[] = [];
  #blocks = 0;
  #line = 0;

  /**
   * @param audit gets what is written, and is flushed by the importer
   * @param journal has the number under which the rows are written
   */
  constructor(
    record: RecordObservations,
    audit: WriteEvents,
    columns: readonly FileColumn[],
    events: ImportEvents,
    journal: ImportJournal,
  ) {
    this.#journal = journal;
    this.#record = record;
    this.#audit = audit;
    this.#columns = columns;
    this.#events = events;
  }

  /** The last line that was read. */
  get line(): number {
    return this.#line;
  }

  /**
   * @param after the last line of an attempt before; rows up to it are passed over
   * @throws DomainError REQUEST_INVALID when a variable cannot be had in the unit of its column; nothing is written then
   */
  async run(rows: AsyncIterable<FileRow>, after: number): Promise<void> {
    this.#line = after;
    try {
      await this.#writeAll(rows, after);
    } catch (error) {
      // The failure matters more than one of the audit trail.
      await this.#audit.flush().catch(() => undefined);
      throw error;
    }
    await this.#audit.flush();
  }

  async #writeAll(rows: AsyncIterable<FileRow>, after: number): Promise<void> {
    for await (const row of rows) {
      if (row.line <= after) continue;
      this.counts.rows += 1;
      this.#line = Math.max(this.#line, row.line);
      if ('problem' in row) this.#reject(row);
      else this.#gathered.push(row);
      if (this.#gathered.length >= GATHERED) await this.#write();
    }
    await this.#write();
  }

  async #write(): Promise<void> {
    const rows = this.#gathered;
    this.#gathered = [];
    if (rows.length > 0) await this.#writeRows(rows);
    await this.#events.written(this.#line);
    this.#blocks += 1;
    if (this.#blocks % BLOCKS_AUDITED === 0) await this.#audit.flush();
  }

  async #writeRows(rows: readonly GoodRow[]): Promise<void> {
    const receipt = await this.#record.execute(sentRows(rows, this.#columns), COMMAND_LINE, {
      listed: Infinity,
      events: this.#audit,
      importNumber: await this.#journal.number(),
    });
    addWritten(this.counts, receipt);
    this.counts.repeated += receipt.repeated;
    this.counts.rejected += receipt.rejected;
    const rowAt = (index: number) => rows[index] as GoodRow;
    for (const { index, first } of receipt.repetitions) {
      const problem = `has the time of line ${rowAt(first).line}, whose values it replaces`;
      this.#events.reported({ line: rowAt(index).line, problem });
    }
    for (const rejection of firstReasons(receipt.rejections)) {
      const row = rowAt(rejection.row);
      this.#events.reported({ line: row.line, problem: problemOf(rejection, row) });
    }
  }

  #reject(row: RejectedRow): void {
    this.counts.rejected += 1;
    this.#events.reported(row);
  }
}

function sentRows(rows: readonly GoodRow[], columns: readonly FileColumn[]): SentRows {
  return {
    stations: rows.map(({ station }) => station),
    times: Float64Array.from(rows, ({ time }) => time),
    columns: columns.map(({ variable, unit }, column) => ({
      variable,
      unit,
      values: Float64Array.from(rows, ({ values }) => values[column] as number),
    })),
  };
}

function problemOf({ reason, text }: Rejection, { station }: GoodRow): string {
  if (reason === 'station') return `There is no station ${JSON.stringify(station)}.`;
  return reason === 'value' ? 'has a value that is not finite' : `${reason} ${text}`;
}
