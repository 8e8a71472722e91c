import { useState } from 'preact/hooks';
import type { DisplayUnit } from '../format/units.js';
import { useSite } from '../site-context.js';
import { doubt } from './describe.js';
import { type DrawnLine, hasValues, isValue, shownRows } from './model/drawing.js';
import type { ShownRange } from './model/span.js';
import type { ShownChart } from './shown-chart.js';
import type { ChartFormat } from './chart-format.js';

const ROWS_A_PAGE = 24;

/** The values of one chart as a table with pages. The visitor chooses the chart. */
export function ChartTable({
  charts: all,
  range,
  format,
}: {
  readonly charts: readonly ShownChart[];
  readonly range: ShownRange;
  readonly format: ChartFormat;
}) {
  const { charts } = useSite().text;
  const shown = all.filter(({ drawing }) => drawing !== undefined && hasValues(drawing));
  const [chosen, setChosen] = useState('');
  const chart = shown.find(({ quantity }) => quantity.id === chosen) ?? shown[0];
  if (chart === undefined) return <p class="quiet">{charts.none}</p>;
  return (
    <div class="chart-table">
      <label>
        <span>{charts.table.quantity}</span>{' '}
        <select onChange={({ currentTarget: { value } }) => setChosen(value)}>
          {shown.map(({ quantity, title }) => (
            <option key={quantity.id} value={quantity.id} selected={quantity.id === chart.quantity.id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <Pages key={chart.quantity.id} {...{ chart, range, format }} />
    </div>
  );
}

function Pages({
  chart: { title, drawing, unit, ahead },
  range,
  format,
}: {
  readonly chart: ShownChart;
  readonly range: ShownRange;
  readonly format: ChartFormat;
}) {
  const { table, sinceMidnight } = useSite().text.charts;
  const { text } = useSite();
  const [requestedPage, setPage] = useState(0);
  if (drawing === undefined) return null;
  const rows = [drawing, ...(ahead ? [ahead.drawing] : [])].flatMap((from) =>
    shownRows(from).map((index) => ({ from, index })),
  );
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const page = Math.min(requestedPage, pages - 1);
  const { lines, daySums } = drawing;
  const caption = table.caption(title, format.range(range));
  const step = (distance: number) => setPage(Math.min(pages - 1, Math.max(0, page + distance)));
  return (
    <>
      <div class="table-scroll" role="region" aria-label={caption} tabIndex={0}>
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{table.time}</th>
              {lines.map(({ variable }) => (
                <th key={variable} scope="col">
                  {format.name(variable)}
                </th>
              ))}
              {daySums !== undefined && <th scope="col">{sinceMidnight}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE).map(({ from, index }) => (
              <tr key={from.times[index]}>
                <th scope="row">
                  {format.row(from, index)}
                  {from !== drawing && `, ${text.charts.forecast}`}
                </th>
                {from.lines.map((line) => (
                  <Cell
                    key={line.variable}
                    {...{ line, index, unit, format }}
                    time={from.times[index] ?? 0}
                  />
                ))}
                {daySums !== undefined && (
                  <td>
                    {isValue(from.daySums?.[index])
                      ? format.value(from.daySums?.[index] ?? 0, unit)
                      : text.value.none}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <div class="choices">
          <button type="button" aria-disabled={page === 0} onClick={() => step(-1)}>
            {table.earlier}
          </button>
          <span role="status">{table.page(format.number(page + 1, 0), format.number(pages, 0))}</span>
          <button type="button" aria-disabled={page === pages - 1} onClick={() => step(1)}>
            {table.later}
          </button>
        </div>
      )}
    </>
  );
}

function Cell({
  line,
  index,
  time,
  unit,
  format,
}: {
  readonly line: DrawnLine;
  readonly index: number;
  readonly time: number;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
}) {
  const { text } = useSite();
  const [value, low, high] = [line.values[index], line.lows?.[index], line.highs?.[index]];
  const doubtful = line.doubtful.find((other) => other.time === time);
  if (doubtful !== undefined)
    return (
      <td>
        {format.value(doubtful.value, unit)}
        <span class="mark">{doubt(doubtful.checks, format, text.charts)}</span>
      </td>
    );
  if (!isValue(value)) return <td>{text.value.none}</td>;
  return (
    <td>
      {format.value(value, unit)}
      {isValue(low) && isValue(high) && <span class="quiet"> ({format.values(low, high, unit)})</span>}
    </td>
  );
}
