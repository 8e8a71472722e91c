import type { ComponentChildren } from 'preact';
import { useTimes } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { type Statistic, statistic, type Statistics } from './climate-reply.js';
import { useElements } from './use-elements.js';

/** Keys of elements in the reply with their names in the table. */
type Columns = readonly (readonly [element: string, name: string])[];

export interface Row {
  readonly head: ComponentChildren;
  readonly key: string;
  /** Statistics of the same period from several replies, which have different elements. */
  readonly of: readonly (Statistics | undefined)[];
  /** Content of the last column. */
  readonly last?: ComponentChildren;
}

/**
 * A table of the statistics of months and of the whole year. An extreme has its date below it; `–` has the number of missing days
 * below it. A period that has not ended shows its last complete day and the number of missing days.
 */
export function StatisticTable({
  caption,
  head,
  columns,
  rows,
  units,
  last,
}: {
  readonly caption: string;
  /** Heading of the first column. */
  readonly head: string;
  readonly columns: Columns;
  readonly rows: readonly Row[];
  readonly units: Readonly<Record<string, string>>;
  /** Heading of the last column. */
  readonly last?: string;
}) {
  const { text } = useSite();
  const element = useElements(units);
  const date = useTimes('UTC');
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
          {rows.map(({ head: name, key, of, last: end }) => {
            const until = untilOf(of, columns);
            const usual = usuallyMissing(of, columns);
            return (
              <tr key={key} class={until === undefined ? undefined : 'running'}>
                <th scope="row">
                  {name}
                  {until !== undefined && <small>{soFar(until)}</small>}
                  {usual > 0 && <small>{months.missing(usual)}</small>}
                </th>
                {columns.map(([column]) => (
                  <td key={column}>
                    <Cell of={of} element={column} write={element.write} usual={usual} />
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
 * The most frequent number of missing days among the statistics of a row that report missing days; 0 unless at least two statistics
 * share it. The row shows it once, instead of in each cell.
 */
function usuallyMissing(of: Row['of'], columns: Columns): number {
  const missing = columns
    .flatMap(([element]) => statisticOf(of, element) ?? [])
    .filter(mayMissDays)
    .map((found) => found.missing ?? 0);
  const frequency = (days: number) => missing.filter((one) => one === days).length;
  const usual = missing.toSorted((one, other) => frequency(other) - frequency(one))[0] ?? 0;
  return frequency(usual) > 1 ? usual : 0;
}

/** Whether a statistic reports missing days: it was left out because of them, or its period has not ended. */
const mayMissDays = ({ value, until }: Statistic) => value === null || until !== undefined;

/** The last complete day of a period that has not ended, or null if no day is complete; undefined for a period that has ended. */
function untilOf(of: Row['of'], columns: Columns): string | null | undefined {
  return columns.map(([element]) => statisticOf(of, element)?.until).find((until) => until !== undefined);
}

/** Whether the period of any row has not ended. */
export function isRunning(rows: readonly Pick<Row, 'of'>[], columns: Columns): boolean {
  return rows.some(({ of }) => untilOf(of, columns) !== undefined);
}

const statisticOf = (of: Row['of'], element: string) =>
  of.map((row) => statistic(row, element)).find((value) => value !== undefined);

function Cell({
  of,
  element,
  write,
  usual,
}: {
  readonly of: Row['of'];
  readonly element: string;
  readonly write: (element: string, value: number) => string;
  /** The number of missing days that the heading of the row shows. */
  readonly usual: number;
}) {
  const { text } = useSite();
  const date = useTimes('UTC');
  const { months } = text.climate;
  const found = statisticOf(of, element);
  if (found === undefined) return <>{text.value.none}</>;
  const { value, missing = 0 } = found;
  const isOther = mayMissDays(found) && missing !== usual && (missing > 0 || value !== null);
  return (
    <>
      {value === null ? text.value.none : write(element, value)}
      {typeof found.date === 'string' && <small>{date(found.date, 'date')}</small>}
      {isOther && <small>{months.missing(missing)}</small>}
    </>
  );
}
