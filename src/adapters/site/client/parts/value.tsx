import type { Newest } from '../api.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';

/** A value with its unit. A suspect value has a mark; a missing or rejected value is shown as `–`. */
export function ShownValue({
  variable,
  metric,
  latest,
  checks,
}: {
  readonly variable: string;
  /** Unit of the variable in the API. */
  readonly metric: string | undefined;
  readonly latest: Newest;
  /** Names of the failed checks of a suspect value, if the names are known. */
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
            : text.charts.suspect(checks.map((check) => text.charts.checks[check] ?? check).join(', '))}
        </span>
      )}
    </span>
  );
}
