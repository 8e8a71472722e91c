import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { GetLatest, type Latest } from '#application/observations/read/get-latest.js';
import { ListLatest } from '#application/observations/read/list-latest.js';
import { readableSpan } from '#application/observations/read/observation-query.js';
import type { Inventory } from '#application/ports/observation-store.js';
import type { BoundingBox } from '#application/ports/station-search.js';
import { unknownForecast } from '#application/forecast/forecast-orders.js';
import { FindStations } from '#application/stations/find-stations.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { Content } from '#adapters/http/core/reply/content.js';
import { collectionStart } from '#adapters/formats/geojson/feature-collection.js';
import type { DialectContext } from '../dialect.js';
import { toTime } from '../observations/weather-fields.js';
import { toFeature } from '../stations/geojson-reply.js';
import { etagOf } from '../stations/station-content.js';
import { addressesOf, collectionOf, type CollectionId } from './addresses.js';
import { valueCollections, variablesOf } from './edr-collections.js';
import type { Answers, OgcCall } from './routes.js';
import {
  FEATURE_LIMITS,
  FORMATS,
  mediaTypeOf,
  type QueryOf,
  readQuery,
  type TimeSpan,
} from './query-fields.js';

/** A station as a feature, before its addresses are known. */
interface Found {
  readonly station: Station;
  /** The time that the values of the feature cover; null if it has none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Names of the parameters of the station. */
  readonly names: readonly string[];
  /** Further properties. */
  readonly more?: object;
}

interface Page {
  readonly features: readonly Found[];
  /** Id of the last station that was examined; null on the last page. */
  readonly after: string | null;
}

interface Search {
  readonly bbox: BoundingBox | undefined;
  readonly after: string | undefined;
  readonly limit: number;
  readonly audience: Audience;
}

/**
 * The features of the collections, which are stations. A page begins after the id of the last station of the page before it, so that a
 * walk over the pages meets each station once, whatever is added or removed in the meantime.
 */
export function featureAnswers(context: DialectContext): Pick<Answers, 'items' | 'item' | 'locations'> {
  const { useCase, withPermit } = context;
  const findStations = useCase(FindStations);
  const listInventories = useCase(ListInventories);
  const listForecasts = useCase(ListForecasts);
  const listLatest = useCase(ListLatest);
  const getLatest = useCase(GetLatest);
  const describeStation = useCase(DescribeStation);
  const collections = valueCollections(useCase);

  const fromInventory = (id: CollectionId, station: Station, inventory: Inventory): Found => {
    const collection = collections[id === 'stations' || id === 'latest' ? 'observations' : id];
    const isForecast = id === 'forecast';
    const { first, last } = isForecast ? { first: null, last: null } : readableSpan(inventory);
    return {
      station,
      first,
      last,
      names: collection.parametersOf(variablesOf({ inventory })).map(({ name }) => name),
    };
  };
  /**
   * A station whose newest row may be damaged has no values, but is a feature, so that the number of features is known. The list of
   * newest values leaves it out, so that the stations are searched too: after the list, because a station that was added in between
   * has no values.
   */
  const findLatest = async (call: OgcCall, { bbox, after, limit, audience }: Search): Promise<Page> => {
    const filter = { bbox, after };
    const page = await withPermit(call, (permit) =>
      listLatest.execute(filter, 0, limit, permit, { audience }),
    );
    const found = await findStations.execute(filter, 0, limit, audience);
    const latest = new Map(page.stations.map((one) => [one.station.id, one]));
    const end = page.next === null ? undefined : page.stations.at(-1)?.station.id;
    const stations = found.stations.filter(({ station: { id } }) => end === undefined || id <= end);
    return {
      features: stations.map(({ station }) => fromLatest(station, latest.get(station.id))),
      after: page.next === null && found.next === null ? null : (stations.at(-1)?.station.id ?? end ?? null),
    };
  };
  const findDescribed = async (id: CollectionId, search: Search): Promise<Page> => {
    const { bbox, after, limit, audience } = search;
    const { stations, next } = await findStations.execute({ bbox, after }, 0, limit, audience);
    const found = await listInventories.inventoriesOf(stations.map(({ station }) => station));
    const ordered =
      id === 'forecast' ? new Set((await listForecasts.execute()).map(({ station }) => station)) : undefined;
    return {
      features: found
        .filter(({ station }) => ordered?.has(station.id) ?? true)
        .map(({ station, inventory }) => fromInventory(id, station, inventory)),
      after: next === null ? null : (stations.at(-1)?.station.id ?? null),
    };
  };

  const list = async (route: 'items' | 'locations', call: OgcCall): Promise<Content> => {
    const id = collectionOf(call, route);
    const query: QueryOf<'items'> = readQuery(route, call);
    const mediaType = mediaTypeOf('features', call, query);
    const { bbox, after, datetime, limit = FEATURE_LIMITS.default } = query;
    // A page of a selection examines as many stations as the largest page, because few of them may be selected.
    const isSelection = datetime !== undefined || id === 'forecast';
    const examined = isSelection ? FEATURE_LIMITS.max : limit;
    const { audience } = call;
    const search = { bbox, after, limit: examined, audience };
    const page = await (id === 'latest' ? findLatest(call, search) : findDescribed(id, search));
    const matching = page.features.filter((found) => intersects(found, datetime));
    const features = matching.slice(0, limit);
    const next = features.length < matching.length ? (features.at(-1)?.station.id ?? null) : page.after;
    // The features of a selection are counted only if all of them are on this page.
    const isWhole = next === null && after === undefined;
    const matched = isWhole
      ? features.length
      : isSelection
        ? undefined
        : await findStations.count(bbox, audience);
    const addresses = addressesOf(context, call, id);
    const self = `${addresses.home}/${route}`;
    const members = {
      ...collectionStart(features.map(({ station }) => station)),
      features: features.map((found) => featureOf(found, addresses.locationOf)),
      ...(matched !== undefined && { numberMatched: matched }),
      numberReturned: features.length,
      links: [
        ...ownLinks(self, call.search, mediaType),
        ...(next === null
          ? []
          : [{ rel: 'next', type: mediaType, href: `${self}?${withField(call.search, 'after', next)}` }]),
        { rel: 'collection', type: FORMATS.document.json, href: addresses.home },
      ],
    };
    return {
      mediaType,
      etag: etagOf([mediaType, members]),
      isWeak: true,
      vary: 'Accept',
      cacheControl: 'no-cache',
      body: async () => ({ content: JSON.stringify({ ...members, timeStamp: toTime(Date.now()) }) }),
    };
  };

  const findOne = async (id: CollectionId, station: string, audience: Audience): Promise<Found> => {
    if (id === 'latest') {
      const latest = await getLatest.execute(station, undefined, undefined, audience);
      return fromLatest(latest.station, latest);
    }
    const described = await describeStation.execute(station, undefined, { audience, allowsDamage: true });
    const isOrdered = async () => (await listForecasts.execute()).some((one) => one.station === station);
    if (id === 'forecast' && !(await isOrdered())) throw unknownForecast(station);
    return fromInventory(id, described.station, described.inventory);
  };

  return {
    items: (call) => list('items', call),
    locations: (call) => list('locations', call),
    item: async (call) => {
      const id = collectionOf(call, 'item');
      const mediaType = mediaTypeOf('features', call, readQuery('item', call));
      const found = await findOne(id, call.params.id ?? '', call.audience);
      const addresses = addressesOf(context, call, id);
      const self = `${addresses.home}/items/${encodeURIComponent(found.station.id)}`;
      const content = JSON.stringify({
        ...featureOf(found, addresses.locationOf),
        links: [
          ...ownLinks(self, call.search, mediaType),
          { rel: 'collection', type: FORMATS.document.json, href: addresses.home },
        ],
      });
      return {
        mediaType,
        etag: etagOf([mediaType, content]),
        vary: 'Accept',
        cacheControl: 'no-cache',
        body: async () => ({ content }),
      };
    },
  };
}

