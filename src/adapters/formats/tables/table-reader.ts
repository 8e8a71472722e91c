import { quoted } from '#domain/quoted.js';
import type { FilePlan, FileRecord, FileSource, RequiredText, RowRule } from '../files/file-plan.js';
import { fileRecords } from './file-records.js';
import { type Fields, LineFields } from './line-fields.js';
import { say } from '../files/sentences.js';
import { ObservationTimes } from './observation-times.js';
import { type FileFault, type ReadChunk, ReadNotes } from './read-notes.js';
import { RowCells } from './row-cells.js';
import { RowColumns } from './row-columns.js';
import { cellText } from './row-conditions.js';
import { type ReadContext, RowTimes } from './row-times.js';
import { type Counters, RunningTotals } from './running-totals.js';

/**
 * Number of rows that are read together as one chunk. The service writes such a chunk in one transaction. It would write a larger
 * chunk in two.
 */
const CHUNK = 8192;
/** Number of records that are read to find out whether the oldest or the newest row comes first. */
const RECORDS_AHEAD = 1000;
/**
 * Number of rows at the end of a chunk (rows that are read together) that are kept for the next chunk. Rows are kept only in a
 * file with the newest row first, if it has a running total.
 *
 * The amount of a row is the rise since the reading before it in time, which is in the row below. For the last row of a chunk,
 * that reading is in the next chunk, so this row is kept. The row above is kept too: if the last row turns out to be a wrong
 * reading (see `RunningCounter`), the amount of the row above depends on the next chunk as well.
 */
const KEPT_ROWS = 2;

/**
 * Reads the rows of a file as columns, in chunks of up to 8,192 rows. The plan describes the columns and the times of the file.
 * The rows keep their order.
 */
export class TableReader {
  readonly notes = new ReadNotes();
  /** The times of day at which the daily values of the rows that were read so far were observed. */
  readonly observationTimes: ObservationTimes;
  readonly #plan: FilePlan;
  readonly #cells: RowCells;
  readonly #totals: RunningTotals;
  readonly #times: RowTimes;
  readonly #rules: readonly RowRule[];
  readonly #required: readonly RequiredText[];
  /** Reads one line after another; undefined if the layout has no lines with a delimiter. */
  readonly #lineFields: LineFields | undefined;
  #faults: FileFault[] = [];
  #line = 0;

