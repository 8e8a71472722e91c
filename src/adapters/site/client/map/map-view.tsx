import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import { useNow } from '../live/clock.js';
import { loadPart } from '../parts/load-part.js';
import { usePart } from '../parts/use-part.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';
import type { HourlyValues } from '../stations/hourly-values.js';
import { useHourly } from '../stations/use-hourly.js';
import type { ListedStation } from '../stations/listed.js';
import { isLive } from '../stations/order.js';
import type { Text } from '../text/en.js';
import { HourSlider } from './hours.js';
import { MapLegend } from './legend.js';
import type { MapStation } from './marker.js';
import { dotColor, newestValues, type Paint, PAINTS, valuesOfHour } from './paint.js';
import { StationMap } from './station-map.js';
import type { MapProps } from './map-props.js';

// The administration loads the map with this module.
export { StationMap };

/** Number of towns that the map reads. More towns name the places of stations better, but most names find no place. */
const MAX_PLACES = 300;
/** The slider reads the hours of at most this many stations. */
const MAX_HOURLY = 500;

/** The map with its controls. `MapPanel` loads this module after the page. */
export function MapView({
  stations,
  units,
  search,
  isPast,
  selected,
  opened,
  temperatures,
  onSelect,
  onOpen,
  onPlaces,
}: MapProps) {
  const { text, api, go, preferences, streetMap } = useSite();
  const [map, setMap] = useState<StationMap | undefined>();
  const [paint, setPaint] = useState<Paint>('temperature');
  const [chosenHour, setHoursAgo] = useState(0);
  const hoursAgo = isPast ? 0 : chosenHour;
  const [, setMoves] = useState(0);
  const [isHistoryWanted, setHistoryWanted] = useState(false);
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => stations.map(({ station }) => station.id), [stations]);
  const history = useHourly(ids, isHistoryWanted ? 'all' : undefined, MAX_HOURLY);
  const mapStations = useMapStations(stations, paint, hoursAgo, history);
  const rangeText = useRangeText(paint);
  // The callbacks of the map are created once, and read the newest state from this ref.
  const press = useRef<(id: string) => void>(() => undefined);
  press.current = (id) => {
    if (id === opened) go(`/stations/${encodeURIComponent(id)}`);
    else {
      onSelect(id);
      onOpen(id);
    }
  };
  useEffect(() => {
    if (host.current === null) return undefined;
    const created = new StationMap({
      host: host.current,
      isImperial: ['imperial', 'uk'].includes(preferences.units),
      onSelect: (id) => press.current(id),
      onClear: () => onOpen(undefined),
      onMove: () => setMoves((moves) => moves + 1),
      readPlaces: async (bbox) =>
        (await api.get('/v1/places', { query: { bbox, limit: MAX_PLACES } })).places,
      onPlaces,
    });
    setMap(created);
    return () => {
      setMap(undefined);
      created.remove();
    };
  }, []);
  const popover = usePart(() => import('./popover.js'));
  useEffect(() => {
    if (opened !== undefined && popover.module === undefined) popover.begin();
  }, [opened]);
  useStreets(streetMap ? map : undefined);
  useEffect(() => {
    map?.show({ stations: mapStations, selected, rangeText, groupName: text.map.group });
  }, [map, mapStations, selected, rangeText]);
  const fittedSearch = useRef(search);
  useEffect(() => {
    if (fittedSearch.current === search) return;
    fittedSearch.current = search;
    map?.fit();
  }, [search, mapStations]);
  useEffect(() => {
    const resize = () => setTimeout(() => map?.resize(), 50);
    document.addEventListener('fullscreenchange', resize);
    return () => document.removeEventListener('fullscreenchange', resize);
  }, [map]);

  const openedStation = stations.find(({ station }) => station.id === opened);
  const values = mapStations.flatMap(({ value }) => value ?? []);
  return (
    <div class="map-view" ref={panel}>
      <div class="map-head">
        <div class="segments" role="group" aria-label={text.map.paint}>
          {PAINTS.map((name) => (
            <button
              key={name}
              type="button"
              class={name}
              aria-pressed={name === paint}
              onClick={() => {
                setPaint(name);
                // There is no age of an earlier hour.
                if (name === 'age') setHoursAgo(0);
              }}
            >
              {text.map.paints[name]}
            </button>
          ))}
        </div>
        <MapLegend paint={paint} values={values} />
      </div>
      <div class="map-frame">
        <div class="map" ref={host} role="group" aria-label={text.map.title} tabIndex={0} />
        <div class="map-buttons" role="group" aria-label={text.map.buttons}>
          {BUTTONS.map(([name, picture, act]) => (
            <button
              key={name}
              type="button"
              class={name}
              aria-label={text.map[name]}
              onClick={() => map && act(map)}
            >
              <svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
                <path d={picture} />
              </svg>
            </button>
          ))}
          <button
            type="button"
            class="fill"
            aria-label={text.map.fill}
            onClick={() => void fillScreen(panel.current).catch(() => undefined)}
          >
            <svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
              <path d="M-6-2V-6H-2M2-6H6V-2M6 2V6H2M-2 6H-6V2" />
            </svg>
          </button>
        </div>
        <div aria-live="polite">
          {popover.module !== undefined && map !== undefined && openedStation !== undefined && (
            <popover.module.Popover
              listed={openedStation}
              units={units}
              hourly={temperatures.get(openedStation.station.id)}
              position={(size) => map.popoverAt(openedStation.station.id, size)}
              onClose={() => onOpen(undefined)}
            />
          )}
        </div>
      </div>
      {!isPast && (
        <HourSlider
          hoursAgo={hoursAgo}
          zone={stations[0]?.station.time_zone ?? 'UTC'}
          onChange={(ago) => {
            setHistoryWanted(true);
            setHoursAgo(ago);
            if (ago > 0 && paint === 'age') setPaint('temperature');
          }}
        />
      )}
    </div>
  );
}

