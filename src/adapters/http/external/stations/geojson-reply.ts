import { z } from 'zod';
import type { FoundStation } from '#application/ports/station-search.js';
import type { Station } from '#domain/weather/station.js';
import { pointFeature } from '#adapters/formats/geojson/feature-collection.js';
import { stationFields, toStationFields } from '../observations/weather-fields.js';

export const featureFields = stationFields.omit({ latitude: true, longitude: true });

/** The schema of a page of stations as GeoJSON. */
export function collectionFields(properties: z.ZodObject) {
  return z.object({
    type: z.literal('FeatureCollection'),
    bbox: z
      .array(z.number())
      .optional()
      .describe('West, south, east and north of the stations on this page; absent if there are none'),
    features: z.array(
      z.strictObject({
        type: z.literal('Feature'),
        id: z.string(),
        geometry: z.strictObject({
          type: z.literal('Point'),
          coordinates: z.array(z.number()).describe('Longitude and latitude in degrees'),
        }),
        properties,
      }),
    ),
    limit: z.int(),
    next: z.string().nullable().describe('Cursor of the next page; null on the last page'),
  });
}

/** A station as a feature. @param more further properties */
export function toFeature(found: Partial<FoundStation> & { readonly station: Station }, more: object = {}) {
  const { latitude: _latitude, longitude: _longitude, ...fields } = toStationFields(found);
  return { ...pointFeature(found.station.id, found.station), properties: { ...fields, ...more } };
}
