import { useEffect, useRef, useState } from 'preact/hooks';
import { useSite } from '../site-context.js';
import type { Position } from '../map/fit.js';
import type { StationMap } from '../map/station-map.js';

/** Number of towns that the map reads. */
const MAX_PLACES = 100;

/** A map on which a person chooses a place with a click. The fields beside it do the same for everybody else. */
export function PlaceMap({
  StationMap: Map,
  label,
  place,
  onPlace,
}: {
  /** The class of maps, whose code is loaded after the page. */
  readonly StationMap: typeof StationMap;
  /** The name of the marker for screen readers. */
  readonly label: string;
  readonly place: Position | undefined;
  readonly onPlace: (place: Position) => void;
}) {
  const { text, api, preferences } = useSite();
  const host = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<StationMap>();
  const newest = useRef(onPlace);
  newest.current = onPlace;
  useEffect(() => {
    if (host.current === null) return undefined;
    const created = new Map({
      host: host.current,
      isImperial: ['imperial', 'uk'].includes(preferences.units),
      onSelect: () => undefined,
      onClear: (position) => newest.current(position),
      onMove: () => undefined,
      readPlaces: async (bbox) =>
        (await api.get('/v1/places', { query: { bbox, limit: MAX_PLACES } })).places,
      onPlaces: () => undefined,
    });
    setMap(created);
    host.current.scrollIntoView({ block: 'nearest' });
    return () => created.remove();
  }, []);
  useEffect(() => {
    const station = {
      id: 'place',
      name: label,
      value: undefined,
      color: undefined,
      wind: undefined,
      isLive: true,
    };
    map?.show({
      stations: place === undefined ? [] : [{ ...station, ...place }],
      selected: undefined,
      rangeText: () => '',
      groupName: () => '',
    });
  }, [map, place?.latitude, place?.longitude]);
  return (
    <div class="map-frame place-map">
      <div class="map" ref={host} role="group" aria-label={text.map.title} tabIndex={0} />
      <div class="map-buttons" role="group" aria-label={text.map.buttons}>
        {(
          [
            ['zoomIn', 'M-6 0H6M0-6V6', 1],
            ['zoomOut', 'M-6 0H6', -1],
          ] as const
        ).map(([name, picture, levels]) => (
          <button key={name} type="button" aria-label={text.map[name]} onClick={() => map?.zoom(levels)}>
            <svg viewBox="-8 -8 16 16" width="16" height="16" aria-hidden="true">
              <path d={picture} />
            </svg>
          </button>
        ))}
      </div>
    </div>
  );
}
