import { DomainError } from '../../../domain/domain-error.js';
import { quoted } from '../../../domain/quoted.js';
import { KINDS, optionFor } from '../files/questions.js';
import { RunningTest } from '../files/running-test.js';
import { CellReader } from './cells.js';
import type {
  ColumnPlan,
  Condition,
  CounterColumn,
  FilePlan,
  FileRecord,
  FileSource,
  RowRule,
  ValueColumn,
} from '../files/file-plan.js';
import { fileRecords } from './file-records.js';
import { type Fields, LineFields } from './line-fields.js';
import { type FileFault, type ReadChunk, ReadNotes } from './read-notes.js';
import { type OutputColumn, RowColumns } from './row-columns.js';
import { type ReadContext, RowTimes } from './row-times.js';
import { type Counters, RunningTotals } from './running-totals.js';

/** Rows of a chunk. They are what the service commits at once; a larger chunk would be two commits. */
const CHUNK = 8192;
/** Records that are read to find out whether a file begins with the oldest or the newest row. */
const RECORDS_AHEAD = 1000;
/** Rows that wait for the next chunk where amounts are counted backwards: the first has no row before it, the second may be a fault of one reading. */
const HELD = 2;

interface Column {
  readonly plan: ValueColumn | CounterColumn;
  readonly cells: CellReader;
  /** Index among the output columns. */
  readonly output: number;
  readonly test: RunningTest | undefined;
}

/** Reads the rows of a file by a plan, in chunks of columns. Rows keep their order. */
export class TableReader {
  readonly notes = new ReadNotes();
  readonly #plan: FilePlan;
  readonly #columns: readonly Column[];
  readonly #totals: RunningTotals;
  readonly #outputs: OutputColumn[] = [];
  readonly #times: RowTimes;
  readonly #rules: readonly RowRule[];
  /** Used for one line after the other; undefined where the layout has other records. */
  readonly #lineFields: LineFields | undefined;
  #faults: FileFault[] = [];
  #line = 0;

