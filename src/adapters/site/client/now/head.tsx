import type { ComponentChildren } from 'preact';
import type { Inventory, Station } from '../api.js';
import { Age } from '../parts/age.js';
import { Menu } from '../parts/menu.js';
import { ShareMenu } from '../share/share-menu.js';
import { useNumbers, useSite } from '../site-context.js';
import { useTimeFormat } from './times.js';

/** The name and the place of a station, links, and the time of the last value. */
export function StationHead({
  station,
  town,
  inventory,
  lastSeen,
  isOld = false,
}: {
  readonly station: Station;
  /** The nearest town, if there is one near the station. */
  readonly town: string | undefined;
  readonly inventory: Inventory;
  readonly lastSeen: string | null;
  /** Whether the page shows a time of the past, to which ages do not apply. */
  readonly isOld?: boolean;
}) {
  const { text, now } = useSite();
  const number = useNumbers();
  const write = useTimeFormat(station.time_zone);
  const { hemispheres, elevation } = text.station;
  const { head } = text;
  const { latitude, longitude } = station;
  const position = `${number(Math.abs(latitude), 2)}° ${latitude < 0 ? hemispheres.south : hemispheres.north}, ${number(Math.abs(longitude), 2)}° ${longitude < 0 ? hemispheres.west : hemispheres.east}`;
  const height = station.elevation === null ? undefined : elevation(number(station.elevation, 0));
  const isToday = lastSeen !== null && write(lastSeen, 'date') === write(now, 'date');
  return (
    <header class="station-head">
      <h1>{station.name}</h1>
      <div class="quiet station-place">
        {[town ?? position, height].filter(Boolean).join(', ')}
        <span class="station-links">
          {' · '}
          <a href={`/?station=${encodeURIComponent(station.id)}`}>{head.map}</a>
        </span>
        {' · '}
        <Menu name="about" label={head.about}>
          <dl>
            <Detail name={head.position}>{position}</Detail>
            {height !== undefined && <Detail name={head.elevation}>{height}</Detail>}
            <Detail name={head.zone}>{station.time_zone}</Detail>
            {station.reporting_interval !== null && (
              <Detail name={head.interval}>{head.every(number(station.reporting_interval / 60, 0))}</Detail>
            )}
            {inventory.first && <Detail name={head.since}>{write(inventory.first, 'date')}</Detail>}
            <Detail name={head.id}>
              <code>{station.id}</code>
            </Detail>
          </dl>
          {town !== undefined && (
            <p class="quiet">
              {head.towns} <a href="https://www.geonames.org/">GeoNames</a>, CC BY 4.0
            </p>
          )}
        </Menu>
        <ShareMenu station={station} />
      </div>
      <p class="station-age">
        {lastSeen !== null &&
          (isOld ? (
            <time dateTime={lastSeen}>
              {head.measured(`${write(lastSeen, 'date')}, ${write(lastSeen, 'time')}`)}
            </time>
          ) : (
            <>
              {isToday && <span class="station-time">{head.measured(write(lastSeen, 'time'))}, </span>}
              <Age since={lastSeen} interval={station.reporting_interval} zone={station.time_zone} />
            </>
          ))}
      </p>
    </header>
  );
}

function Detail({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
