import type { ComponentChildren } from 'preact';
import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { type Statistic, statistic, type Statistics } from './climate-reply.js';
import { commonSource, MARKS, type Source, type Sources } from './sources.js';
import { useClimateText } from './text.js';
import { useElements } from './use-elements.js';
import type { Column, ColumnGroup } from './views.js';

type Columns = readonly Pick<Column, 'element'>[];

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
 * - An extreme has its date beside it. Below it is the number of further days with the same value.
 * - A missing statistic is shown as `–`, with the number of missing days below it.
 * - The row of a period that has not ended also shows the last complete day and the number of missing days.
 */
export function StatisticTable({
  caption,
  head,
  groups,
  rows,
  units,
  sources,
  last,
  dates = 'dayOfMonth',
}: {
  readonly caption: string;
  /** Heading of the first column. */
  readonly head: string;
  /** The columns. The names of the groups are a row of headings above those of the columns. */
  readonly groups: readonly ColumnGroup[];
  readonly rows: readonly Row[];
  readonly units: Readonly<Record<string, string>>;
  readonly sources: Sources;
  /** Heading of the last column. */
  readonly last?: string | undefined;
  /** Whether the dates of extremes have their year, because the rows are of several years. */
  readonly dates?: 'dayOfMonth' | 'date';
}) {
  const element = useElements(units);
  const date = useTimeFormat('UTC');
  const { months } = useClimateText();
  const columns = groups.flatMap((group) => group.columns);
  const hasMarks = commonSource(sources, columns) === undefined;
  const hasGroups = groups[0]?.name !== undefined;
  const soFar = (until: string | null) =>
    until === null ? months.begun : months.soFar(date(until, 'dayOfMonth'));
  return (
    <div class="table-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="numbers statistics">
        <caption class="hidden">{caption}</caption>
        {hasGroups && (
          <>
            <colgroup />
            {groups.map(({ name, columns: { length } }) => (
              <colgroup key={name} span={length} />
            ))}
            {last !== undefined && <colgroup />}
          </>
        )}
        <thead>
          {hasGroups && (
            <tr>
              <td />
              {groups.map(({ name, columns: { length } }) => (
                <th key={name} scope="colgroup" colSpan={length}>
                  {name}
                </th>
              ))}
              {last !== undefined && <td />}
            </tr>
          )}
          <tr>
            <th scope="col">{head}</th>
            {columns.map(({ element: name, name: title, limit = element.unit(name) }) => (
              <th key={name} scope="col">
                {title} <span class="unit">{limit}</span>
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
                {columns.map(({ element: column }) => (
                  <td key={column}>
                    <Cell
                      statistics={statistics}
                      element={column}
                      source={hasMarks ? sources[column] : undefined}
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
    .flatMap(({ element }) => statisticOf(statistics, element) ?? [])
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
    .map(({ element }) => statisticOf(statistics, element)?.until)
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
  source,
  write,
  commonMissing,
  dates,
  hasLink,
}: {
  readonly statistics: Row['statistics'];
  readonly element: string;
  /** The source of the element, if the sources of numbers are marked. */
  readonly source: Source | undefined;
  readonly write: (element: string, value: number) => string;
  /** The number of missing days that the heading of the row shows. */
  readonly commonMissing: number;
  readonly dates: 'dayOfMonth' | 'date';
  readonly hasLink: boolean;
}) {
  const { text } = useSite();
  const date = useTimeFormat('UTC');
  const { months, records } = useClimateText();
  const found = statisticOf(statistics, element);
  if (found === undefined) return <>{text.value.none}</>;
  const { value, missing = 0, tie_count: count = 0, ties = [] } = found;
  const isOther = reportsMissingDays(found) && missing !== commonMissing && (missing > 0 || value !== null);
  return (
    <>
      {value === null ? text.value.none : write(element, value)}
      {source !== undefined && value !== null && MARKS[found.source ?? source]}
      {/* Without snow or rain, any day has the greatest amount. */}
      {typeof found.date === 'string' && !(value === 0 && element.startsWith('greatest')) && (
        <small class="of-day">
          {/* The space separates the value from its date in copied text. */}{' '}
          {hasLink ? (
            <a href={`?span=24h&at=${found.date}#charts`}>{date(found.date, dates)}</a>
          ) : (
            date(found.date, dates)
          )}
        </small>
      )}
      {count > 0 && (
        <details>
          <summary>{records.ties(count)}</summary>
          {ties.map((day) => (
            <small key={day}>{date(day, dates)}</small>
          ))}
          {count > ties.length && '…'}
        </details>
      )}
      {isOther && <small>{months.missing(missing)}</small>}
    </>
  );
}
