import type { ComponentChildren } from 'preact';
import { MILLISECONDS } from '#domain/time.js';
import type { NewestValue, Station } from '../api.js';
import { isStale } from '../format/age.js';
import { displayUnit } from '../format/units.js';
import { Age } from '../parts/age.js';
import { ShownValue } from '../parts/value.js';
import { useNumbers, useSite } from '../site-context.js';
import type { Now } from './read-now.js';

export interface CardProps {
  readonly station: Station;
  readonly now: Now;
}

/** The newest value of a variable in large text, with its age. */
export function ReadingCard({
  variable,
  station,
  now,
  children,
}: CardProps & { readonly variable: string; readonly children?: ComponentChildren }) {
  const newest = now.latest[variable];
  const isOld = useIsOld(station, newest);
  return (
    <>
      <p class={isOld ? 'large old' : 'large'}>
        <ShownValue
          variable={variable}
          metric={now.units[variable]}
          latest={now.latest}
          checks={now.checks[variable]}
        />
        {children}
      </p>
      {newest !== undefined && (
        <p class="card-age quiet">
          <Age since={newest.time} interval={station.reporting_interval} zone={station.time_zone} ofValue />
        </p>
      )}
    </>
  );
}

/** Whether a value is stale. The limit depends on the reporting interval of the station. */
export function useIsOld(
  { reporting_interval: interval }: Station,
  newest: NewestValue | undefined,
): boolean {
  const { now } = useSite();
  return newest !== undefined && isStale((now - Date.parse(newest.time)) / MILLISECONDS.second, interval);
}

/** Returns a function that formats a value with its unit in the unit system of the visitor; `–` for a missing value. */
export function useAmountFormat(): (
  variable: string,
  metric: string,
  value: number | null | undefined,
) => string {
  const { text, preferences } = useSite();
  const number = useNumbers();
  return (variable, metric, value) => {
    if (value === null || value === undefined) return text.value.none;
    const { unit, decimals, convert } = displayUnit(variable, metric, preferences.units);
    return `${number(convert(value), decimals)} ${unit}`;
  };
}
