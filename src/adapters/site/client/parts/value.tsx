import type { Newest } from '../api.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';

/** A value with its unit: `–` where there is none, a mark where quality control doubts it. Rejected values are not shown. */
export function ShownValue({
  variable,
  metric,
  latest,
  checks,
}: {
  readonly variable: string;
  /** The unit of the API. */
  readonly metric: string | undefined;
  readonly latest: Newest;
  /** The names of the checks that doubt the value, where they are known. */
  readonly checks?: readonly string[] | undefined;
}) {
  const { text } = useSite();
  const number = useNumbers();
  const { unit, decimals, convert } = useUnit(variable, metric ?? '');
  const newest = latest[variable];
  if (newest === undefined || newest.verdict === 'fail')
    return (
      <span class="value missing">
        <span aria-hidden="true">{text.value.none}</span>
        <span class="hidden">{newest === undefined ? text.value.missing : text.value.fail}</span>
      </span>
    );
  return (
    <span class={`value ${newest.verdict}`}>
      {number(convert(newest.value), decimals)}
      {unit !== '1' && <span class="unit"> {unit}</span>}
      {newest.verdict === 'suspect' && (
        <span class="mark">
          {checks === undefined
            ? text.value.suspect
            : text.charts.doubtful(checks.map((check) => text.charts.checks[check] ?? check).join(', '))}
        </span>
      )}
    </span>
  );
}
