import { columnOf, type Pages, qualityOf } from './page-columns.js';

const timeText = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

/** CSV with a header line (RFC 4180). */
export async function* toCsv(all: Pages): AsyncGenerator<string> {
  let first = true;
  for await (const page of all) {
    const { series, variables } = page;
    if (first) yield `${['time', ...variables.map(({ name }) => name), 'quality'].join(',')}\r\n`;
    first = false;
    const columns = variables.map((variable) => columnOf(page, variable));
    for (let row = 0; row < series.times.length; row += 1) {
      const values = columns.map((column) => (Number.isNaN(column[row]) ? '' : plain(column[row] as number)));
      yield `${[timeText(series.times[row] as number), ...values, qualityOf(page, row)].join(',')}\r\n`;
    }
  }
}

/** A JSON object a line, without the fields that have no value. */
export async function* toJsonLines(all: Pages): AsyncGenerator<string> {
  for await (const page of all) {
    const columns = page.variables.map((variable) => [variable.name, columnOf(page, variable)] as const);
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

/** As JSON has it, but with the sign of -0. */
function plain(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
