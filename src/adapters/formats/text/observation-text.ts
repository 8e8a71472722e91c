import type { Series } from '#domain/weather/series.js';
import type { TextColumn, TimeStyle } from './text-column.js';
import type { TextPiece } from './text-piece.js';

/** Rows of one station in order of time, and how they are written as text. */
export interface TextRows {
  /** Consecutive pieces of the rows. */
  readonly parts: readonly Series[];
  readonly columns: readonly TextColumn[];
  readonly format: TimeStyle;
}

/**
 * Writes `{…, "observations": {"time": […], "air_temperature": […]}, "quality": […], …}`. If `after` has a field
 * `quality`, its array is filled with the flags of the values that did not pass quality control.
 *
 * @param field name of the object with the columns
 * @param before fields in front of that object
 * @param after fields behind that object
 */
export function* jsonColumns(
  field: string,
  { parts, columns, format }: TextRows,
  before: object,
  after: object,
): Generator<TextPiece> {
  // The rows are counted first, because a column has the length 0 after its transfer to another thread.
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
    const flags = parts.map((part, index) => ({ rows: rows[index] as number, flags: part.flags }));
    yield { kind: 'quality', parts: flags, columns };
    yield text(']');
  }
  yield text('}');
}

/** Writes the heading, the first line of CSV (RFC 4180). @param before headings of columns in front of the time */
export function csvHeading(columns: readonly TextColumn[], before: readonly string[] = []): TextPiece {
  const headings = [...before, 'time', ...columns.map(({ name, heading = name }) => heading), 'quality'];
  return text(`${headings.join(',')}\r\n`);
}

/**
 * Writes the rows as CSV. The last column lists the values that did not pass quality control: `wind_speed fail gross_range; …`.
 *
 * @param before text in front of each row
 */
export function* csvRows({ parts, columns, format }: TextRows, before = ''): Generator<TextPiece> {
  for (const part of parts) yield { kind: 'rows', part, columns, format, before };
}

function text(content: string): TextPiece {
  return { kind: 'text', text: content };
}
