import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { isStale } from '../format/age.js';
import { temperatureColor } from '../format/temperature-scale.js';
import { sectorIndex } from '../format/wind.js';
import { useNow } from '../live/clock.js';
import { Age } from '../parts/age.js';
import { Fault } from '../parts/fault.js';
import { loadPart, loadPartAgain } from '../parts/load-part.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import { Rain, Temperature, Wind } from '../stations/cells.js';
import { type ListedStation, shownValue, type StationList } from '../stations/listed.js';
import type { MapStation } from './marker.js';
import type { StationMap } from './station-map.js';

/** In windows of at least this width, the map is open beside the list. In narrower windows, a button opens the map. */
const BESIDE = '(min-width: 1200px)';

/** The map of stations. The code of the map is loaded when the map is opened. */
export function MapPanel({
  stations,
  units,
  selected,
  onSelect,
}: {
  readonly stations: readonly ListedStation[];
  readonly units: StationList['units'];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}) {
  const { text, files } = useSite();
  const [isOpen, setOpen] = useState(false);
  const [map, setMap] = useState<StationMap | undefined>();
  const [fault, setFault] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const host = useRef<HTMLDivElement>(null);
  const mapStations = useMapStations(stations);
  useEffect(() => {
    if (matchMedia(BESIDE).matches) setOpen(true);
  }, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    let opened: StationMap | undefined;
    let isOver = false;
    const open = async (): Promise<void> => {
      const load = attempt === 0 ? loadPart : loadPartAgain;
      const module = await load(() => import('./station-map.js'));
      if (isOver || host.current === null) return;
      opened = new module.StationMap({
        host: host.current,
        coastline: files['coastline.json'] ?? '',
        texts: { attribution: text.map.attribution, cluster: text.map.cluster },
        onSelect,
      });
      setMap(opened);
    };
    setFault(undefined);
    open().catch(setFault);
    return () => {
      isOver = true;
      setMap(undefined);
      opened?.remove();
    };
  }, [isOpen, attempt]);
  useEffect(() => map?.show(mapStations, selected), [map, mapStations, selected]);
  const selectedStation = stations.find(({ station }) => station.id === selected);
  return (
    <section
      class={isOpen ? 'map-panel needs-script open' : 'map-panel needs-script'}
      aria-label={text.map.title}
    >
      <button type="button" class="map-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? text.map.hide : text.map.show}
      </button>
      {isOpen && (
        <>
          {fault !== undefined && <Fault error={fault} retry={() => setAttempt(attempt + 1)} />}
          <div class="map" ref={host} role="group" aria-label={text.map.title} tabIndex={0} />
          <div class="map-buttons" role="group" aria-label={text.map.buttons}>
            {BUTTONS.map(([name, picture, act]) => (
              <button key={name} type="button" aria-label={text.map[name]} onClick={() => map && act(map)}>
                <svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
                  <path d={picture} />
                </svg>
              </button>
            ))}
            <button type="button" onClick={() => map?.showAll()}>
              {text.map.all}
            </button>
          </div>
          <div class="map-chosen" aria-live="polite">
            {selectedStation === undefined ? (
              <p class="quiet">{text.map.choose}</p>
            ) : (
              <SelectedStation listed={selectedStation} units={units} />
            )}
          </div>
        </>
      )}
    </section>
  );
}

/** Buttons for all movements of the map, because WCAG 2.5.7 requires another way than dragging. */
const BUTTONS: readonly (readonly [
  'zoomIn' | 'zoomOut' | 'west' | 'east' | 'north' | 'south',
  /** Attribute `d` of the path of the icon. */
  string,
  (map: StationMap) => void,
])[] = [
  ['zoomIn', 'M-6 0H6M0-6V6', (map) => map.zoom(1)],
  ['zoomOut', 'M-6 0H6', (map) => map.zoom(-1)],
  ['west', 'M6 0H-6M-1-5-6 0-1 5', (map) => map.pan(-1, 0)],
  ['east', 'M-6 0H6M1-5 6 0 1 5', (map) => map.pan(1, 0)],
  ['north', 'M0 6V-6M-5-1 0-6 5-1', (map) => map.pan(0, -1)],
  ['south', 'M0-6V6M-5 1 0 6 5 1', (map) => map.pan(0, 1)],
];

function SelectedStation({
  listed,
  units,
}: {
  readonly listed: ListedStation;
  readonly units: StationList['units'];
}) {
  const { station, rain, last_seen: lastSeen } = listed;
  return (
    <>
      <p>
        <a href={`/stations/${encodeURIComponent(station.id)}`}>{station.name}</a>{' '}
        <Age since={lastSeen} interval={station.reporting_interval} />
      </p>
      <p>
        <Temperature listed={listed} units={units} /> · <Rain amount={rain} /> ·{' '}
        <Wind listed={listed} units={units} />
      </p>
    </>
  );
}

/** The stations of the map with texts in the language and the units of the visitor. */
function useMapStations(stations: readonly ListedStation[]): readonly MapStation[] {
  const { text } = useSite();
  const number = useNumbers();
  const now = useNow();
  const temperature = useUnit('air_temperature', '°C');
  const wind = useUnit('wind_speed', 'm/s');
  return useMemo(
    () =>
      stations.map((listed): MapStation => {
        const { station, last_seen: lastSeen } = listed;
        const { id, name, latitude, longitude } = station;
        const degrees = shownValue(listed, 'air_temperature');
        const [speed, direction] = [
          shownValue(listed, 'wind_speed'),
          shownValue(listed, 'wind_from_direction'),
        ];
        const seconds = lastSeen === null ? Infinity : (now - Date.parse(lastSeen)) / MILLISECONDS.second;
        const value =
          degrees === undefined ? undefined : number(temperature.convert(degrees), temperature.decimals);
        const sector = direction === undefined ? '' : (text.sectors[sectorIndex(direction)] ?? '');
        return {
          id,
          name,
          latitude,
          longitude,
          temperature: degrees,
          color: degrees === undefined ? undefined : temperatureColor(degrees),
          value: value === undefined ? text.value.none : `${value}°`,
          wind: speed === undefined || direction === undefined ? undefined : { speed, direction },
          isStale: isStale(seconds, station.reporting_interval),
          windText:
            speed === undefined ? '' : `${number(wind.convert(speed), wind.decimals)} ${wind.unit} ${sector}`,
        };
      }),
    [stations, text, now, temperature.unit, wind.unit],
  );
}
