import { useEffect, useState } from 'preact/hooks';
import { Fault } from '../parts/fault.js';
import { loadPart, loadPartAgain } from '../parts/load-part.js';
import { useSite } from '../site-context.js';
import type { MapProps } from './map-props.js';
import type { MapView } from './map-view.js';

/** The place of the map, with the size of the map. The map itself is loaded after the page. */
export function MapPanel(props: MapProps) {
  const { text, streetMap } = useSite();
  const [View, setView] = useState<typeof MapView | undefined>();
  const [fault, setFault] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const load = attempt === 0 ? loadPart : loadPartAgain;
    setFault(undefined);
    load(() => import('./map-view.js')).then((module) => setView(() => module.MapView), setFault);
  }, [attempt]);
  return (
    <section class="map-panel needs-script" aria-label={text.map.title}>
      {View === undefined ? (
        <div class="map-view">
          <div class="map-head" />
          <div class="map-frame">
            {fault !== undefined && <Fault error={fault} retry={() => setAttempt(attempt + 1)} />}
          </div>
          <div class="hours" />
        </div>
      ) : (
        <View {...props} />
      )}
      <p class="map-sources">
        {text.map.barbs} {text.map.land} <a href="https://www.naturalearthdata.com/">Natural Earth</a>.{' '}
        {text.map.places} <a href="https://www.geonames.org/">GeoNames</a>, CC BY 4.0.
        {streetMap && (
          <>
            {' '}
            {text.map.streets} <a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>.
          </>
        )}
      </p>
    </section>
  );
}
