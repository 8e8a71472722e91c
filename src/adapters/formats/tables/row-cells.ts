import { quoted } from '#domain/quoted.js';
import {
  areEqualPressuresWrong,
  SEA_LEVEL_PRESSURE,
  SURFACE_PRESSURE,
} from '#domain/weather/console-pressure.js';
import { traceVariableOf, variableNamed } from '#domain/weather/variables.js';
import type { ColumnPlan, CounterColumn, FilePlan, PlannedColumn } from '../files/file-plan.js';
import { wordOf } from '../files/questions.js';
import { FileRefusal, say } from '../files/sentences.js';
import { RunningTest } from '../files/running-test.js';
import { type Cell, CellReader } from './cell-reader.js';
import { FlagReader } from './flag-reader.js';
import type { Fields, LineFields } from './line-fields.js';
import type { FileFault, ReadNotes } from './read-notes.js';
import type { OutputColumn, RowColumns } from './row-columns.js';
import { cellText, isMet } from './row-conditions.js';

interface Column {
  readonly plan: PlannedColumn | CounterColumn;
  readonly cells: CellReader;
  /** Index among the output columns. */
  readonly output: number;
  /** Index of the output column that marks traces (amounts too small to be measured); -1 if there is none. */
  readonly traces: number;
  /** Reads the flags of the values; undefined if the file has none. */
  readonly flags: FlagReader | undefined;
  readonly isUnsure: boolean;
  test: RunningTest | undefined;
}

const NONE: readonly FileFault[] = [];

/** Reads the cells of rows into columns. */
export class RowCells {
  readonly outputs: OutputColumn[] = [];
  readonly #columns: readonly Column[];
  readonly #notes: ReadNotes;
  readonly #elevationOf: (station: string) => number | null;
  /**
   * Pairs of output columns: the pressure at the station, and the pressure at mean sea level in the same unit. Empty for files
   * that do not come from a console.
   *
   * A console is a device in which a person sets the pressure at mean sea level. If both pressures of a row are equal at a
   * station well above sea level, nobody has set it. The value of the pressure at mean sea level is then left out.
   */
  readonly #pressures: readonly (readonly [surface: number, seaLevel: number])[];

  constructor(plan: FilePlan, notes: ReadNotes, elevationOf: (station: string) => number | null) {
    this.#notes = notes;
    this.#elevationOf = elevationOf;
    this.#columns = plan.columns.flatMap((column) =>
      column.kind === 'left out' ? [] : [this.#columnOf(column, plan)],
    );
    this.#pressures = plan.isConsole === true ? pressuresOf(this.outputs) : [];
  }

  /** The running totals, each with the index of its output column. */
  get totals(): readonly { readonly plan: CounterColumn; readonly output: number }[] {
    return this.#columns.flatMap(({ plan, output }) => (plan.kind === 'counter' ? [{ plan, output }] : []));
  }

