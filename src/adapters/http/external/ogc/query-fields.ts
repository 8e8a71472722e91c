import { z } from 'zod';
import { MANY_STATIONS } from '#application/observations/read/many/find-many.js';
import { parseInstant, MILLISECONDS } from '#domain/time.js';
import { CALENDAR_INTERVALS } from '#domain/weather/summaries/bucket.js';
import { acceptedType } from '#adapters/http/core/reply/accept.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { parseFields } from '#adapters/http/core/request/sent-fields.js';
import { parseQuery } from '#adapters/http/core/request/target.js';
import { ProtocolError } from '#adapters/http/core/errors.js';
import { documentedAs } from '#adapters/http/core/schemas.js';
import { GEOJSON_TYPE } from '#adapters/formats/geojson/feature-collection.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import { names, placeFields, quality, time } from '../observations/weather-query.js';
import type { OgcCall, RouteName } from './routes.js';
import { schemaFault } from '#adapters/formats/text/schema-fault.js';

export const COVERAGE_TYPE = 'application/prs.coverage+json';
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0';
/** WGS 84, longitude before latitude. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';

/** The values of the parameter `f` of each kind of resource, and their media types; the first is the default. */
export const FORMATS = {
  document: { json: JSON_TYPE },
  api: { openapi: OPENAPI_TYPE, json: JSON_TYPE },
  features: { GeoJSON: GEOJSON_TYPE, json: JSON_TYPE },
  data: { CoverageJSON: COVERAGE_TYPE, GeoJSON: GEOJSON_TYPE, CSV: CSV_TYPE, json: JSON_TYPE },
} as const satisfies Record<string, Readonly<Record<string, string>>>;
export type Kind = keyof typeof FORMATS;

/** Number of features of a page: the default and the maximum. A greater `limit` means the maximum, as OGC 17-069r4 requires. */
export const FEATURE_LIMITS = { default: 100, max: 1000 } as const;
/** Distance in kilometers within which `position` finds a station. */
export const POSITION_KM = 20;
/** Kilometers of each distance unit of `radius`. */
export const DISTANCE_UNITS = { km: 1, m: 0.001, miles: 1.609344 } as const;

