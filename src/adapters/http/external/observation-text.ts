import { Readable } from 'node:stream';
import { checksOf, type Series, verdictOf } from '../../../domain/observations.js';
import { TextWriter } from '../text-writer.js';

/** A column of a reply: its name, its values, and what has become of its unit. */
export interface TextColumn {
  readonly name: string;
  /** Of the CSV column; the name when left out. */
  readonly heading?: string;
  readonly values: Float64Array;
  readonly flags: Uint8Array | undefined;
  readonly convert: (value: number) => number;
}

const COMMA = 0x2c;
const QUOTE = 0x22;

export type TimeFormat = 'iso' | 'unix';

export function columnsOf(
  { values, flags }: Series,
  variables: readonly (Pick<TextColumn, 'name' | 'heading' | 'convert'> & { readonly number: number })[],
  rows: number,
): TextColumn[] {
  return variables.map(({ number, ...column }) => ({
    ...column,
    values: values.get(number) ?? new Float64Array(rows).fill(Number.NaN),
    flags: flags.get(number),
  }));
}

/**
 * `{…, "observations": {"time": […], "air_temperature": […]}, "quality": […], …}` in pieces, one after the other as the
 * client takes them.
 *
 * @param field name of the object with the columns
 * @param before fields that come first, @param after and last
 */
export function jsonColumns(
  field: string,
  times: Float64Array,
  columns: readonly TextColumn[],
  format: TimeFormat,
  before: object,
  after: object,
): Readable {
  return Readable.from(pieces(), { objectMode: false });

  function* pieces(): Generator<Buffer> {
    const writer = new TextWriter();
    writer.text(`${JSON.stringify(before).slice(0, -1)},${JSON.stringify(field)}:{"time":[`);
    for (let row = 0; row < times.length; row += 1) {
      if (row > 0) writer.character(COMMA);
      writeTime(writer, times[row] as number, format, true);
      if (writer.isFull) yield writer.take();
    }
    writer.text(']');
    for (const { name, values, convert } of columns) {
      writer.text(`,${JSON.stringify(name)}:[`);
      for (let row = 0; row < values.length; row += 1) {
        if (row > 0) writer.character(COMMA);
        writer.number(convert(values[row] as number), 'null');
        if (writer.isFull) yield writer.take();
      }
      writer.text(']');
    }
    writer.text('}');
    for (const [key, value] of Object.entries(after)) {
      writer.text(`,${JSON.stringify(key)}:`);
      if (key === 'quality') yield* quality(writer, columns);
      else writer.text(JSON.stringify(value));
    }
    writer.text('}');
    yield writer.take();
  }
}

/** Texts one after the other, in pieces that are worth sending. */
export function inPieces(texts: Iterable<string>): Readable {
  return Readable.from(pieces(), { objectMode: false });

  function* pieces(): Generator<Buffer> {
    const writer = new TextWriter();
    for (const text of texts) {
      writer.text(text);
      if (writer.isFull) yield writer.take();
    }
    yield writer.take();
  }
}

function* quality(writer: TextWriter, columns: readonly TextColumn[]): Generator<Buffer> {
  writer.text('[');
  let first = true;
  for (const { name: variable, flags } of columns) {
    for (const [index, found] of flags?.entries() ?? []) {
      if (found === 0) continue;
      const entry = { variable, index, verdict: verdictOf(found), checks: checksOf(found) };
      writer.text(`${first ? '' : ','}${JSON.stringify(entry)}`);
      first = false;
      if (writer.isFull) yield writer.take();
    }
  }
  writer.text(']');
}

/** A line a row (RFC 4180); the last column has what did not pass: `wind_speed fail gross_range; …`. */
export function csvRows(times: Float64Array, columns: readonly TextColumn[], format: TimeFormat): Readable {
  return Readable.from(pieces(), { objectMode: false });

  function* pieces(): Generator<Buffer> {
    const writer = new TextWriter();
    writer.text(
      `${['time', ...columns.map(({ name, heading = name }) => heading), 'quality'].join(',')}\r\n`,
    );
    for (let row = 0; row < times.length; row += 1) {
      writeTime(writer, times[row] as number, format, false);
      const found: string[] = [];
      for (let index = 0; index < columns.length; index += 1) {
        const { name, values, flags, convert } = columns[index] as TextColumn;
        writer.character(COMMA);
        writer.number(convert(values[row] as number), '');
        if (flags === undefined || flags[row] === 0) continue;
        const flag = flags[row] as number;
        found.push([name, verdictOf(flag), ...checksOf(flag)].join(' '));
      }
      writer.text(found.length === 0 ? ',\r\n' : `,${found.join('; ')}\r\n`);
      if (writer.isFull) yield writer.take();
    }
    yield writer.take();
  }
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
