import { checksOf, type Series, verdictOf } from '../../../../domain/weather/series.js';
import { TextWriter } from '../../../formats/text/text-writer.js';

/** A column of a reply: the number of its variable, its name, and the conversion to the unit of the reply. */
export interface TextColumn {
  readonly number: number;
  readonly name: string;
  /** Of the CSV column; the name when left out. */
  readonly heading?: string;
  readonly convert: (value: number) => number;
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const NONE = new Uint8Array(0);

export type TimeFormat = 'iso' | 'unix';

/**
 * `{…, "observations": {"time": […], "air_temperature": […]}, "quality": […], …}` in pieces.
 *
 * @param field name of the object with the columns
 * @param parts the rows, in batches one after the other
 * @param before fields that come first, @param after and last
 */
export function* jsonColumns(
  field: string,
  parts: readonly Series[],
  columns: readonly TextColumn[],
  format: TimeFormat,
  before: object,
  after: object,
): Generator<Buffer> {
  const writer = new TextWriter();
  writer.text(`${JSON.stringify(before).slice(0, -1)},${JSON.stringify(field)}:{"time":[`);
  for (const [index, { times }] of parts.entries()) {
    for (let row = 0; row < times.length; row += 1) {
      if (index + row > 0) writer.character(COMMA);
      writeTime(writer, times[row] as number, format, true);
      if (writer.isFull) yield writer.take();
    }
  }
  writer.text(']');
  for (const { number, name, convert } of columns) {
    writer.text(`,${JSON.stringify(name)}:[`);
    for (const [index, { times, values }] of parts.entries()) {
      const column = values.get(number);
      for (let row = 0; row < times.length; row += 1) {
        if (index + row > 0) writer.character(COMMA);
        writer.number(column === undefined ? Number.NaN : convert(column[row] as number), 'null');
        if (writer.isFull) yield writer.take();
      }
    }
    writer.text(']');
  }
  writer.text('}');
  for (const [key, value] of Object.entries(after)) {
    writer.text(`,${JSON.stringify(key)}:`);
    if (key === 'quality') yield* quality(writer, parts, columns);
    else writer.text(JSON.stringify(value));
  }
  writer.text('}');
  yield writer.take();
}

/** Texts one after the other, in pieces that are worth sending. */
export function* inPieces(texts: Iterable<string>): Generator<Buffer> {
  const writer = new TextWriter();
  for (const text of texts) {
    writer.text(text);
    if (writer.isFull) yield writer.take();
  }
  yield writer.take();
}

function* quality(
  writer: TextWriter,
  parts: readonly Series[],
  columns: readonly TextColumn[],
): Generator<Buffer> {
  writer.text('[');
  let separator = '';
  for (const { number, name: variable } of columns) {
    let before = 0;
    for (const { times, flags } of parts) {
      const column = flags.get(number) ?? NONE;
      for (let row = 0; row < column.length; row += 1) {
        const found = column[row] as number;
        if (found === 0) continue;
        const entry = { variable, index: before + row, verdict: verdictOf(found), checks: checksOf(found) };
        writer.text(`${separator}${JSON.stringify(entry)}`);
        separator = ',';
        if (writer.isFull) yield writer.take();
      }
      before += times.length;
    }
  }
  writer.text(']');
}

/**
 * A line a row (RFC 4180); the last column has what did not pass: `wind_speed fail gross_range; …`.
 *
 * @param parts the rows, in batches one after the other
 */
export function* csvRows(
  parts: readonly Series[],
  columns: readonly TextColumn[],
  format: TimeFormat,
): Generator<Buffer> {
  const writer = new TextWriter();
  writer.text(`${['time', ...columns.map(({ name, heading = name }) => heading), 'quality'].join(',')}\r\n`);
  for (const { times, values, flags } of parts) {
    const cells = columns.map((column) => ({
      ...column,
      values: values.get(column.number),
      flags: flags.get(column.number),
    }));
    for (let row = 0; row < times.length; row += 1) {
      writeTime(writer, times[row] as number, format, false);
      const found: string[] = [];
      for (const cell of cells) {
        writer.character(COMMA);
        if (cell.values !== undefined) writer.number(cell.convert(cell.values[row] as number), '');
        const flag = cell.flags?.[row] ?? 0;
        if (flag !== 0) found.push([cell.name, verdictOf(flag), ...checksOf(flag)].join(' '));
      }
      writer.text(found.length === 0 ? ',\r\n' : `,${found.join('; ')}\r\n`);
      if (writer.isFull) yield writer.take();
    }
  }
  yield writer.take();
}

function writeTime(writer: TextWriter, time: number, format: TimeFormat, isQuoted: boolean): void {
  if (format === 'unix') {
    writer.number(time / 1000, '');
    return;
  }
  if (isQuoted) writer.character(QUOTE);
  writer.time(time);
  if (isQuoted) writer.character(QUOTE);
}
