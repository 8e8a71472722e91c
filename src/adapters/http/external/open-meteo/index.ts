import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ReadAtTimes } from '#application/observations/read/read-at-times.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { FindStations } from '#application/stations/find-stations.js';
import {
  type AnyEndpoint,
  type EndpointCall,
  type ErrorReply,
  type PublicError,
} from '../../core/endpoint.js';
import { ProtocolError } from '../../core/errors.js';
import type { Content } from '../../core/reply/content.js';
import type { BodyStream } from '../../core/request/body-kinds.js';
import type { DialectContext } from '../dialect.js';
import type { Route } from './answer.js';
import type { Parameters } from './parameters.js';

/** The paths of Open-Meteo that weatherd answers. */
const ROUTES: Readonly<Record<string, Route>> = {
  '/v1/forecast': { family: 'weather', isArchive: false },
  '/v1/archive': { family: 'weather', isArchive: true },
  '/v1/era5': { family: 'weather', isArchive: true },
  '/v1/air-quality': { family: 'air-quality', isArchive: false },
};

/** The address of the dialect at the external API. */
export const PREFIX = '/openmeteo';

/**
 * Paths of Open-Meteo at the root of the external API. Its clients ignore the status 404 and decode the body as a forecast, so they get the
 * address to use, as an error in the form that they show.
 */
const MISTAKEN = ['/v1/forecast', '/v1/archive', '/v1/marine', '/v1/air-quality', '/v1/flood'];

/** Largest body of a POST, in bytes. */
const MAX_BODY = 128 * 1024;

const ERROR_TYPE = 'application/json; charset=utf-8';

/** The routes of Open-Meteo below `/openmeteo`, and the refusals at the root. */
export function openMeteoDialect(context: DialectContext): readonly AnyEndpoint[] {
  const refusals = MISTAKEN.flatMap((path) => bothMethods(path, 'public', refuse));
  return [...openMeteoRoutes(context, PREFIX), ...refusals];
}

/** The routes of Open-Meteo. @param prefix begin of their paths: `/openmeteo`, or empty on a listener of their own */
export function openMeteoRoutes(context: DialectContext, prefix: string): readonly AnyEndpoint[] {
  const { useCase, readAccess, withPermit, openMeteoRadius: radius } = context;
  const useCases = {
    findStations: useCase(FindStations),
    describeStation: useCase(DescribeStation),
    readAtTimes: useCase(ReadAtTimes),
    summarize: useCase(Summarize),
    readClimateDays: useCase(ReadClimateDays),
    getForecast: useCase(GetForecast),
  };
  return Object.entries(ROUTES).flatMap(([path, route]) =>
    bothMethods(`${prefix}${path}`, readAccess, async (call): Promise<Content> => {
      const { answer } = await import('./answer.js');
      const parameters = await parametersOf(call);
      const { mediaType, ...body } = await withPermit(call, (permit) =>
        answer(parameters, route, useCases, radius, { audience: call.audience, permit }),
      );
      return { mediaType, cacheControl: 'no-store', body: async () => body };
    }),
  );
}

type Call = EndpointCall<unknown, unknown, BodyStream | undefined>;

/** Open-Meteo takes the same parameters in a query and in a body. */
function bothMethods(
  path: string,
  access: AnyEndpoint['access'],
  call: (call: Call) => Content | Promise<Content>,
): readonly AnyEndpoint[] {
  const endpoint = {
    path,
    summary: 'Read weather in the form of Open-Meteo',
    access,
    ignoresQuery: true,
    success: { kind: 'content', status: 200, description: 'The weather.', mediaTypes: {} },
    errors: [],
    errorReply,
    call,
  } as const;
  return [
    { ...endpoint, method: 'GET' },
    {
      ...endpoint,
      method: 'POST',
      body: {
        kind: 'stream',
        mediaType: 'application/x-www-form-urlencoded',
        anyType: true,
        limit: MAX_BODY,
      },
    },
  ];
}

/** The clients of Open-Meteo read an error as a flag and a reason. */
function errorReply({ status, message }: PublicError): ErrorReply {
  return { status, mediaType: ERROR_TYPE, body: JSON.stringify({ error: true, reason: message }) };
}

/** The parameters of the query, and those of the body of a POST: a form or a JSON object. */
async function parametersOf({ search, body, headers }: Call): Promise<Parameters> {
  const { formParameters, jsonParameters } = await import('./parameters.js');
  if (body === undefined) return formParameters(search);
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  const text = Buffer.concat(parts).toString('utf8');
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(headers['content-type'] ?? '');
  return new Map([...formParameters(search), ...(isJson ? jsonParameters(text) : formParameters(text))]);
}

function refuse({ host }: Call): never {
  throw new ProtocolError(
    'REQUEST_INVALID',
    `This service is weatherd. It answers in the form of Open-Meteo at ${PREFIX}/v1/forecast, ${PREFIX}/v1/archive and ${PREFIX}/v1/air-quality: ` +
      `the base address of ${host === '' ? 'this service' : host} for a client is ${PREFIX}/. GET /openapi.json lists the other routes.`,
  );
}
