import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Position } from '../map/fit.js';
import { Fault } from '../parts/fault.js';
import { usePart } from '../parts/use-part.js';
import { PlaceMap } from './place-map.js';
import { useAdminText } from './text.js';

/** Decimal places of a position: about a meter. */
const DECIMALS = 5;

/** The fields of a place, with the place of the device, and a map to choose the place on. */
export function PlaceFields({ children }: { readonly children: ComponentChildren }) {
  const { place: text } = useAdminText();
  const fields = useRef<HTMLDivElement>(null);
  const [isMapOpen, setMapOpen] = useState(false);
  const [chosen, setChosen] = useState<Position>();
  const [message, setMessage] = useState('');
  const map = usePart(() => import('../map/map-view.js'));
  useEffect(() => {
    if (isMapOpen && map.module === undefined) map.begin();
  }, [isMapOpen]);
  const input = (name: string) => fields.current?.querySelector<HTMLInputElement>(`[name=${name}]`);
  const fill = (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) {
      const field = input(name);
      if (field) field.value = value;
    }
  };
  const choose = ({ latitude, longitude }: Position) => {
    setChosen({ latitude, longitude });
    fill({ latitude: latitude.toFixed(DECIMALS), longitude: longitude.toFixed(DECIMALS) });
  };
  const locate = () => {
    setMessage(text.locating);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setMessage('');
        choose(coords);
        if (coords.altitude !== null) fill({ elevation: String(Math.round(coords.altitude)) });
      },
      ({ code, PERMISSION_DENIED }) => setMessage(code === PERMISSION_DENIED ? text.denied : text.unknown),
      { enableHighAccuracy: true, timeout: 20_000 },
    );
  };
  const toggle = () => {
    const [latitude, longitude] = ['latitude', 'longitude'].map((name) => input(name)?.value ?? '');
    if (latitude && longitude) setChosen({ latitude: Number(latitude), longitude: Number(longitude) });
    setMapOpen(!isMapOpen);
  };
  return (
    <div class="place-fields">
      <div class="row" ref={fields}>
        {children}
      </div>
      <div class="buttons">
        {isSecureContext && (
          <button type="button" onClick={locate}>
            {text.mine}
          </button>
        )}
        <button type="button" aria-expanded={isMapOpen} onClick={toggle}>
          {text.map}
        </button>
      </div>
      <p class="quiet" role="status">
        {message}
      </p>
      {isMapOpen && map.fault !== undefined && <Fault error={map.fault} retry={map.retry} />}
      {isMapOpen && map.module !== undefined && (
        <PlaceMap StationMap={map.module.StationMap} label={text.chosen} place={chosen} onPlace={choose} />
      )}
    </div>
  );
}
