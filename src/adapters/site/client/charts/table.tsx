import { useState } from 'preact/hooks';
import type { DisplayUnit } from '../format/units.js';
import { useSite } from '../site-context.js';
import { type Drawing, isValue, shownRows } from './model/drawing.js';
import type { ShownRange } from './model/span.js';
import type { ChartFormat } from './use-format.js';

const ROWS_A_PAGE = 24;

/** The values of a chart as a table with pages. The table is rendered when the visitor opens it. */
export function ChartTable(props: {
  readonly id: string;
  readonly title: string;
  readonly drawing: Drawing;
  readonly range: ShownRange;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
}) {
  const { charts } = useSite().text;
  const [isOpen, setOpen] = useState(false);
  return (
    <details id={props.id} class="chart-table" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>{charts.table.open}</summary>
      {isOpen && <Pages {...props} />}
    </details>
  );
}

function Pages({
  title,
  drawing,
  range,
  unit,
  format,
}: {
  readonly title: string;
  readonly drawing: Drawing;
  readonly range: ShownRange;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
}) {
  const { table, sinceMidnight, range: between } = useSite().text.charts;
  const [requestedPage, setPage] = useState(0);
  const rows = shownRows(drawing);
  const pages = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE));
  const page = Math.min(requestedPage, pages - 1);
  const { times, starts, lines, daySums } = drawing;
  const timeOf = (index: number) => {
    const [start, end] = [starts?.[index], times[index] ?? 0];
    return start === undefined
      ? format.time(end, range)
      : between(format.time(start, range), format.time(end, range));
  };
  const caption = table.caption(title, between(format.time(range.from, range), format.time(range.to, range)));
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
            {rows.slice(page * ROWS_A_PAGE, (page + 1) * ROWS_A_PAGE).map((index) => (
              <tr key={index}>
                <th scope="row">{timeOf(index)}</th>
                {lines.map(({ variable, values, suspects }) => (
                  <Cell
                    key={variable}
                    value={values[index]}
                    checks={suspects.get(index)}
                    {...{ unit, format }}
                  />
                ))}
                {daySums !== undefined && (
                  <Cell value={daySums[index]} checks={undefined} {...{ unit, format }} />
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
  value,
  checks,
  unit,
  format,
}: {
  readonly value: number | null | undefined;
  readonly checks: readonly string[] | undefined;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
}) {
  const { text } = useSite();
  if (!isValue(value)) return <td>{text.value.none}</td>;
  return (
    <td>
      {format.value(value, unit)}
      {checks !== undefined && <span class="mark">{text.charts.suspect(format.checks(checks))}</span>}
    </td>
  );
}
