import type { EndpointCall } from '#adapters/http/core/endpoint.js';
import type { Content } from '#adapters/http/core/reply/content.js';

/** The routes of the dialect. Routes with `isPublic` have no weather data; they need no token even where reads need one. */
export const ROUTES = {
  landing: { path: '/ogc', summary: 'Landing page', isPublic: true },
  conformance: { path: '/ogc/conformance', summary: 'Conformance classes', isPublic: true },
  api: { path: '/ogc/api', summary: 'OpenAPI 3.0 document', isPublic: true },
  collections: { path: '/ogc/collections', summary: 'Collections', isPublic: false },
  collection: { path: '/ogc/collections/{collection}', summary: 'A collection', isPublic: false },
  items: { path: '/ogc/collections/{collection}/items', summary: 'Features', isPublic: false },
  item: { path: '/ogc/collections/{collection}/items/{id}', summary: 'A feature', isPublic: false },
  locations: { path: '/ogc/collections/{collection}/locations', summary: 'Stations', isPublic: false },
  location: {
    path: '/ogc/collections/{collection}/locations/{id}',
    summary: 'Values of a station',
    isPublic: false,
  },
  position: {
    path: '/ogc/collections/{collection}/position',
    summary: 'Values of the station nearest to a point',
    isPublic: false,
  },
  radius: {
    path: '/ogc/collections/{collection}/radius',
    summary: 'Values of the stations around a point',
    isPublic: false,
  },
  area: {
    path: '/ogc/collections/{collection}/area',
    summary: 'Values of the stations in a polygon',
    isPublic: false,
  },
  cube: {
    path: '/ogc/collections/{collection}/cube',
    summary: 'Values of the stations in a box',
    isPublic: false,
  },
} as const;

export type RouteName = keyof typeof ROUTES;

/** A request. `collection` and `id` are present if the path of the route has them. */
export type OgcCall = EndpointCall<
  { readonly collection?: string; readonly id?: string },
  unknown,
  undefined
>;

/** The functions that answer the routes. */
export type Answers = Readonly<Record<RouteName, (call: OgcCall) => Promise<Content>>>;
