import { FORMATS } from './query-fields.js';
import type { DialectContext } from '../dialect.js';
import { notFound } from './ogc-error.js';
import { ALL_PARAMETERS } from './parameters.js';
import type { OgcCall, RouteName } from './routes.js';
import type { ValueCollectionId } from './edr-collections.js';

export const VALUE_COLLECTIONS = Object.keys(ALL_PARAMETERS) as readonly ValueCollectionId[];
export const COLLECTIONS = ['stations', 'latest', ...VALUE_COLLECTIONS] as const;
export type CollectionId = (typeof COLLECTIONS)[number];

/** Queries of the collections with values, in the order of their metadata. */
export const DATA_QUERIES = ['locations', 'position', 'radius', 'area', 'cube', 'items'] as const;
export const DATA_FORMATS = Object.keys(FORMATS.data).filter((name) => name !== 'json');

/** Routes that collections without values have too. */
const FEATURE_ROUTES: ReadonlySet<RouteName> = new Set(['collection', 'items', 'item']);

/** The collections that have a route. */
export function collectionsWith(route: RouteName): readonly CollectionId[] {
  return FEATURE_ROUTES.has(route) ? COLLECTIONS : VALUE_COLLECTIONS;
}

/**
 * The collection in the path of a request.
 *
 * @throws ProtocolError ROUTE_NOT_FOUND if there is no such collection, or if it does not have the query of the route
 */
export function collectionOf({ params: { collection = '' } }: OgcCall, route: RouteName): CollectionId {
  const known = collectionsWith(route);
  const found = known.find((id) => id === collection);
  if (found !== undefined) return found;
  throw notFound(
    `There is no such collection with this query. Collections that have it: ${known.join(', ')}.`,
  );
}

export function isOfValues(id: CollectionId): id is ValueCollectionId {
  return VALUE_COLLECTIONS.some((known) => known === id);
}

/** The addresses of the dialect, and those of a collection. */
export function addressesOf(
  { addressOf }: Pick<DialectContext, 'addressOf'>,
  { host }: OgcCall,
  id: CollectionId,
) {
  const root = `${addressOf(host)}/ogc`;
  const values = isOfValues(id) ? id : 'observations';
  return {
    root,
    home: `${root}/collections/${id}`,
    locationOf: (station: string) => `${root}/collections/${values}/locations/${encodeURIComponent(station)}`,
  };
}
