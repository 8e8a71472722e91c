import type { Station } from '../api.js';
import { useNow } from '../live/clock.js';
import { useTimeFormat } from '../now/times.js';
import { useSite } from '../site-context.js';
import { isPast } from './past-model.js';

/** Says that the values of a station are not of today: of which year, or until when. Shows nothing for other stations. */
export function PastStrip({
  station,
  lastSeen,
}: {
  readonly station: Pick<Station, 'name' | 'time_zone' | 'recorded'>;
  readonly lastSeen: string | null;
}) {
  const { past } = useSite().text;
  const now = useNow();
  const write = useTimeFormat(station.time_zone);
  if (station.recorded !== undefined)
    return <p class="past">{past.recorded(station.recorded, station.name)}</p>;
  if (lastSeen === null || !isPast(lastSeen, now)) return null;
  return (
    <p class="past">
      <strong>{past.old(write(lastSeen, 'monthOfYear'))}</strong> {past.end(write(lastSeen, 'fullDate'))}
    </p>
  );
}
