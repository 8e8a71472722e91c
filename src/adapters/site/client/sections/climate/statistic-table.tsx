import type { ComponentChildren } from 'preact';
import { useTimes } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import { statistic, type Statistics } from './climate-reply.js';
import { useElements } from './use-elements.js';

export interface Row {
  readonly head: ComponentChildren;
  readonly key: string;
  /** Replies may have different elements of the same month. */
  readonly of: readonly (Statistics | undefined)[];
  /** Behind the numbers. */
  readonly last?: ComponentChildren;
}

/** Numbers of months and of what they make up. Under an extreme is its date; under `–`, why it is missing. */
export function StatisticTable({
  caption,
  head,
  columns,
  rows,
  units,
  last,
}: {
  readonly caption: string;
  /** Of the first column. */
  readonly head: string;
  /** Names of elements by their keys in the reply. */
  readonly columns: readonly (readonly [element: string, name: string])[];
  readonly rows: readonly Row[];
  readonly units: Readonly<Record<string, string>>;
  readonly last?: string;
}) {
  const { text } = useSite();
  const element = useElements(units);
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
            const reason = commonReason(of, columns);
            return (
              <tr key={key}>
                <th scope="row">
                  {name}
                  {reason !== undefined && <small>{text.climate.months.missing(reason)}</small>}
                </th>
                {columns.map(([column]) => (
                  <td key={column}>
                    <Cell of={of} element={column} write={element.write} hasReason={reason === undefined} />
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

/** The number of missing days, if it is the reason of every number of a row that is left out. */
function commonReason(of: Row['of'], columns: readonly (readonly [string, string])[]): number | undefined {
  const found = columns.map(([element]) => statisticOf(of, element)).filter((value) => value?.value === null);
  const [first] = found;
  if (first === undefined || first.missing === 0 || found.length === 1) return undefined;
  return found.every((value) => value?.missing === first.missing) ? first.missing : undefined;
}

const statisticOf = (of: Row['of'], element: string) =>
  of.map((row) => statistic(row, element)).find((value) => value !== undefined);

function Cell({
  of,
  element,
  write,
  hasReason,
}: {
  readonly of: Row['of'];
  readonly element: string;
  readonly write: (element: string, value: number) => string;
  /** Whether the cell says why there is no number. */
  readonly hasReason: boolean;
}) {
  const { text } = useSite();
  const date = useTimes('UTC');
  const { months } = text.climate;
  const found = statisticOf(of, element);
  if (found === undefined) return <>{text.value.none}</>;
  if (found.value === null)
    return (
      <>
        {text.value.none}
        {hasReason && found.missing > 0 && <small>{months.missing(found.missing)}</small>}
      </>
    );
  return (
    <>
      {write(element, found.value)}
      {typeof found.date === 'string' && <small>{date(found.date, 'date')}</small>}
    </>
  );
}
