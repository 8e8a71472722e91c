import type { Station } from '../api.js';
import { Age } from '../parts/age.js';
import { useNumbers, useSite } from '../site-context.js';

/** The name and the position of a station, and the age of its last value. */
export function StationHead({
  station,
  lastSeen,
}: {
  readonly station: Station;
  readonly lastSeen: string | null;
}) {
  const { text } = useSite();
  const number = useNumbers();
  const { hemispheres, elevation } = text.station;
  const { latitude, longitude } = station;
  return (
    <header class="station-head">
      <h1>{station.name}</h1>
      <p class="quiet">
        {number(Math.abs(latitude), 2)}° {latitude < 0 ? hemispheres.south : hemispheres.north},{' '}
        {number(Math.abs(longitude), 2)}° {longitude < 0 ? hemispheres.west : hemispheres.east}
        {station.elevation !== null && ` · ${elevation(number(station.elevation, 0))}`}
        {` · ${station.time_zone}`}
      </p>
      <p class="station-age">
        <Age since={lastSeen} interval={station.reporting_interval} zone={station.time_zone} />
      </p>
    </header>
  );
}
