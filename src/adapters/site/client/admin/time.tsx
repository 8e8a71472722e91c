import { timeLanguage } from '../format/time-format.js';
import { useSite } from '../site-context.js';

/** Shows a time; `–` for null. @param zone the time zone; that of the browser by default */
export function Time({ at, zone }: { readonly at: string | null; readonly zone?: string }) {
  const { preferences } = useSite();
  if (at === null) return <>–</>;
  const format = new Intl.DateTimeFormat(timeLanguage(preferences.language), {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: zone,
  });
  return <time dateTime={at}>{format.format(new Date(at))}</time>;
}