  /** @param counters of the file before: running totals go on from it */
  constructor(plan: FilePlan, context: ReadContext, counters?: Counters) {
    this.#plan = plan;
    this.#columns = plan.columns.flatMap((column) =>
      column.kind === 'left out' ? [] : [this.#columnOf(column)],
    );
    const totals = this.#columns.flatMap(({ plan: column, output }) =>
      column.kind === 'counter' ? [{ plan: column, output }] : [],
    );
    const { calendar, zoneOf } = context;
    this.#totals = new RunningTotals(
      totals,
      (time, id) => calendar.format(time, zoneOf(id)).slice(0, 10),
      counters,
    );
    this.#times = new RowTimes(plan, context, this.notes);
    this.#rules = plan.rows ?? [];
    const { layout } = plan;
    if (layout.kind === 'delimited' && /^[\0-\x7f]$/.test(layout.delimiter))
      this.#lineFields = new LineFields(layout.delimiter);
  }

  /** The line of the last record that was read. */
  get line(): number {
    return this.#line;
  }

  /** @throws what reading the source throws; rows that fill no chunk before it are not given */
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
    const rows = new RowColumns(this.#outputs, CHUNK);
    yield* this.#chunks(ahead, rows);
    if (failure !== undefined) throw failure.error;
    for await (const batch of records) yield* this.#chunks(batch, rows);
    yield this.#chunk(rows, true);
  }

  *#chunks(records: readonly FileRecord[], rows: RowColumns): Generator<ReadChunk> {
    for (const record of records) {
      this.#read(record, rows);
      if (rows.length === CHUNK) yield this.#chunk(rows, false);
    }
  }

  #columnOf(plan: Exclude<ColumnPlan, { kind: 'left out' }>): Column {
    const { variable, unit } = plan;
    let output = this.#outputs.findIndex((column) => column.variable === variable && column.unit === unit);
    if (output === -1) output = this.#outputs.push({ variable, unit }) - 1;
    const cells = new CellReader(plan, this.#plan.missing ?? [], this.#plan.decimal ?? '.');
    const test = plan.kind === 'value' && plan.isUnsure === true ? new RunningTest() : undefined;
    return { plan, cells, output, test };
  }

  #read(record: FileRecord, rows: RowColumns): void {
    const { line, fault } = record;
    this.#line = line;
    if (fault !== undefined) return this.#reject(line, fault);
    const lineFields = this.#fieldsOfLine(record);
    const fields: Fields = lineFields ?? record.fields;
    const { layout, time: timePlan } = this.#plan;
    const width = 'width' in layout ? layout.width : undefined;
    if (width !== undefined && fields.length !== width) {
      return this.#reject(line, `has ${fields.length} fields and not ${width}`);
    }
    for (const { at, keep, drop, reason } of this.#rules) {
      const text = textAt(fields, at);
      if (keep?.includes(text) === false || drop?.includes(text) === true) {
        return this.notes.passOver(reason);
      }
    }
    const station = this.#times.stationOf(fields);
    if (station === undefined) return this.notes.passOver('of other stations');
    const time = this.#times.next(fields, station);
    if (time === undefined) {
      return this.#reject(line, this.#times.fault(fields, station), timePlan.headings.join(' '));
    }
    if (this.#plan.long !== undefined && !this.#hasValue(fields, this.#plan.long)) return;
    const row = rows.add(line, station, time);
    for (const { plan, cells, output, test } of this.#columns) {
      const { at, when } = plan;
      if (when !== undefined && !holds(when, fields)) continue;
      const cell =
        lineFields === undefined ? cells.read(textAt(fields, at)) : cells.readField(lineFields, at);
      const { value, fault: unreadable, mark } = cell;
      if (unreadable !== undefined) {
        const problem = `${quoted(textAt(fields, at))} ${unreadable}`;
        this.#addFaults([{ line, column: plan.heading, problem, isRow: false }]);
      } else if (mark !== undefined) this.notes.mark(plan.heading, mark);
      if (test?.next(value) === true) throw runningTotal(plan.heading, line);
      if (!Number.isNaN(value)) (rows.values[output] as Float64Array)[row] = value;
    }
    if (!this.#times.isNewestFirst && !this.#totals.isEmpty) this.#addFaults(this.#totals.count(rows, row));
  }

  /** The fields of an ASCII line without quotes; undefined for another record. */
  #fieldsOfLine({ unquoted }: FileRecord): LineFields | undefined {
    const fields = this.#lineFields;
    return unquoted !== undefined && fields?.open(unquoted) === true ? fields : undefined;
  }

  #chunk(rows: RowColumns, isLast: boolean): ReadChunk {
    let [kept, line] = [0, this.#line];
    if (this.#times.isNewestFirst && !this.#totals.isEmpty) {
      kept = isLast ? 0 : HELD;
      if (!isLast) line = rows.lines[rows.length - kept - 1] as number;
      this.#addFaults(this.#totals.countBackwards(rows, kept));
    }
    const faults = this.#faults.toSorted((a, b) => a.line - b.line);
    const chunk = { parts: rows.take(kept), faults, line };
    this.#faults = [];
    return chunk;
  }

  /** Whether a row of the long form has a value that is wanted. */
  #hasValue(fields: Fields, { name }: NonNullable<FilePlan['long']>): boolean {
    const text = textAt(fields, name);
    const column = this.#columns.find(({ plan: { heading } }) => heading === text);
    if (column === undefined) {
      this.notes.passOver(`of ${quoted(text)}, which --map does not name`);
      return false;
    }
    const { value, fault } = column.cells.read(textAt(fields, column.plan.at));
    if (!Number.isNaN(value) || fault !== undefined) return true;
    this.notes.passOver('without a value');
    return false;
  }

  #reject(line: number, problem: string, column?: string): void {
    this.#faults.push({ line, problem, isRow: true, ...(column !== undefined && { column }) });
  }

  /** Of cells. */
  #addFaults(faults: readonly FileFault[]): void {
    this.notes.cells += faults.length;
    this.#faults.push(...faults);
  }
}

function runningTotal(heading: string, line: number): DomainError {
  const [total, amounts] = KINDS.toReversed().map((kind) => optionFor(`kind:${heading}`, kind));
  const text = `Up to line ${line} the column ${JSON.stringify(heading)} looks like a running total: ${total} takes the differences between rows, and ${amounts} takes the values as amounts.`;
  return new DomainError('REQUEST_INVALID', text);
}

function textAt(fields: Fields, at: number): string {
  return fields.at(at)?.trim() ?? '';
}

function holds(when: Condition, fields: Fields): boolean {
  const text = textAt(fields, when.at);
  return 'texts' in when ? when.texts.includes(text) : !when.not.includes(text);
}
