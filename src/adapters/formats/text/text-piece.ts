import { checksOf, type Series, verdictOf } from '#domain/weather/series.js';
import { cellConversion, type TextColumn, type TimeStyle } from './text-column.js';
import type { TextWriter } from './text-writer.js';

/**
 * A piece of a text, as data that can be sent to another thread: fixed text, a JSON column or array, or rows of CSV.
 * The pieces of a text do not depend on each other, so that different threads can write them.
 */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'times'; readonly parts: readonly Float64Array[]; readonly format: TimeStyle }
  | { readonly kind: 'values'; readonly parts: readonly Values[]; readonly column: TextColumn }
  | { readonly kind: 'quality'; readonly parts: readonly Flags[]; readonly columns: readonly TextColumn[] }
  | {
      readonly kind: 'rows';
      readonly part: Series;
      readonly columns: readonly TextColumn[];
      readonly format: TimeStyle;
      /** Written in front of each row. */
      readonly before?: string;
    };

/** Values of a column, or the number of rows if the column has no values. */
export type Values = Float64Array | number;

export interface Flags {
  /** Number of rows. */
  readonly rows: number;
  readonly flags: Series['flags'];
}

const NO_FLAGS = new Uint8Array(0);
const COMMA = 0x2c;
const QUOTE = 0x22;
/** Estimated number of bytes of a value and of a time in text, for the initial size of a buffer. */
const VALUE = 8;
const TIME = 24;

/** Estimates the number of bytes of the text of a piece. */
export function expectedBytes(piece: TextPiece): number {
  const rowsOf = (parts: readonly Values[]) =>
    parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : part.length), 0);
  switch (piece.kind) {
    case 'text':
      return piece.text.length;
    case 'times':
      return rowsOf(piece.parts) * TIME;
    case 'values':
      return rowsOf(piece.parts) * VALUE;
    case 'quality':
      return 0;
    case 'rows':
      return piece.part.times.length * ((piece.before?.length ?? 0) + TIME + piece.columns.length * VALUE);
  }
}

export function writePiece(piece: TextPiece, writer: TextWriter): void {
  switch (piece.kind) {
    case 'text':
      writer.text(piece.text);
      return;
    case 'times':
      writeTimes(piece.parts, piece.format, writer);
      return;
    case 'values':
      writeValues(piece.parts, piece.column, writer);
      return;
    case 'quality':
      writeQuality(piece.parts, piece.columns, writer);
      return;
    case 'rows':
      writeRows(piece, writer);
  }
}

function writeTimes(parts: readonly Float64Array[], format: TimeStyle, writer: TextWriter): void {
  let isFirst = true;
  for (const times of parts) {
    for (let row = 0; row < times.length; row += 1) {
      if (!isFirst) writer.character(COMMA);
      isFirst = false;
      writeTime(writer, times[row] as number, format, true);
    }
  }
}

function writeValues(parts: readonly Values[], column: TextColumn, writer: TextWriter): void {
  const convert = cellConversion(column);
  let isFirst = true;
  for (const part of parts) {
    const rows = typeof part === 'number' ? part : part.length;
    if (rows === 0) continue;
    const values = typeof part === 'number' ? new Float64Array(part).fill(Number.NaN) : part;
    if (isFirst) writer.number(converted(values[0] as number, convert), 'null');
    writer.numbers(isFirst ? values.subarray(1) : values, convert, 'null');
    isFirst = false;
  }
}

/** Writes the entries of `quality`: the values that did not pass quality control, by column and row. */
function writeQuality(parts: readonly Flags[], columns: readonly TextColumn[], writer: TextWriter): void {
  let separator = '';
  for (const { number, name: variable } of columns) {
    let before = 0;
    for (const { rows, flags } of parts) {
      const column = flags.get(number) ?? NO_FLAGS;
      for (let row = 0; row < column.length; row += 1) {
        const flag = column[row] as number;
        if (flag === 0) continue;
        const entry = { variable, index: before + row, verdict: verdictOf(flag), checks: checksOf(flag) };
        writer.text(`${separator}${JSON.stringify(entry)}`);
        separator = ',';
      }
      before += rows;
    }
  }
}

function writeRows(
  { part: { times, values, flags }, columns, format, before = '' }: TextPiece & { readonly kind: 'rows' },
  writer: TextWriter,
): void {
  const cells = columns.map((column) => ({
    name: column.name,
    convert: cellConversion(column),
    values: values.get(column.number),
    flags: flags.get(column.number),
  }));
  for (let row = 0; row < times.length; row += 1) {
    if (before !== '') writer.text(before);
    writeTime(writer, times[row] as number, format, false);
    let quality = '';
    for (const cell of cells) {
      writer.character(COMMA);
      writer.number(converted(cell.values?.[row] ?? Number.NaN, cell.convert), '');
      const flag = cell.flags?.[row] ?? 0;
      if (flag === 0) continue;
      quality += `${quality === '' ? '' : '; '}${[cell.name, verdictOf(flag), ...checksOf(flag)].join(' ')}`;
    }
    writer.text(`,${quality}\r\n`);
  }
}

function converted(value: number, convert: ((value: number) => number) | undefined): number {
  return convert === undefined ? value : convert(value);
}

function writeTime(writer: TextWriter, time: number, format: TimeStyle, isQuoted: boolean): void {
  if (format === 'unix') {
    writer.number(time / 1000, '');
    return;
  }
  if (isQuoted) writer.character(QUOTE);
  writer.time(time);
  if (isQuoted) writer.character(QUOTE);
}
