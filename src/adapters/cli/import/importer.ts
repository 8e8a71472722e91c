import type { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { firstReasons, type Rejection } from '#application/observations/ingest/rejection.js';
import type { Receipt } from '#application/observations/ingest/row-writes.js';
import type { WriteEvents } from '#application/observations/ingest/write-events.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { addWritten } from '#domain/weather/merge-series.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
// Makes V8 free the columns of a chunk soon after it is written.
import '#adapters/formats/garbage.js';
import type { FileFault, ReadChunk } from '#adapters/formats/tables/read-notes.js';
import type { ReadPart } from '#adapters/formats/tables/row-columns.js';
import type { ImportJournal } from './import-journal.js';

/** Number of chunks between two flushes of the audit trail. After a crash it lacks at most these. */
const CHUNKS_AUDITED = 100;

export interface ImportCounts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  /** Number of rows with the same station and time as an earlier row of the same chunk. */
  repeated: number;
  rejected: number;
  /** Number of cells that could not be read, in rows that were taken. */
  cells: number;
}

export interface ImportEvents {
  /** A row or a cell that was not taken as it is, and why. */
  reported(fault: FileFault): void;
  /** Everything up to this line is on disk. */
  written(line: number): Promise<void>;
}

/** Writes the rows of a file, in the order in which they come. One chunk is read while the one before it is written. */
export class Importer {
  readonly counts: ImportCounts = {
    rows: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
    cells: 0,
  };
  /** The ids that rows were given for. */
  readonly stations = new Set<string>();
  readonly #record: RecordObservations;
  readonly #events: ImportEvents;
  readonly #audit: WriteEvents;
  readonly #journal: ImportJournal;
  readonly #stationHeading: string | undefined;
  #chunks = 0;

  /**
   * @param audit gets what is written, and is flushed by the importer
   * @param journal has the number under which the rows are written
   * @param stationHeading of the column that names the station
   */
  constructor(
    record: RecordObservations,
    audit: WriteEvents,
    events: ImportEvents,
    journal: ImportJournal,
    stationHeading?: string,
  ) {
    this.#journal = journal;
    this.#stationHeading = stationHeading;
    this.#record = record;
    this.#audit = audit;
    this.#events = events;
  }

  /**
   * @param after the last line of an attempt before; rows up to it are passed over
   * @param station the id of the station of all rows, if there is one
   * @throws DomainError REQUEST_INVALID when a variable cannot be had in the unit of its column; nothing is written then
   */
  async run(chunks: AsyncIterable<ReadChunk>, after: number, station?: string): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const chunk of chunks) {
        await writing;
        writing = this.#write(chunk, after, station);
        // It is awaited with the next chunk. Until then a failure must not count as unhandled.
        writing.catch(() => undefined);
      }
      await writing;
    } catch (error) {
      // The failure matters more than one of the audit trail.
      await writing.catch(() => undefined);
      await this.#audit.flush().catch(() => undefined);
      throw error;
    }
    await this.#audit.flush();
  }

  async #write(chunk: ReadChunk, after: number, station: string | undefined): Promise<void> {
    const faults = chunk.faults.filter(({ line }) => line > after);
    for (const part of chunk.parts) {
      const { lines, rows } = behind(part, after);
      if (lines.length === 0) continue;
      this.counts.rows += lines.length;
      const sent = station === undefined ? rows : { ...rows, stations: station };
      for (const id of idsOf(sent)) this.stations.add(id);
      const receipt = await this.#record.execute(sent, COMMAND_LINE, {
        listed: Infinity,
        events: this.#audit,
        importNumber: await this.#journal.number(),
      });
      faults.push(...this.#count(receipt, lines, sent));
    }
    this.#report(faults);
    if (chunk.line > after) await this.#events.written(chunk.line);
    this.#chunks += 1;
    if (this.#chunks % CHUNKS_AUDITED === 0) await this.#audit.flush();
  }

  /** @returns what is told of the rows */
  #count(receipt: Receipt, lines: Float64Array, sent: SentRows): FileFault[] {
    addWritten(this.counts, receipt);
    // A line that only adds values of other variables to the row of an earlier line is a part of that row, and not counted again.
    const repetitions = receipt.repetitions.filter(({ replaces }) => replaces);
    this.counts.repeated += repetitions.length;
    this.counts.rows -= receipt.repeated - repetitions.length;
    // `#report` counts the rejected rows.
    this.counts.rows -= receipt.rejected;
    const lineOf = (row: number) => lines[row] as number;
    const faults: FileFault[] = [];
    for (const { index, first } of repetitions) {
      const problem = `has the time of line ${lineOf(first)}, whose values it replaces`;
      faults.push({ line: lineOf(index), problem, lost: 'nothing' });
    }
    for (const rejection of firstReasons(receipt.rejections)) {
      const problem = problemOf(rejection, sent);
      const isStation = rejection.reason === 'station' && this.#stationHeading !== undefined;
      const column = isStation ? this.#stationHeading : undefined;
      const line = lineOf(rejection.row);
      faults.push({ line, problem, lost: 'row', ...(column !== undefined && { column }) });
    }
    return faults;
  }

  /** Reports faults in the order of lines, and counts what is lost by them. A cell of a rejected row is not counted. */
  #report(faults: readonly FileFault[]): void {
    const rejected = new Set(faults.flatMap(({ line, lost }) => (lost === 'row' ? [line] : [])));
    this.counts.rows += rejected.size;
    this.counts.rejected += rejected.size;
    for (const fault of faults.toSorted((a, b) => a.line - b.line)) {
      if (fault.lost === 'cell' && !rejected.has(fault.line)) this.counts.cells += 1;
      this.#events.reported(fault);
    }
  }
}

function idsOf({ stations }: SentRows): Iterable<string> {
  return typeof stations === 'string' ? [stations] : (stations as readonly string[]);
}

/** The rows behind a line. */
function behind({ lines, rows }: ReadPart, after: number): ReadPart {
  const from = lines.findIndex((line) => line > after);
  if (from === 0) return { lines, rows };
  const start = from === -1 ? lines.length : from;
  return {
    lines: lines.subarray(start),
    rows: {
      ...rows,
      stations: (rows.stations as readonly string[]).slice(start),
      times: rows.times.subarray(start),
      columns: rows.columns.map((column) => ({ ...column, values: column.values.subarray(start) })),
    },
  };
}

function problemOf({ reason, text, row }: Rejection, { stations }: SentRows): string {
  if (reason === 'station') {
    const id = typeof stations === 'string' ? stations : stations[row];
    return `There is no station ${JSON.stringify(id)}.`;
  }
  return reason === 'value' ? 'has a value that is not finite' : `${reason} ${text}`;
}
