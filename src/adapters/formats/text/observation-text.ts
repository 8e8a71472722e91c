import type { Series } from '../../../domain/weather/series.js';
import type { TextColumn, TimeFormat } from './text-column.js';
import type { TextPiece } from './text-piece.js';

/** Rows of one station, oldest first, to be written as text. */
export interface TextRows {
  /** Consecutive pieces of the rows. */
  readonly parts: readonly Series[];
  readonly columns: readonly TextColumn[];
  readonly format: TimeFormat;
}

/**
 * `{…, "observations": {"time": […], "air_temperature": […]}, "quality": […], …}`. Where `after` has `quality`, that array is
 * filled with the values that did not pass.
 *
 * @param field name of the object with the columns
 * @param before fields that come first, @param after fields that come last
 */
export function* jsonColumns(
  field: string,
  { parts, columns, format }: TextRows,
  before: object,
  after: object,
): Generator<TextPiece> {
  // Known from the beginning: a column that has been handed to another thread has no length any more.
  const rows = parts.map(({ times }) => times.length);
  yield text(`${JSON.stringify(before).slice(0, -1)},${JSON.stringify(field)}:{"time":[`);
  yield { kind: 'times', parts: parts.map(({ times }) => times), format };
  for (const column of columns) {
    yield text(`],${JSON.stringify(column.name)}:[`);
    const values = parts.map((part, index) => part.values.get(column.number) ?? (rows[index] as number));
    yield { kind: 'values', parts: values, column };
  }
  yield text(']}');
  for (const [key, value] of Object.entries(after)) {
    const isQuality = key === 'quality';
    yield text(`,${JSON.stringify(key)}:${isQuality ? '[' : JSON.stringify(value)}`);
    if (!isQuality) continue;
    const found = parts.map(({ flags }, index) => ({ rows: rows[index] as number, flags }));
    yield { kind: 'quality', parts: found, columns };
    yield text(']');
  }
  yield text('}');
}

/** The first line of CSV (RFC 4180). */
export function csvHeading(columns: readonly TextColumn[]): TextPiece {
  const headings = ['time', ...columns.map(({ name, heading = name }) => heading), 'quality'];
  return text(`${headings.join(',')}\r\n`);
}

/** The lines after it. Their last column has what did not pass: `wind_speed fail gross_range; …`. */
export function* csvRows({ parts, columns, format }: TextRows): Generator<TextPiece> {
  for (const part of parts) yield { kind: 'rows', part, columns, format };
}

function text(content: string): TextPiece {
  return { kind: 'text', text: content };
}