/** Shows the streets on the map, in the colors and the language of the visitor. Without them, the map stays as it is. */
function useStreets(map: StationMap | undefined): void {
  const { language, theme } = useSite().preferences;
  const [isDark, setDark] = useState(false);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const choose = () => setDark(theme === 'auto' ? dark.matches : theme === 'dark');
    choose();
    dark.addEventListener('change', choose);
    return () => dark.removeEventListener('change', choose);
  }, [theme]);
  useEffect(() => {
    if (map === undefined) return undefined;
    let isWanted = true;
    loadPart(() => import('./streets.js'))
      .then(({ openStreets }) => openStreets(isDark ? 'dark' : 'light', language))
      .then(
        (streets) => {
          if (isWanted) map.setStreets(streets);
        },
        () => undefined,
      );
    return () => {
      isWanted = false;
    };
  }, [map, isDark, language]);
}

/** Buttons for all movements of the map, because WCAG 2.5.7 requires another way than dragging. */
const BUTTONS: readonly (readonly [
  'zoomIn' | 'zoomOut' | 'all' | 'west' | 'east' | 'north' | 'south',
  /** Attribute `d` of the path of the icon. */
  string,
  (map: StationMap) => void,
])[] = [
  ['zoomIn', 'M-6 0H6M0-6V6', (map) => map.zoom(1)],
  ['zoomOut', 'M-6 0H6', (map) => map.zoom(-1)],
  ['all', 'M0-6V-3M0 6V3M-6 0H-3M6 0H3M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0', (map) => map.fit()],
  ['north', 'M-4 2 0-2 4 2', (map) => map.pan(0, -1)],
  ['west', 'M2-4-2 0 2 4', (map) => map.pan(-1, 0)],
  ['east', 'M-2-4 2 0-2 4', (map) => map.pan(1, 0)],
  ['south', 'M-4-2 0 2 4-2', (map) => map.pan(0, 1)],
];

async function fillScreen(panel: HTMLElement | null): Promise<void> {
  await (document.fullscreenElement === null ? panel?.requestFullscreen() : document.exitFullscreen());
}

/** The stations of the map with their values now or at an earlier hour. */
function useMapStations(
  stations: readonly ListedStation[],
  paint: Paint,
  hoursAgo: number,
  history: ReadonlyMap<string, HourlyValues>,
): readonly MapStation[] {
  // Ages are shown in minutes.
  const now = Math.floor(useNow() / MILLISECONDS.minute) * MILLISECONDS.minute;
  return useMemo(() => {
    // If no station is live, the map shows all of them as the list does.
    const isAnyLive = stations.some((listed) => isLive(listed, now));
    return stations.map((listed): MapStation => {
      const { station } = listed;
      const { id, name, latitude, longitude, reporting_interval: interval } = station;
      const isShownLive = !isAnyLive || isLive(listed, now);
      const values = hoursAgo === 0 ? newestValues(listed, now) : valuesOfHour(history.get(id), hoursAgo);
      // Values of a silent station do not belong to the present weather, but its age does.
      const value = isShownLive || paint === 'age' || hoursAgo > 0 ? values[paint] : undefined;
      const { wind: speed, direction } = values;
      return {
        id,
        name,
        latitude,
        longitude,
        value,
        color: value === undefined ? undefined : dotColor(paint, value, interval),
        wind:
          speed === undefined || direction === undefined || (!isShownLive && hoursAgo === 0)
            ? undefined
            : { speed, direction },
        isLive: isShownLive,
      };
    });
  }, [stations, paint, hoursAgo, history, now]);
}

/** Returns a function that writes two values as a range, or as one value if their texts are equal. */
function useRangeText(paint: Paint): (low: number, high: number) => string {
  const { text, preferences } = useSite();
  const number = useNumbers();
  const units = {
    temperature: useUnit('air_temperature', '°C'),
    rain: useUnit('precipitation_amount', 'mm'),
    wind: useUnit('wind_speed', 'm/s'),
  };
  return useMemo(() => {
    const one = (value: number): string => {
      if (paint === 'age') return ageLength(value, text.age.lengths);
      const { convert, decimals } = units[paint];
      return number(convert(value), decimals);
    };
    const end = paint === 'temperature' ? '°' : '';
    return (low, high) => {
      const [from, to] = [one(low), one(high)];
      return from === to ? `${to}${end}` : `${from} … ${to}${end}`;
    };
  }, [paint, preferences.units, preferences.language]);
}

/** Writes a duration in one unit. @param age in ms */
function ageLength(age: number, { minutes, hours, days }: Text['age']['lengths']): string {
  const { minute, hour, day } = MILLISECONDS;
  if (age < 2 * hour) return minutes(Math.floor(age / minute));
  return age < 2 * day ? hours(Math.floor(age / hour)) : days(Math.floor(age / day));
}