/** The newest values of a station. Values that did not pass quality control are left out, so that no map shows them. */
function fromLatest(station: Station, latest: Latest | undefined): Found {
  const passed = [...(latest?.newest.values ?? [])].filter(([, { flags }]) => flags === 0);
  const named = passed.map(([number, newestValue]) => ({
    name: variableNumbered(number).name,
    ...newestValue,
  }));
  const lastSeen = latest?.newest.lastSeen ?? null;
  return {
    station,
    first: lastSeen,
    last: lastSeen,
    names: named.map(({ name }) => name),
    more: {
      last_seen: lastSeen === null ? null : toTime(lastSeen),
      ...Object.fromEntries(named.map(({ name, value }) => [name, value])),
      times: Object.fromEntries(named.map(({ name, time }) => [name, toTime(time)])),
    },
  };
}

function featureOf({ station, first, last, names, more }: Found, locationOf: (id: string) => string) {
  const end = (time: number | null) => (time === null ? '..' : toTime(time));
  return toFeature(
    { station },
    {
      label: station.name,
      datetime: first !== null && first === last ? toTime(first) : `${end(first)}/${end(last)}`,
      'parameter-name': names,
      edrqueryendpoint: locationOf(station.id),
      ...more,
    },
  );
}

/** Whether the time of a feature intersects a span. A feature without a time always does (OGC 17-069r4, 7.15.4). */
function intersects({ first, last }: Found, span: TimeSpan | undefined): boolean {
  if (span === undefined || first === null || last === null) return true;
  return first <= (span.to ?? Infinity) && last >= (span.from ?? -Infinity);
}

/** The links of features to themselves and to themselves in the other formats (OGC 17-069r4, 7.15.6). */
function ownLinks(address: string, search: string, mediaType: string) {
  const others = Object.entries(FORMATS.features).filter(([, type]) => type !== mediaType);
  return [
    { rel: 'self', type: mediaType, href: `${address}${search === '' ? '' : `?${search}`}` },
    ...others.map(([format, type]) => ({
      rel: 'alternate',
      type,
      href: `${address}?${withField(search, 'f', format)}`,
    })),
  ];
}

/** A query with a field in place of the field of the same name. */
function withField(search: string, name: string, value: string): string {
  const fields = new URLSearchParams(search);
  fields.set(name, value);
  return fields.toString();
}