  /** Prepares for the rows of a new file. */
  begin(isNewestFirst: boolean): void {
    for (const column of this.#columns) if (column.isUnsure) column.test = new RunningTest(isNewestFirst);
  }

  /**
   * Reads the cells of a row into columns. The row has been added to `rows`.
   *
   * @param lineFields the same fields as `fields`, if the record is an ASCII line without quotes
   * @throws DomainError REQUEST_INVALID if the values of a column look like a running total, and the user has not said whether
   *   they are amounts or a running total
   */
  read(
    fields: Fields,
    lineFields: LineFields | undefined,
    rows: RowColumns,
    row: number,
  ): readonly FileFault[] {
    const line = rows.lines[row] as number;
    let faults: FileFault[] | undefined;
    for (const { plan, cells, output, traces, flags, test } of this.#columns) {
      const { at, when } = plan;
      if (when !== undefined && !isMet(when, fields)) continue;
      const cell =
        lineFields === undefined ? cells.read(cellText(fields, at)) : cells.readField(lineFields, at);
      const { value, fault, annotation } = cell;
      if (fault !== undefined) {
        const reason = say(fault, { text: quoted(cellText(fields, at)) });
        (faults ??= []).push({ line, column: plan.heading, reasons: [reason], lost: 'cell' });
      } else if (annotation !== undefined) {
        const isWord = annotation === cellText(fields, at);
        const word = cell.isTrace ? 'trace' : value;
        this.#notes.annotate(plan.heading, annotation, isWord ? word : undefined);
      }
      if (test?.next(value) === true) {
        const { heading } = plan;
        throw new FileRefusal([
          say('total-likely', { line, column: quoted(heading), word: wordOf(heading) }),
        ]);
      }
      if (Number.isNaN(value)) continue;
      (rows.values[output] as Float64Array)[row] = value;
      const isMarked = traces !== -1 && isTrace(plan, cell, fields);
      if (isMarked) (rows.values[traces] as Float64Array)[row] = 1;
      const [ofValues, ofTraces] = [rows.flags[output], isMarked ? rows.flags[traces] : undefined];
      if (ofValues === undefined) continue;
      const flag = flags?.read(fields);
      ofValues[row] = flag;
      const failure = flag?.failure ?? null;
      // The flags are of the amount. A trace that failed a check is as wrong as its amount.
      if (ofTraces !== undefined && failure !== null) ofTraces[row] = { text: '', failure };
    }
    if (this.#pressures.length > 0) this.#leaveOutPressure(rows, row);
    return faults ?? NONE;
  }

  /**
   * Checks the columns for which the user has not said whether their values are amounts or a running total.
   *
   * @throws DomainError REQUEST_INVALID if the values read so far may be either of the two, and this changes what is stored. For
   *   the values 1 and 1.2, the second row has 1.2 as an amount, but 0.2 as a running total.
   */
  assertSettled(): void {
    const open = this.#columns.find(({ test }) => test?.isOpen === true);
    if (open === undefined) return;
    const { heading } = open.plan;
    throw new FileRefusal([say('total-possible', { column: quoted(heading), word: wordOf(heading) })]);
  }

  /**
   * Reads the cell of a row in a file of the long form, in which each row has the name and the value of one quantity. Returns
   * undefined if no column has the name.
   */
  cellNamed(name: string, fields: Fields): Cell | undefined {
    const column = this.#columns.find(({ plan: { heading } }) => heading === name);
    return column?.cells.read(cellText(fields, column.plan.at));
  }

  /** Finds the first running total that has a reading in the row. @returns the heading of its column and the text of the reading */
  levelOf(fields: Fields): { readonly heading: string; readonly text: string } | undefined {
    for (const { plan } of this.#columns) {
      const text = cellText(fields, plan.at);
      const isRead = plan.when === undefined || isMet(plan.when, fields);
      if (plan.kind === 'counter' && isRead && text !== '') return { heading: plan.heading, text };
    }
    return undefined;
  }

  #columnOf(plan: Exclude<ColumnPlan, { kind: 'left out' }>, { missing, decimal }: FilePlan): Column {
    const { variable, unit, readAs } = plan;
    const flags = FlagReader.of(plan);
    const output = this.#outputOf(variable, readAs?.unit ?? unit, flags !== undefined);
    const { traces: texts = plan.traceWhen } = plan;
    const trace = texts && traceVariableOf(variableNamed(variable)?.number ?? 0);
    const traces =
      trace === undefined ? -1 : this.#outputOf(trace.name, trace.unit, plan.failed !== undefined);
    const cells = new CellReader(plan, missing ?? [], decimal ?? '.');
    const isUnsure = plan.kind === 'value' && plan.isUnsure === true;
    return { plan, cells, output, traces, flags, isUnsure, test: undefined };
  }

  #outputOf(variable: string, unit: string, isFlagged: boolean): number {
    const known = this.outputs.find((column) => column.variable === variable && column.unit === unit);
    if (known === undefined) return this.outputs.push({ variable, unit, isFlagged }) - 1;
    known.isFlagged ||= isFlagged;
    return this.outputs.indexOf(known);
  }

  #leaveOutPressure(rows: RowColumns, row: number): void {
    for (const [surface, seaLevel] of this.#pressures) {
      const values = rows.values[seaLevel] as Float64Array;
      if (values[row] !== rows.values[surface]?.[row]) continue;
      if (!areEqualPressuresWrong(this.#elevationOf(rows.stations[row] as string))) continue;
      values[row] = Number.NaN;
      this.#notes.uncalibrated += 1;
    }
  }
}

function isTrace({ traceWhen }: Column['plan'], { isTrace: isText, value }: Cell, fields: Fields): boolean {
  return isText || (value === 0 && traceWhen !== undefined && isMet(traceWhen, fields));
}

function pressuresOf(outputs: readonly OutputColumn[]): [number, number][] {
  return outputs.flatMap(({ variable, unit }, surface) => {
    if (variable !== SURFACE_PRESSURE) return [];
    const seaLevel = outputs.findIndex(
      (other) => other.variable === SEA_LEVEL_PRESSURE && other.unit === unit,
    );
    return seaLevel === -1 ? [] : [[surface, seaLevel]];
  });
}
