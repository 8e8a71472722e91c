import { hash } from 'node:crypto';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import {
  FindMany,
  MANY_STATIONS,
  type StationsRequest,
} from '#application/observations/read/many/find-many.js';
import type { Position } from '#application/ports/station-search.js';
import { FindStations } from '#application/stations/find-stations.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Content, ContentBody } from '#adapters/http/core/reply/content.js';
import { GEOJSON_TYPE } from '#adapters/formats/geojson/feature-collection.js';
import type { DialectContext } from '../dialect.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import { columnBody, inPieces, pacedBody } from '../observations/paced-body.js';
import { etagOf, stationContent } from '../stations/station-content.js';
import { addressesOf, collectionOf } from './addresses.js';
import { type StationValues, type ValueCollectionId, valueCollections } from './edr-collections.js';
import type { Answers, OgcCall, RouteName } from './routes.js';
import { invalid, notFound, tooLarge } from './ogc-error.js';
import { type DataQuery, DISTANCE_UNITS, mediaTypeOf, POSITION_KM, readQuery } from './query-fields.js';
import { countValues, coverageJson, valueCsv, valueGeoJson } from './value-text.js';
import { boxOf, contains, readPoint, readPolygons } from './wkt.js';

/** Largest number of stations in the box around polygons: with the most points, comparing them takes 20 ms. */
const MAX_IN_BOX = 2500;

type DataRoute = 'location' | 'position' | 'radius' | 'area' | 'cube';

/** The queries of OGC API - EDR: values of one station, or of the stations of an area. */
export function queryAnswers(context: DialectContext): Pick<Answers, DataRoute> {
  const { useCase, withPermit, textThreads } = context;
  const findMany = useCase(FindMany);
  const findStations = useCase(FindStations);
  const collections = valueCollections(useCase);

  /** Answers a query, whose stations `find` selects. */
  const answer = async <Name extends DataRoute>(
    name: Name,
    call: OgcCall,
    find: (query: ReturnType<typeof readQuery<Name>>) => StationsRequest | Promise<StationsRequest>,
  ): Promise<Content> => {
    const id = collectionOf(call, name) as ValueCollectionId;
    const collection = collections[id];
    const query = readQuery(name, call);
    const asked: DataQuery = query;
    if (id !== 'summaries' && asked.interval !== 'day')
      throw invalid('interval: Only the collection summaries has intervals.');
    const mediaType = mediaTypeOf('data', call, asked);
    const stations = await findMany.execute({ ...(await find(query)), audience: call.audience });
    const read = (permit: Permit) => collection.read(stations, asked, permit, call.audience);
    const addresses = addressesOf(context, call, id);
    const isSingle = name === 'location' || name === 'position';
    const write = (values: readonly StationValues[], permit: Permit): ContentBody => {
      if (mediaType === GEOJSON_TYPE) {
        const links = [{ rel: 'self', type: mediaType, href: selfOf(addresses.root, call, name) }];
        return { content: pacedBody(inPieces(valueGeoJson(values, addresses, links, Date.now())), permit) };
      }
      const pieces = mediaType === CSV_TYPE ? valueCsv(values) : coverageJson(values, addresses, isSingle);
      return { content: columnBody(pieces, countValues(values), textThreads) };
    };
    const common = { isWeak: true, vary: 'Accept' } as const;
    if (collection.isVersioned) {
      const body = () => withPermit(call, async (permit) => write(await read(permit), permit));
      const version = stations.map((station) => station.version).join('\n');
      const key = [name, id, addresses.home, query];
      return { ...stationContent({ version }, key, body, mediaType), ...common };
    }
    return withPermit(call, async (permit) => {
      const values = await read(permit);
      return {
        mediaType,
        etag: etagOf([name, id, addresses.home, query, mediaType, hashOf(values, stations)]),
        ...common,
        cacheControl: 'no-cache',
        body: async () => write(values, permit),
      };
    });
  };

  const nearest = async (position: Position, { audience }: OgcCall): Promise<StationsRequest> => {
    const filter = { near: position, radius: POSITION_KM };
    const { stations } = await findStations.execute(filter, 0, 1, audience).catch(orSwapped);
    const [found] = stations;
    if (found === undefined) throw notFound(`No station is within ${POSITION_KM} km of this point.`);
    return { ids: [found.station.id] };
  };

  return {
    location: (call) => answer('location', call, () => ({ ids: [call.params.id ?? ''] })),
    position: (call) => answer('position', call, ({ coords }) => nearest(readPoint(coords), call)),
    radius: (call) =>
      answer('radius', call, async ({ coords, within, 'within-units': unit }) => {
        const filter = { near: readPoint(coords), radius: within * DISTANCE_UNITS[unit] };
        // The search is made here too, because its refusal of a swapped position speaks of the parameters of another route.
        await findStations.execute(filter, 0, 1, call.audience).catch(orSwapped);
        return filter;
      }),
    area: (call) =>
      answer('area', call, async ({ coords }) => {
        const polygons = readPolygons(coords);
        const filter = { bbox: boxOf(polygons) };
        const { stations, next } = await findStations.execute(filter, 0, MAX_IN_BOX, call.audience);
        if (next !== null)
          throw tooLarge(
            `The box around the polygon has more than ${MAX_IN_BOX} stations. Ask for smaller areas.`,
          );
        const ids: string[] = [];
        for (const { station } of stations) {
          // One station more than a request may have, so that the request is refused.
          if (ids.length > MANY_STATIONS) break;
          if (contains(polygons, station)) ids.push(station.id);
        }
        return { ids };
      }),
    cube: (call) => answer('cube', call, ({ bbox }) => ({ bbox })),
  };
}

/** Replaces the refusal of a position whose latitude and longitude are probably swapped. In Well-Known Text the longitude is first. */
function orSwapped(error: unknown): never {
  if (!isDomainError(error, 'REQUEST_INVALID')) throw error;
  throw invalid(
    'coords: No station is near this point, but near the swapped point. The longitude comes first.',
  );
}

function selfOf(root: string, { params: { collection = '', id }, search }: OgcCall, name: RouteName): string {
  const path = id === undefined ? name : `locations/${encodeURIComponent(id)}`;
  return `${root}/collections/${collection}/${path}${search === '' ? '' : `?${search}`}`;
}

/** A text that differs after every change of values or of the stations. */
function hashOf(all: readonly StationValues[], stations: readonly StationSnapshot[]): string {
  const numbers = all.map(({ station, parts, columns }) => [
    station.number,
    columns.map(({ name }) => name),
    parts.map(({ times, values }) => [[...times], [...values.values()].map((column) => [...column])]),
  ]);
  return hash('sha256', JSON.stringify([numbers, stations.map(({ version }) => version)]), 'base64url');
}
