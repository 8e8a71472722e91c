import type { ComponentChildren } from 'preact';
import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { type Statistic, statistic, type Statistics } from './climate-reply.js';
import { useElements } from './use-elements.js';

/** The columns: for each element, its key in the reply and its name in the table. */
type Columns = readonly (readonly [element: string, name: string])[];

export interface Row {
  readonly head: ComponentChildren;
  readonly key: string;
  /** Statistics of the period of this row. They come from several replies, and each reply contains other elements. */
  readonly statistics: readonly (Statistics | undefined)[];
  /** Content of the last column. */
  readonly last?: ComponentChildren;
  /** Whether the dates of extremes are links to their days in the charts. */
  readonly hasLinks?: boolean;
}

/**
 * A table of the statistics of months and of the whole year:
 *
 * - An extreme has its date beside it.
 * - A missing statistic is shown as `–`, with the number of missing days below it.
 * - The row of a period that has not ended also shows the last complete day and the number of missing days.
 */
export function StatisticTable({
  caption,
  head,
  columns,
  rows,
  units,
  last,
  dates = 'dayOfMonth',
}: {
  readonly caption: string;
  /** Heading of the first column. */
  readonly head: string;
  readonly columns: Columns;
  readonly rows: readonly Row[];
  readonly units: Readonly<Record<string, string>>;
  /** Heading of the last column. */
  readonly last?: string;
  /** Whether the dates of extremes have their year, because the rows are of several years. */
  readonly dates?: 'dayOfMonth' | 'date';
}) {
  const { text } = useSite();
  const element = useElements(units);
  const date = useTimeFormat('UTC');
  const { months } = text.climate;
  const soFar = (until: string | null) =>
    until === null ? months.begun : months.soFar(date(until, 'dayOfMonth'));
  return (
    <div class="table-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="numbers statistics">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map(([name, title]) => (
              <th key={name} scope="col">
                {title} <span class="unit">{element.unit(name)}</span>
              </th>
            ))}
            {last !== undefined && <th scope="col">{last}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ head: name, key, statistics, last: end, hasLinks = false }) => {
            const until = untilOf(statistics, columns);
            const commonMissing = commonMissingDays(statistics, columns);
            return (
              <tr key={key} class={until === undefined ? undefined : 'running'}>
                <th scope="row">
                  {name}
                  {until !== undefined && <small>{soFar(until)}</small>}
                  {commonMissing > 0 && <small>{months.missing(commonMissing)}</small>}
                </th>
                {columns.map(([column]) => (
                  <td key={column}>
                    <Cell
                      statistics={statistics}
                      element={column}
                      write={element.write}
                      commonMissing={commonMissing}
                      dates={dates}
                      hasLink={hasLinks}
                    />
                  </td>
                ))}
                {last !== undefined && <td>{end}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Returns the number of missing days that occurs most often in a row of the table; 0 if no number occurs twice. Only statistics
 * that report missing days are counted. The row shows this number once, instead of in each cell.
 */
function commonMissingDays(statistics: Row['statistics'], columns: Columns): number {
  const missing = columns
    .flatMap(([element]) => statisticOf(statistics, element) ?? [])
    .filter(reportsMissingDays)
    .map((found) => found.missing ?? 0);
  const frequency = (days: number) => missing.filter((one) => one === days).length;
  const commonMissing = missing.toSorted((one, other) => frequency(other) - frequency(one))[0] ?? 0;
  return frequency(commonMissing) > 1 ? commonMissing : 0;
}

/** Whether a statistic reports missing days: its value is null because of missing days, or its period has not ended. */
const reportsMissingDays = ({ value, until }: Statistic) => value === null || until !== undefined;

/** The last complete day of a period that has not ended, or null if no day is complete; undefined for a period that has ended. */
function untilOf(statistics: Row['statistics'], columns: Columns): string | null | undefined {
  return columns
    .map(([element]) => statisticOf(statistics, element)?.until)
    .find((until) => until !== undefined);
}

/** Whether the period of any row has not ended. */
export function isRunning(rows: readonly Pick<Row, 'statistics'>[], columns: Columns): boolean {
  return rows.some(({ statistics }) => untilOf(statistics, columns) !== undefined);
}

const statisticOf = (statistics: Row['statistics'], element: string) =>
  statistics.map((row) => statistic(row, element)).find((value) => value !== undefined);

function Cell({
  statistics,
  element,
  write,
  commonMissing,
  dates,
  hasLink,
}: {
  readonly statistics: Row['statistics'];
  readonly element: string;
  readonly write: (element: string, value: number) => string;
  /** The number of missing days that the heading of the row shows. */
  readonly commonMissing: number;
  readonly dates: 'dayOfMonth' | 'date';
  readonly hasLink: boolean;
}) {
  const { text } = useSite();
  const date = useTimeFormat('UTC');
  const { months } = text.climate;
  const found = statisticOf(statistics, element);
  if (found === undefined) return <>{text.value.none}</>;
  const { value, missing = 0 } = found;
  const isOther = reportsMissingDays(found) && missing !== commonMissing && (missing > 0 || value !== null);
  return (
    <>
      {value === null ? text.value.none : write(element, value)}
      {typeof found.date === 'string' && (
        <small class="of-day">
          {/* The space separates the value from its date in copied text. */}{' '}
          {hasLink ? (
            <a href={`?span=24h&at=${found.date}#charts`}>{date(found.date, dates)}</a>
          ) : (
            date(found.date, dates)
          )}
        </small>
      )}
      {isOther && <small>{months.missing(missing)}</small>}
    </>
  );
}
