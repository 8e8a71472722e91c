import type { LatestPage } from '#application/observations/read/list-latest.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { collectionStart } from '#adapters/formats/geojson/feature-collection.js';
import { toFeature } from '../../stations/geojson-reply.js';
import { toLatestFields, toUnitFields, type ValueStyle } from '../weather-fields.js';

/** Writes the reply to `GET /v1/observations/latest?format=geojson`, one text for each station. */
export function* latestGeoJson(
  { stations, next }: Pick<LatestPage, 'stations' | 'next'>,
  limit: number,
  style: ValueStyle,
): Generator<string> {
  const before = {
    ...collectionStart(stations.map(({ station }) => station)),
    units: toUnitFields(VARIABLES, style.units),
  };
  yield `${JSON.stringify(before).slice(0, -1)},"features":[`;
  for (const [index, latest] of stations.entries()) {
    const { station, distance } = latest;
    const found = { station, ...(distance !== undefined && { distance }) };
    const fields = toLatestFields(latest, { units: style.units, decimals: style.decimals });
    // Maps color a point by a numeric property. A suspect or failed value is not a property, so that no map colors a point by it.
    const passed = Object.entries(fields.latest).filter(([, { verdict }]) => verdict === 'pass');
    const values = Object.fromEntries(passed.map(([name, { value }]) => [name, value]));
    yield `${index > 0 ? ',' : ''}${JSON.stringify(toFeature(found, { ...values, ...fields }))}`;
  }
  const after = { limit, next: next === null ? null : String(next) };
  yield `],${JSON.stringify(after).slice(1)}`;
}
