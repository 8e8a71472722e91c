import type { Schemas } from '../../api.js';
import { useNumbers, useSite } from '../../site-context.js';
import { useVariableNames } from '../../parts/variable-names.js';
import { usePanelsText } from './text.js';

/** Returns a function that writes the condition of an alarm in the units of the API, in which the form asks for it. */
export function useConditionText(): (condition: Schemas['AlarmCondition']) => string {
  const { text: site } = useSite();
  const { alarms: text } = usePanelsText();
  const number = useNumbers();
  const nameOf = useVariableNames();
  return ({
    kind,
    variable,
    suspect,
    threshold = 0,
    clear = threshold,
    unit = '',
    intervals = 0,
    notice,
    days = 0,
    below,
    for: seconds = 0,
    comparison = 'below',
    within = 0,
    probability = 0,
  }) => {
    if (kind === 'silent') return site.alarms.silent(intervals);
    if (kind === 'battery')
      return below === undefined ? site.alarms.battery() : `${site.alarms.battery()} (< ${below} %)`;
    if (kind === 'notice') {
      const about = [notice ?? text.anyNotice];
      if (typeof variable === 'string') about.push(nameOf(variable));
      return `${about.join(', ')} (${text.fields.days}: ${days})`;
    }
    if (kind === 'failed') {
      const failed = site.alarms.failed(typeof variable === 'string' ? nameOf(variable) : '');
      return suspect === true ? `${failed} ${text.orSuspect}` : failed;
    }
    const shown = (value: number) => `${number(value, Number.isInteger(value) ? 0 : 2)}\u00a0${unit}`.trim();
    if (kind === 'forecast') {
      const event = site.alarms[comparison](nameOf(variable ?? ''), shown(threshold));
      const hours = number(within / 3600, within % 3600 === 0 ? 0 : 1);
      return `${site.alarms.forecast(event)}, ${text.withinHours(hours, number(percent(probability), 0))}`;
    }
    const parts = [site.alarms[kind](nameOf(variable ?? ''), shown(threshold))];
    if (seconds > 0) parts.push(text.forMinutes(number(seconds / 60, seconds % 60 === 0 ? 0 : 1)));
    if (clear !== threshold) parts.push(text.clearsAt(shown(clear)));
    return parts.join(', ');
  };
}

/** A share in percent, without the rounding errors of the multiplication. */
export function percent(share: number): number {
  return Math.round(share * 1000) / 10;
}

export function ConditionText({ condition }: { readonly condition: Schemas['AlarmCondition'] }) {
  return <>{useConditionText()(condition)}</>;
}
