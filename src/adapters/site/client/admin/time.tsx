import { timeLanguage } from '../format/time-format.js';
import { useSite } from '../site-context.js';

/** Shows a time in the time zone of the browser; `–` for null. */
export function Time({ at }: { readonly at: string | null }) {
  const { preferences } = useSite();
  if (at === null) return <>–</>;
  const format = new Intl.DateTimeFormat(timeLanguage(preferences.language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
