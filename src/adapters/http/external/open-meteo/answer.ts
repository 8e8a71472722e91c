import type { GetForecast, ShownForecast } from '#application/forecast/read/get-forecast.js';
import type { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import type { DescribeStation, StationSnapshot } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import type { ReadAtTimes } from '#application/observations/read/read-at-times.js';
import type { Summarize } from '#application/observations/read/summarize.js';
import type { FindStations } from '#application/stations/find-stations.js';
import { isDomainError } from '#domain/domain-error.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { ContentBody } from '../../core/reply/content.js';
import { toCsv } from './csv.js';
import { toJson } from './json.js';
import type { LocationReply } from './location-reply.js';
import type { Family } from './names.js';
import {
  invalid,
  type Format,
  type OpenMeteoRequest,
  type Parameters,
  type Place,
  readRequest,
} from './parameters.js';
import { axesOf, countValues, findNames, MAX_VALUES, sectionsOf, tooMany } from './sections.js';
import { StationValues } from './values.js';
import { replyZone } from './zone.js';

/** The media types of the replies, by format. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  // Some clients refuse JSON without a charset.
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  flatbuffers: 'application/octet-stream',
};

export interface OpenMeteoUseCases {
  readonly findStations: FindStations;
  readonly describeStation: DescribeStation;
  readonly readAtTimes: ReadAtTimes;
  readonly summarize: Summarize;
  readonly readClimateDays: ReadClimateDays;
  readonly getForecast: GetForecast;
}

export interface Route {
  readonly family: Family;
  /** Whether the first and the last day must be given, and no forecast is in the reply. */
  readonly isArchive: boolean;
}

/** Answers a request in the form of Open-Meteo: for each place, the nearest station within `radius` kilometers. */
export async function answer(
  parameters: Parameters,
  { family, isArchive }: Route,
  useCases: OpenMeteoUseCases,
  radius: number,
  { audience, permit }: { readonly audience: Audience; readonly permit: Permit },
): Promise<ContentBody & { readonly mediaType: string }> {
  const request = readRequest(parameters, isArchive);
  const names = findNames(request, family);
  const stations = new Map<string, Promise<StationSnapshot>>();
  const located: { readonly place: Place; readonly described: StationSnapshot }[] = [];
  for (const place of request.places) {
    // oxlint-disable-next-line no-await-in-loop -- one request of an anonymous client is one read at a time
    located.push({ place, described: await stationAt(place) });
  }
  let count = 0;
  const planned = located.map(({ place, described }) => {
    const zone = replyZone(place.timeZone, described.station.timeZone, described.asOf);
    const axes = axesOf(place, zone, described, request.hours, names);
    // The values are counted place by place, because the times of all places together may take too much memory.
    count += countValues(names, axes);
    if (count > MAX_VALUES) throw tooMany();
    return { place, described, zone, axes };
  });
  // All values are in memory until the reply is written, also those that are not read from the store.
  await permit.acquire(count);
  const replies: LocationReply[] = [];
  const sources = new Set<string>();
  for (const { place, described, zone, axes } of planned) {
    const began = performance.now();
    const { station } = described;
    // oxlint-disable-next-line no-await-in-loop -- as above
    const forecast = isArchive ? undefined : await forecastOf(station.id);
    const link = forecast && linkOf(forecast);
    if (link !== undefined) sources.add(link);
    const values = new StationValues(described, forecast, useCases, permit);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const sections = await sectionsOf(values, names, axes, request);
    replies.push({
      id: place.id,
      latitude: station.latitude,
      longitude: station.longitude,
      elevation: station.elevation,
      zone,
      sections,
      generationTime: performance.now() - began,
      units: request.units,
      showsCurrent: request.names.current.length > 0,
      showsCurrentWeather: request.names.currentWeather,
    });
  }
  return {
    content: await written(replies, request),
    mediaType: MEDIA_TYPES[request.format],
    ...(sources.size > 0 && { headers: { link: [...sources].join(', ') } }),
  };

  async function stationAt({ latitude, longitude }: Place): Promise<StationSnapshot> {
    const filter = { near: { latitude, longitude }, radius };
    const [found] = (await useCases.findStations.execute(filter, 0, 1, audience)).stations;
    if (found === undefined)
      throw invalid(`No data is available for this location. No station is within ${radius} km.`);
    const { id } = found.station;
    const known = stations.get(id) ?? useCases.describeStation.execute(id, undefined, { audience });
    stations.set(id, known);
    return await known;
  }

  async function forecastOf(id: string): Promise<ShownForecast | undefined> {
    try {
      return await useCases.getForecast.execute(id, undefined, audience);
    } catch (error) {
      if (isDomainError(error, 'FORECAST_UNKNOWN')) return undefined;
      throw error;
    }
  }
}

/** The provider of a forecast as a header `Link` (RFC 8288), because the form of Open-Meteo has no place for it. */
function linkOf({ provider: { attribution } }: ShownForecast): string | undefined {
  // A simulated forecast has no address.
  if (attribution.url === '') return undefined;
  // A header has the characters of ASCII, and a quoted text no quotation marks.
  const title = attribution.text.replaceAll(/[^ -~]|["\\]/g, '');
  return `<${attribution.url}>; rel="cite-as"; title="${title}"`;
}

async function written(
  replies: readonly LocationReply[],
  request: OpenMeteoRequest,
): Promise<string | Uint8Array> {
  const isList = request.places.length > 1;
  if (request.format === 'json') return toJson(replies, isList);
  if (request.format === 'csv') return toCsv(replies, isList, request.omitsLocation);
  const { toFlatBuffers } = await import('./flatbuffers.js');
  return toFlatBuffers(replies);
}
