import type { StationInventory } from '#application/stations/list-inventories.js';
import { MANY_STATIONS } from '#application/observations/read/many/find-many.js';
import { readableSpan } from '#application/observations/read/observation-query.js';
import { FindStations } from '#application/stations/find-stations.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import { type Variable, variableNumbered, VARIABLES } from '#domain/weather/variables.js';
import type { Content } from '#adapters/http/core/reply/content.js';
import { boundingBox } from '#adapters/formats/geojson/feature-collection.js';
import type { DialectContext } from '../dialect.js';
import { toTime } from '../observations/weather-fields.js';
import { etagOf } from '../stations/station-content.js';
import {
  addressesOf,
  type CollectionId,
  collectionOf,
  COLLECTIONS,
  DATA_FORMATS,
  DATA_QUERIES,
  isOfValues,
} from './addresses.js';
import { apiDocument } from './api-document.js';
import { valueCollections } from './edr-collections.js';
import type { Answers, OgcCall } from './routes.js';
import { type Parameter, writeParameter } from './parameters.js';
import {
  CRS84,
  DISTANCE_UNITS,
  FORMATS,
  type Kind,
  mediaTypeOf,
  OPENAPI_TYPE,
  readQuery,
} from './query-fields.js';

const SPEC = 'http://www.opengis.net/spec';
const CONFORMANCE = [
  ...['core', 'json', 'oas30'].map((name) => `${SPEC}/ogcapi-common-1/1.0/conf/${name}`),
  `${SPEC}/ogcapi-common-2/1.0/conf/collections`,
  ...['core', 'geojson', 'oas30'].map((name) => `${SPEC}/ogcapi-features-1/1.0/conf/${name}`),
  ...['core', 'collections', 'json', 'geojson', 'edr-geojson', 'covjson', 'oas30', 'queries'].map(
    (name) => `${SPEC}/ogcapi-edr-1/1.1/conf/${name}`,
  ),
];

/** CRS84 as Well-Known Text, which the metadata of EDR require. */
const CRS84_WKT =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.01745329251994328]]';
const GREGORIAN = 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian';
const WORLD = [-180, -90, 180, 90];

const FEATURE_COLLECTIONS = {
  stations: {
    title: 'Stations',
    description: 'The stations, with the time range and the parameters of their observations.',
  },
  latest: {
    title: 'Newest values',
    description:
      'The newest value of each parameter of each station, with its own time in `times`. Values that did not pass quality control are omitted.',
  },
} as const;

/** The stations that the metadata describe; undefined if there are more than `MANY_STATIONS`. */
type Described = readonly StationInventory[] | undefined;

