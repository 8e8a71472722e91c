import { useEffect } from 'preact/hooks';
import { Fault } from '../parts/fault.js';
import { usePart } from '../parts/use-part.js';
import { useSite } from '../site-context.js';
import type { MapProps } from './map-props.js';

/** The place of the map, with the size of the map. The map itself is loaded after the page. */
export function MapPanel(props: MapProps) {
  const { text, streetMap } = useSite();
  const { module, fault, begin, retry } = usePart(() => import('./map-view.js'));
  useEffect(begin, []);
  return (
    <section class="map-panel needs-script" aria-label={text.map.title}>
      {module === undefined ? (
        <div class="map-view">
          <div class="map-head" />
          <div class="map-frame">{fault !== undefined && <Fault error={fault} retry={retry} />}</div>
          {!props.isPast && <div class="hours" />}
        </div>
      ) : (
        <module.MapView {...props} />
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
