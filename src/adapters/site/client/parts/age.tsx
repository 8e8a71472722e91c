import { isStale } from '#domain/weather/current/silence.js';
import { ageText, DATE_AGE, silenceText } from '../format/age.js';
import { useNow } from '../live/clock.js';
import { isPast } from '../past/past-model.js';
import { useTimeFormat } from '../now/times.js';
import { useSite } from '../site-context.js';

/**
 * The age of a value or of a station, for example "5 min ago". For a stale value that is at least as old as `DATE_AGE`, shows the
 * date instead of the age. Without `zone`, always shows the age.
 *
 * @param interval reporting interval of the station in seconds
 * @param zone time zone of the date
 * @param ofValue whether the age belongs to one value. If false, the age belongs to the station, and the words "silent since"
 *   precede the date
 */
export function Age({
  since,
  interval,
  zone,
  ofValue = false,
}: {
  readonly since: string | null;
  readonly interval: number | null;
  readonly zone?: string;
  readonly ofValue?: boolean;
}) {
  const { text } = useSite();
  const now = useNow();
  const write = useTimeFormat(zone ?? 'UTC');
  if (since === null) return <span class="age stale">{text.age.never}</span>;
  const seconds = Math.max(0, (now - Date.parse(since)) / 1000);
  // The values of an old station are shown as they were, so that nobody needs to know how long ago that was.
  if (isPast(since, now))
    return (
      <time class="age" dateTime={since}>
        {write(since, 'date')}
      </time>
    );
  const stale = isStale(seconds, interval);
  const moment = `${write(since, 'date')}, ${write(since, 'time')}`;
  const dateLabel = ofValue ? moment : text.age.since(moment);
  const ageLabel = stale ? silenceText(seconds, text) : ageText(seconds, text);
  return (
    <time
      class={stale ? 'age stale' : 'age'}
      dateTime={since}
      title={zone === undefined ? `${moment} UTC` : moment}
    >
      {stale && zone !== undefined && seconds >= DATE_AGE ? dateLabel : ageLabel}
    </time>
  );
}