/** A span of time in milliseconds since 1970-01-01T00:00:00Z. Both ends are included; an open end is undefined. */
export interface TimeSpan {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** One of the names, in any case. */
const named = <const Names extends Readonly<Record<string, unknown>>>(choices: Names) => {
  const known = Object.keys(choices) as (keyof Names & string)[];
  return documentedAs(
    { type: 'string', enum: known },
    z.string().transform((text, context) => {
      const found = known.find((name) => name.toLowerCase() === text.toLowerCase());
      if (found !== undefined) return found;
      context.addIssue({ code: 'custom', message: `Must be ${known.join(' or ')}` });
      return z.NEVER;
    }),
  );
};

const format = (kind: Kind) =>
  named(FORMATS[kind])
    .optional()
    .describe('Format of the reply. Default: the format that the header `Accept` prefers');

const datetime = () =>
  documentedAs({ type: 'string' }, z.string().max(160).transform(toSpan))
    .optional()
    .describe(
      'An instant or an interval of RFC 3339 (`2013-07-01T00:00:00Z/2013-07-31T23:59:59Z`, `../2013-07-31T00:00:00Z`). Both ends are included. ' +
        'A date means its day in UTC',
    );

function toSpan(text: string, context: z.RefinementCtx): TimeSpan {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const bounds = text.split('/');
  const isInterval = bounds.length === 2;
  if (bounds.length > 2) return refuse('Must be an instant, or an interval with one slash');
  const [from, to = from] = bounds.map((bound) => {
    if (isInterval && (bound === '..' || bound === '')) return { from: undefined, to: undefined };
    const parsed = time().safeParse(bound, { error: schemaFault });
    if (!parsed.success) return parsed.error.issues[0]?.message ?? '';
    if (typeof parsed.data === 'number') return { from: parsed.data, to: parsed.data };
    const midnight = parseInstant(`${parsed.data}T00:00:00Z`);
    return { from: midnight, to: midnight + MILLISECONDS.day - 1 };
  }) as [TimeSpan | string, (TimeSpan | string)?];
  if (typeof from === 'string') return refuse(from);
  if (typeof to === 'string') return refuse(to);
  if (from.from !== undefined && to.to !== undefined && to.to < from.from)
    return refuse('The interval ends before it begins');
  return { from: from.from, to: to.to };
}

/** Four numbers, or six with heights, which are ignored, because the positions of stations have two dimensions. */
const box = () =>
  documentedAs(
    { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 6 },
    z
      .string()
      .max(256)
      .transform((text, context) => {
        const sent = text.split(',');
        const flat = sent.length === 6 ? [0, 1, 3, 4].map((at) => sent[at]) : sent;
        const parsed = placeFields.bbox.safeParse(flat.join(','), { error: schemaFault });
        if (parsed.success && parsed.data !== undefined) return parsed.data;
        context.addIssue({ code: 'custom', message: parsed.error?.issues[0]?.message ?? 'Must be a box' });
        return z.NEVER;
      }),
  ).describe(
    'West, south, east and north in degrees. West is greater than east if the box crosses the antimeridian',
  );

const limit = () =>
  documentedAs(
    {
      type: 'integer',
      minimum: 1,
      maximum: FEATURE_LIMITS.max,
    },
    z.string().regex(/^0{0,15}[1-9]\d{0,15}$/, 'Must be a whole number from 1'),
  )
    .transform((text) => Math.min(Number(text), FEATURE_LIMITS.max))
    .optional()
    .describe(
      `Largest number of features. Default: ${FEATURE_LIMITS.default}. A number above the maximum means the maximum`,
    );

const CRS_NAMES = [CRS84, CRS84.replace('http:', 'https:'), 'OGC:CRS84', 'CRS84'] as const;

const dataFields = {
  datetime: datetime(),
  'parameter-name': documentedAs({ type: 'array', items: { type: 'string' } }, names(8000))
    .optional()
    .describe('Names of parameters of the collection, separated by commas. Default: all'),
  parameter_names: documentedAs({ type: 'array', items: { type: 'string' } }, names(8000))
    .optional()
    .describe('Another name of `parameter-name`, which OWSLib sends'),
  crs: z.enum(CRS_NAMES).optional().describe('CRS84, the only coordinate reference system'),
  qc: quality()
    .default('pass')
    .describe(
      'With `pass`, values that did not pass quality control and summaries that are not valid are omitted',
    ),
  interval: z
    .enum(CALENDAR_INTERVALS)
    .default('day')
    .describe('Length of the intervals of the collection `summaries`'),
  f: format('data'),
};
const height = z
  .string()
  .optional()
  .describe('Accepted and ignored, because the values have no vertical dimension');
const coords = (text: string) => z.string().min(1).max(16_384).describe(text);
const point = coords('`POINT(longitude latitude)` in Well-Known Text');
const listFields = {
  bbox: box().optional(),
  datetime: datetime(),
  limit: limit(),
  after: z.string().optional().describe('Set by the link `next` of a page'),
  f: format('features'),
};
const documentFields = { f: format('document') };

/** The query parameters of each route. Unknown parameters are refused, as OGC 17-069r4 requires. */
export const QUERIES = {
  landing: z.strictObject(documentFields),
  conformance: z.strictObject(documentFields),
  api: z.strictObject({ f: format('api') }),
  collections: z.strictObject(documentFields),
  collection: z.strictObject(documentFields),
  items: z.strictObject(listFields),
  item: z.strictObject({ f: format('features') }),
  locations: z.strictObject({ ...listFields, crs: dataFields.crs }),
  location: z.strictObject(dataFields),
  position: z.strictObject({ coords: point, z: height, ...dataFields }),
  radius: z.strictObject({
    coords: point,
    within: documentedAs(
      { type: 'number', minimum: 0 },
      z.string().regex(/^(?:\d+(?:\.\d*)?|\.\d+)$/, 'Must be a number'),
    )
      .transform(Number)
      .describe(`Largest distance from the point. At most ${MANY_STATIONS} stations`),
    'within-units': named(DISTANCE_UNITS).describe('Unit of `within`'),
    z: height,
    ...dataFields,
  }),
  area: z.strictObject({
    coords: coords(
      `\`POLYGON((…))\` or \`MULTIPOLYGON(((…)))\` in Well-Known Text, longitude first. At most ${MANY_STATIONS} stations`,
    ),
    z: height,
    ...dataFields,
  }),
  cube: z.strictObject({ bbox: box(), z: height, ...dataFields }),
} as const satisfies Record<RouteName, z.ZodObject>;

export type QueryOf<Name extends RouteName> = z.output<(typeof QUERIES)[Name]>;
export type DataQuery = QueryOf<'location'>;

/** The query of a request. @throws ProtocolError REQUEST_INVALID */
export function readQuery<const Name extends RouteName>(name: Name, { search }: OgcCall): QueryOf<Name> {
  return parseFields(QUERIES[name], parseQuery(search), 'query') as QueryOf<Name>;
}

/**
 * The media type of a reply: that of `f`, otherwise the one that the client prefers.
 *
 * @throws ProtocolError for a client that accepts none of the media types
 */
export function mediaTypeOf(kind: Kind, call: OgcCall, { f }: { readonly f?: string | undefined }): string {
  const types: Readonly<Record<string, string>> = FORMATS[kind];
  const type = f === undefined ? acceptedType(call, Object.values(types)) : types[f];
  if (type !== undefined) return type;
  throw new ProtocolError(
    'MEDIA_TYPE_UNSUPPORTED',
    `This resource exists as ${Object.values(types).join(', ')}.`,
  );
}