  /** @param counters counters of the previous file, from which the running totals continue */
  constructor(plan: FilePlan, context: ReadContext, counters?: Counters) {
    this.#plan = plan;
    const { calendar, zoneOf, elevationOf = () => null } = context;
    this.#cells = new RowCells(plan, this.notes, elevationOf);
    this.#totals = new RunningTotals(
      this.#cells.totals,
      (time, id) => calendar.format(time, zoneOf(id)).slice(0, 10),
      counters,
    );
    this.#times = new RowTimes(plan, context, this.notes);
    this.observationTimes = new ObservationTimes(plan);
    this.#rules = plan.rows ?? [];
    this.#required = plan.required ?? [];
    const { layout } = plan;
    if (layout.kind === 'delimited' && /^[\0-\x7f]$/.test(layout.delimiter))
      this.#lineFields = new LineFields(layout.delimiter);
  }

  /** The line of the last record. */
  get line(): number {
    return this.#line;
  }

  /** Reads the rows of a file. @throws the error of the source; rows of an incomplete chunk before the error are not returned */
  async *chunks(source: FileSource): AsyncGenerator<ReadChunk> {
    const records = fileRecords(source, this.#plan.layout);
    const ahead: FileRecord[] = [];
    let failure: { readonly error: unknown } | undefined;
    try {
      while (ahead.length < RECORDS_AHEAD) {
        const next = await records.next();
        if (next.done === true) break;
        for (const record of next.value) ahead.push(record);
      }
    } catch (error) {
      failure = { error };
    }
    this.#times.begin(ahead);
    this.#cells.begin(this.#times.isNewestFirst);
    // A record gives at most one row, so a file that ended here needs no more rows than records.
    const capacity = ahead.length < RECORDS_AHEAD ? ahead.length : CHUNK;
    const rows = new RowColumns(this.#cells.outputs, capacity, this.#plan.time.interval !== undefined);
    yield* this.#chunks(ahead, rows);
    if (failure !== undefined) throw failure.error;
    for await (const batch of records) yield* this.#chunks(batch, rows);
    yield this.#chunk(rows, true);
  }

  *#chunks(records: readonly FileRecord[], rows: RowColumns): Generator<ReadChunk> {
    for (const record of records) {
      this.#read(record, rows);
      if (rows.length === CHUNK || this.#faults.length >= CHUNK) yield this.#chunk(rows, false);
    }
  }

  #read(record: FileRecord, rows: RowColumns): void {
    const { line, fault } = record;
    this.#line = line;
    if (fault !== undefined) return this.#reject(line, [say('line-unreadable', { fault })]);
    const lineFields = this.#fieldsOfLine(record);
    const fields: Fields = lineFields ?? record.fields;
    const { layout, time: timePlan } = this.#plan;
    const width = 'width' in layout ? layout.width : undefined;
    // A row that is skipped may have another number of fields. A row that is too short for the rule is a row of wrong width.
    for (const { at, keep, drop, reason } of this.#rules) {
      const text = cellText(fields, at);
      const isSkipped = keep?.includes(text) === false || drop?.includes(text) === true;
      if (isSkipped && (width === undefined || at < fields.length)) return this.notes.passOver(reason);
    }
    if (width !== undefined && fields.length !== width) {
      const counts = { row: quotedRow(fields), count: fields.length, expected: width };
      return this.#reject(line, [say('field-count', counts)]);
    }
    for (const { at, heading, texts, problem } of this.#required) {
      const text = cellText(fields, at);
      if (!texts.includes(text))
        return this.#reject(line, [say('text-refused', { text: quoted(text), fault: problem })], heading);
    }
    const station = this.#times.stationOf(fields);
    if (station === undefined) return this.notes.passOver('of other stations');
    const time = this.#times.next(fields, station);
    if (time === undefined) {
      return this.#reject(line, [this.#times.fault(fields, station)], timePlan.headings.join(' '));
    }
    if (this.#plan.long !== undefined && !this.#hasValue(fields, this.#plan.long)) return;
    const row = rows.add(line, station, time);
    const faults = this.#cells.read(fields, lineFields, rows, row);
    const isCounted = !this.#times.isNewestFirst && !this.#totals.isEmpty;
    const counted = isCounted ? this.#totals.count(rows, row) : [];
    if (rows.hasValue(row)) {
      this.observationTimes.read(fields, station, time);
      return this.#addFaults(faults, counted);
    }
    rows.drop();
    this.#rejectEmpty(line, fields, [...faults, ...counted]);
  }

  /** The fields of an ASCII line without quotes; undefined for another record. */
  #fieldsOfLine({ unquoted }: FileRecord): LineFields | undefined {
    const fields = this.#lineFields;
    return unquoted !== undefined && fields?.open(unquoted) === true ? fields : undefined;
  }

  #chunk(rows: RowColumns, isLast: boolean): ReadChunk {
    this.#cells.assertSettled();
    let [kept, line] = [0, this.#line];
    if (this.#times.isNewestFirst && !this.#totals.isEmpty) {
      kept = isLast ? 0 : Math.min(KEPT_ROWS, rows.length);
      if (kept > 0) line = (rows.lines[rows.length - kept] as number) - 1;
      this.#addFaults(this.#totals.countBackwards(rows, kept));
    }
    const faults = this.#faults.toSorted((a, b) => a.line - b.line);
    const chunk = { parts: rows.take(kept), faults, line };
    this.#faults = [];
    return chunk;
  }

  /**
   * Whether a row has a value of a quantity that is imported. The file has the long form, in which each row has the name and the
   * value of one quantity.
   */
  #hasValue(fields: Fields, { name }: NonNullable<FilePlan['long']>): boolean {
    const text = cellText(fields, name);
    const cell = this.#cells.cellNamed(text, fields);
    if (cell === undefined) {
      const shown = quoted(text);
      this.notes.passOver(shown, () => say('of-unmapped', { name: shown }));
      return false;
    }
    const { value, fault } = cell;
    if (!Number.isNaN(value) || fault !== undefined) return true;
    this.notes.passOver('without a value');
    return false;
  }

  #reject(line: number, reasons: FileFault['reasons'], column?: string): void {
    this.#faults.push({ line, reasons, lost: 'row', ...(column !== undefined && { column }) });
  }

  /** Rejects a row without a value. @param faults the faults of its cells */
  #rejectEmpty(line: number, fields: Fields, [first, ...others]: readonly FileFault[]): void {
    if (first !== undefined) {
      this.#reject(line, [...first.reasons, say('no-other-value', {})], first.column);
      return this.#addFaults(others.map((fault) => ({ ...fault, lost: 'nothing' })));
    }
    const level = this.#cells.levelOf(fields);
    if (level === undefined) {
      return this.#reject(line, [say('row-without-value', { row: quotedRow(fields) })]);
    }
    const reason = say('total-first', { text: quoted(level.text) });
    this.#reject(line, [reason, say('no-other-value', {})], level.heading);
  }

  #addFaults(...lists: readonly (readonly FileFault[])[]): void {
    for (const faults of lists) if (faults.length > 0) this.#faults.push(...faults);
  }
}

/** The start of a row, for messages. */
function quotedRow(fields: Fields): string {
  return quoted(Array.from({ length: fields.length }, (_, at) => fields.at(at) ?? '').join(','));
}
