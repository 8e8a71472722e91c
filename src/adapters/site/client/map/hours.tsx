import { writeTime } from '../format/time-format.js';
import { useNow } from '../live/clock.js';
import { useSite } from '../site-context.js';
import { HOURS } from '../stations/hourly-values.js';
import { endOfHour } from './paint.js';

/** A slider for the hour that the map shows, from 24 hours ago to now. */
export function HourSlider({
  hoursAgo,
  zone,
  onChange,
}: {
  readonly hoursAgo: number;
  /** Time zone of the stations. */
  readonly zone: string;
  readonly onChange: (hoursAgo: number) => void;
}) {
  const { text, preferences } = useSite();
  const now = useNow();
  const name = (ago: number, isLong: boolean) => {
    if (ago === 0) return text.map.now;
    const style = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    const time = endOfHour(now, ago, zone);
    return writeTime(time, preferences.language, zone, isLong ? { weekday: 'short', ...style } : style);
  };
  return (
    <div class="hours">
      <input
        type="range"
        min={-HOURS}
        max={0}
        step={1}
        value={-hoursAgo}
        aria-label={text.map.hour}
        aria-valuetext={name(hoursAgo, true)}
        onInput={({ currentTarget }) => onChange(-Number(currentTarget.value))}
      />
      <div class="hour-names" aria-hidden="true">
        {[24, 18, 12, 6, 0].map((ago) => (
          <span key={ago}>{name(ago, ago === HOURS)}</span>
        ))}
      </div>
      {hoursAgo > 0 && <p class="hour-shown">{text.map.past(name(hoursAgo, true))}</p>}
    </div>
  );
}
