import { sliceSeries } from '#domain/weather/series.js';
import { csvHeading, csvRows } from '../text/observation-text.js';
import { writePiece } from '../text/text-piece.js';
import { TextWriter } from '../text/text-writer.js';
import { pageColumnOf, type Pages, qualityOf } from './page-columns.js';

const timeText = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

/** Number of rows in each written piece. */
const ROWS = 4096;

/** CSV with a header line (RFC 4180). */
export async function* toCsv(all: Pages): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const { series, columns } of all) {
    const writer = new TextWriter();
    if (isFirst) writePiece(csvHeading(columns), writer);
    isFirst = false;
    for (let row = 0; row < series.times.length; row += ROWS) {
      const part = sliceSeries(series, row, row + ROWS);
      for (const piece of csvRows({ parts: [part], columns, format: 'iso' })) writePiece(piece, writer);
      yield writer.take();
    }
    yield writer.take();
  }
}

/** JSON lines: one object for each row, without the fields of absent values. */
export async function* toJsonLines(all: Pages): AsyncGenerator<string> {
  for await (const page of all) {
    const columns = page.columns.map((column) => [column.name, pageColumnOf(page, column)] as const);
    for (let row = 0; row < page.series.times.length; row += 1) {
      const fields = columns.flatMap(([name, column]) =>
        Number.isNaN(column[row]) ? [] : [`,${JSON.stringify(name)}:${plain(column[row] as number)}`],
      );
      const quality = qualityOf(page, row);
      const tail = quality === '' ? '' : `,"quality":${JSON.stringify(quality)}`;
      yield `{"time":"${timeText(page.series.times[row] as number)}"${fields.join('')}${tail}}\n`;
    }
  }
}

/** Writes a number as JSON does, except that -0 keeps its sign. */
function plain(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
