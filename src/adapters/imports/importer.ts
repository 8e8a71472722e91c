import type { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { firstReasons, type Rejection } from '#application/observations/ingest/rejection.js';
import type { Receipt } from '#application/observations/ingest/row-writes.js';
import type { KeepSourceFlags } from '#application/observations/source-flags/keep-source-flags.js';
import type { WriteEvents } from '#application/observations/ingest/write-events.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import { addWritten } from '#domain/weather/merge-series.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
// An import writes chunks, which are up to 8,192 rows each. With this module, V8 frees the memory of the columns of a chunk soon
// after the chunk is written.
import '#adapters/formats/garbage.js';
import { say } from '#adapters/formats/files/sentences.js';
import type { FaultReason, FileFault, ReadChunk } from '#adapters/formats/tables/read-notes.js';
import type { ReadPart } from '#adapters/formats/tables/row-columns.js';
import type { ImportJournal } from './import-journals.js';

/**
 * Number of chunks (up to 8,192 rows each) between two flushes of the audit trail. After a crash, the audit trail lacks the
 * writes of at most this number of chunks.
 */
const CHUNKS_AUDITED = 100;

export interface ImportCounts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  /** Number of rows with the same station and time as an earlier row of the same chunk (see `Importer`). */
  repeated: number;
  rejected: number;
  /** Number of cells that could not be read, in imported rows. */
  cells: number;
}

interface ImportEvents {
  /** Called for each row or cell that was not imported, or was imported with a change. */
  reported(fault: FileFault): void;
  /** Called with the number of stored values that failed a check of their source. */
  failed(values: number): void;
  /** Called when all rows up to this line are stored. */
  written(line: number): Promise<void>;
}