/** Landing page, conformance classes, OpenAPI document and collections. */
export function metadataAnswers(
  context: DialectContext,
): Pick<Answers, 'landing' | 'conformance' | 'api' | 'collections' | 'collection'> {
  const { useCase, addressOf } = context;
  const findStations = useCase(FindStations);
  const listInventories = useCase(ListInventories);
  const values = valueCollections(useCase);

  /** A few stations are described exactly; for many the metadata name the world and all parameters, so that the work is bounded. */
  const describe = async (audience: Audience): Promise<Described> => {
    const { stations, next } = await findStations.execute({}, 0, MANY_STATIONS, audience);
    return next === null
      ? await listInventories.inventoriesOf(stations.map(({ station }) => station))
      : undefined;
  };

  const write = (call: OgcCall, id: CollectionId, described: Described) => {
    const { home } = addressesOf(context, call, id);
    const about = isOfValues(id) ? values[id] : FEATURE_COLLECTIONS[id];
    const collection = isOfValues(id) ? values[id] : values.observations;
    const parameters: readonly Parameter[] =
      id === 'stations' ? [] : collection.parametersOf(variablesIn(described));
    const link = (rel: string, path: string, type: string, title: string) => ({
      rel,
      type,
      title,
      href: `${home}${path}`,
    });
    const queries = isOfValues(id) ? DATA_QUERIES : (['items'] as const);
    const formats = isOfValues(id) ? DATA_FORMATS : ['GeoJSON'];
    return {
      id,
      title: about.title,
      description: about.description,
      keywords: ['weather', 'stations', id],
      itemType: 'feature',
      crs: [CRS84],
      extent: extentIn(described, id),
      links: [
        link('self', '', FORMATS.document.json, about.title),
        link('items', '/items', FORMATS.features.GeoJSON, 'Stations as features'),
        ...queries.map((name) =>
          link(
            'data',
            `/${name}`,
            isFeatures(name) ? FORMATS.features.GeoJSON : FORMATS.data.CoverageJSON,
            `Query ${name}`,
          ),
        ),
      ],
      data_queries: Object.fromEntries(queries.map((name) => [name, dataQuery(home, name)])),
      output_formats: formats,
      ...(isOfValues(id) && { distanceunits: Object.keys(DISTANCE_UNITS) }),
      parameter_names: Object.fromEntries(
        parameters.map((one) => [one.name, writeParameter(one, home, 'metadata')] as const),
      ),
    };
  };

  const document = (call: OgcCall, kind: Kind, query: { readonly f?: string | undefined }, body: object) => {
    const mediaType = mediaTypeOf(kind, call, query);
    const content = JSON.stringify(body);
    return Promise.resolve<Content>({
      mediaType,
      etag: etagOf([mediaType, content]),
      vary: 'Accept',
      cacheControl: 'no-cache',
      body: async () => ({ content }),
    });
  };
  const rootOf = ({ host }: OgcCall) => `${addressOf(host)}/ogc`;

  return {
    landing: async (call) => {
      const root = rootOf(call);
      const link = (rel: string, href: string, type: string, title: string) => ({ rel, type, title, href });
      const json = FORMATS.document.json;
      return document(call, 'document', readQuery('landing', call), {
        title: 'weatherd',
        description: 'Weather stations, their observations, summaries and forecasts.',
        links: [
          link('self', root, json, 'This page'),
          link('service-desc', `${root}/api`, OPENAPI_TYPE, 'OpenAPI 3.0 document'),
          link('conformance', `${root}/conformance`, json, 'Conformance classes'),
          link('data', `${root}/collections`, json, 'Collections'),
        ],
      });
    },
    conformance: async (call) =>
      document(call, 'document', readQuery('conformance', call), { conformsTo: CONFORMANCE }),
    api: async (call) =>
      document(call, 'api', readQuery('api', call), apiDocument(context, addressOf(call.host))),
    collections: async (call) => {
      const query = readQuery('collections', call);
      const described = await describe(call.audience);
      const root = rootOf(call);
      return document(call, 'document', query, {
        links: [
          { rel: 'self', type: FORMATS.document.json, title: 'Collections', href: `${root}/collections` },
        ],
        collections: COLLECTIONS.map((id) => write(call, id, described)),
      });
    },
    collection: async (call) => {
      const id = collectionOf(call, 'collection');
      const query = readQuery('collection', call);
      return document(call, 'document', query, write(call, id, await describe(call.audience)));
    },
  };
}

function variablesIn(described: Described): readonly Variable[] {
  if (described === undefined) return VARIABLES;
  const numbers = new Set(described.flatMap(({ inventory }) => inventory.variables));
  return [...numbers].toSorted((a, b) => a - b).map(variableNumbered);
}

function extentIn(described: Described, id: CollectionId) {
  const spans = (described ?? []).map(({ inventory }) => readableSpan(inventory));
  const isKnown = spans.length > 0 && id !== 'forecast';
  const first = isKnown ? Math.min(...spans.map((span) => span.first ?? Infinity)) : Infinity;
  const last = isKnown ? Math.max(...spans.map((span) => span.last ?? -Infinity)) : -Infinity;
  // An end of the interval of summaries is after the last observation, and its start may be before the first one.
  const isOpen = first > last || id === 'summaries';
  return {
    spatial: { bbox: [boundingBox((described ?? []).map(({ station }) => station)) ?? WORLD], crs: CRS84 },
    temporal: { interval: [isOpen ? [null, null] : [toTime(first), toTime(last)]], trs: GREGORIAN },
  };
}

const isFeatures = (name: (typeof DATA_QUERIES)[number]) => name === 'items' || name === 'locations';

function dataQuery(home: string, name: (typeof DATA_QUERIES)[number]) {
  const formats = isFeatures(name) ? ['GeoJSON'] : DATA_FORMATS;
  return {
    link: {
      href: `${home}/${name}`,
      rel: 'data',
      type: isFeatures(name) ? FORMATS.features.GeoJSON : FORMATS.data.CoverageJSON,
      variables: {
        title: `Query ${name}`,
        query_type: name,
        output_formats: formats,
        default_output_format: formats[0],
        crs_details: [{ crs: CRS84, wkt: CRS84_WKT }],
        ...(name === 'radius' && { within_units: Object.keys(DISTANCE_UNITS) }),
        ...(name === 'cube' && { height_units: ['m'] }),
      },
    },
  };
}