/**
 * Writes the rows of a file in their order. The rows arrive in chunks of up to 8,192 rows. A chunk is read while the previous
 * chunk is written.
 */
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
  /** Ids of the stations of the rows. */
  readonly stations = new Set<string>();
  readonly #record: RecordObservations;
  readonly #keepFlags: KeepSourceFlags;
  readonly #events: ImportEvents;
  readonly #audit: WriteEvents;
  readonly #journal: Pick<ImportJournal, 'number'>;
  readonly #caller: Caller;
  readonly #stationHeading: string | undefined;
  #chunks = 0;

  /**
   * @param audit counts the writes of each station for the audit trail; the importer calls its `flush`
   * @param journal provides the number of the import, under which the rows are written
   * @param caller who imports
   * @param stationHeading heading of the column that names the station
   */
  constructor(
    record: RecordObservations,
    keepFlags: KeepSourceFlags,
    audit: WriteEvents,
    events: ImportEvents,
    journal: Pick<ImportJournal, 'number'>,
    caller: Caller,
    stationHeading?: string,
  ) {
    this.#caller = caller;
    this.#journal = journal;
    this.#stationHeading = stationHeading;
    this.#record = record;
    this.#keepFlags = keepFlags;
    this.#audit = audit;
    this.#events = events;
  }

  /**
   * Writes all rows of a file.
   *
   * @param chunks the rows of the file, up to 8,192 in each chunk
   * @param after the last line of an interrupted import; rows up to this line are skipped
   * @param station the id of the station, if all rows belong to one station
   * @throws DomainError REQUEST_INVALID if a variable does not have the unit of its column; nothing is written then
   */
  async run(chunks: AsyncIterable<ReadChunk>, after: number, station?: string): Promise<void> {
    let writing: Promise<void> = Promise.resolve();
    try {
      for await (const chunk of chunks) {
        await writing;
        writing = this.#write(chunk, after, station);
        // The promise is awaited before the next chunk is written. Until then a failure must not count as unhandled.
        writing.catch(() => undefined);
      }
      await writing;
    } catch (error) {
      // Errors of the last write and of the audit trail are ignored, because the caught error is their cause or is more
      // important.
      await writing.catch(() => undefined);
      await this.#audit.flush().catch(() => undefined);
      throw error;
    }
    await this.#audit.flush();
  }

  async #write(chunk: ReadChunk, after: number, station: string | undefined): Promise<void> {
    const faults = chunk.faults.filter(({ line }) => line > after);
    for (const part of chunk.parts) {
      const { lines, rows } = rowsAfter(part, after);
      if (lines.length === 0) continue;
      this.counts.rows += lines.length;
      const sent = station === undefined ? rows : { ...rows, stations: station };
      for (const id of idsOf(sent)) this.stations.add(id);
      const importNumber = await this.#journal.number();
      const receipt = await this.#record.execute(sent, this.#caller, {
        listed: Infinity,
        events: this.#audit,
        importNumber,
      });
      const rejected = new Set(receipt.rejections.map(({ row }) => row));
      this.#events.failed(await this.#keepFlags.execute(importNumber, { rows: sent, rejected }));
      faults.push(...this.#count(receipt, lines, sent));
    }
    this.#report(faults);
    if (chunk.line > after) await this.#events.written(chunk.line);
    this.#chunks += 1;
    if (this.#chunks % CHUNKS_AUDITED === 0) await this.#audit.flush();
  }

  /** Counts the inserted, updated, unchanged and repeated rows. @returns a fault for each repeated or rejected row */
  #count(receipt: Receipt, lines: Float64Array, sent: SentRows): FileFault[] {
    addWritten(this.counts, receipt);
    // A line that only adds other variables to the row of an earlier line is part of that row, and is not counted again.
    const repetitions = receipt.repetitions.filter(({ replaces }) => replaces);
    this.counts.repeated += repetitions.length;
    this.counts.rows -= receipt.repeated - repetitions.length;
    // `counts.rows` must count each row once. `#write` has already counted the rejected rows, and `#report` counts all rejected
    // rows of the chunk again. The rejected rows are therefore subtracted here.
    this.counts.rows -= receipt.rejected;
    const lineOf = (row: number) => lines[row] as number;
    const faults: FileFault[] = [];
    for (const { index, first } of repetitions) {
      const reason = say('row-repeated', { line: lineOf(first) });
      faults.push({ line: lineOf(index), reasons: [reason], lost: 'nothing' });
    }
    for (const rejection of firstReasons(receipt.rejections)) {
      const reasons = [reasonOf(rejection, sent)] as const;
      const isStation = rejection.reason === 'station' && this.#stationHeading !== undefined;
      const column = isStation ? this.#stationHeading : undefined;
      const line = lineOf(rejection.row);
      faults.push({ line, reasons, lost: 'row', ...(column !== undefined && { column }) });
    }
    return faults;
  }

  /** Reports faults in the order of lines, and counts the lost rows and cells. Cells of rejected rows are not counted. */
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

/** The rows that come from lines after a given line. */
function rowsAfter({ lines, rows }: ReadPart, after: number): ReadPart {
  const from = lines.findIndex((line) => line > after);
  if (from === 0) return { lines, rows };
  const start = from === -1 ? lines.length : from;
  return {
    lines: lines.subarray(start),
    rows: {
      ...rows,
      stations: (rows.stations as readonly string[]).slice(start),
      times: rows.times.subarray(start),
      columns: rows.columns.map(({ flags, ...column }) => ({
        ...column,
        values: column.values.subarray(start),
        ...(flags && { flags: flags.slice(start) }),
      })),
    },
  };
}

function reasonOf({ reason, text, row }: Rejection, { stations }: SentRows): FaultReason {
  if (reason === 'station') {
    const id = typeof stations === 'string' ? stations : stations[row];
    return say('station-unknown', { id: JSON.stringify(id) });
  }
  if (reason === 'value')
    return say('row-refused', { part: 'has', fault: 'a value that is not a finite number' });
  return say('row-refused', { part: reason, fault: text });
}
