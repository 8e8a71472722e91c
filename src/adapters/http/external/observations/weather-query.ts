import { z } from 'zod';
import { DURATION_RULE, parseDuration } from '#domain/duration.js';
import { isDateAlone, parseInstant, parseLocalTime, timeFault } from '#domain/time.js';
import { CHART_LIMITS } from '#application/observations/read/charts/chart-observations.js';
import { UNIT_SYSTEMS } from '#domain/weather/units.js';
import { documentedAs } from '../../core/schemas.js';

/** Query parameters of several routes. */

/**
 * An instant in milliseconds since 1970-01-01T00:00:00Z, or a date as it was sent, because its instant depends on the
 * time zone of the station.
 */
export const time = () =>
  z
    .string()
    // The `+` of an offset is decoded as a space if the client did not encode it.
    .transform((text) => text.replace(/(:\d\d(?:[.,]\d+)?) (\d\d:?\d\d)$/, '$1+$2'))
    .transform((text, context) => {
      if (isDateAlone(text) && parseLocalTime(text) !== undefined) return text;
      const instant = parseInstant(text);
      if (!Number.isNaN(instant)) return instant;
      context.addIssue({ code: 'custom', message: timeFault(text) });
      return z.NEVER;
    });

/** Descriptions of these parameters in the OpenAPI document. */
const FORMS =
  'ISO 8601 with Z or an offset, or a date, which means the first instant of that day in `timezone`';
export const FROM = `Included. ${FORMS}`;
export const TO = `Not included. ${FORMS}`;

/** The time up to now. */
export const last = () =>
  z
    .string()
    .max(64)
    .transform((text, context) => {
      const duration = parseDuration(text);
      if (duration !== undefined) return duration;
      context.addIssue({ code: 'custom', message: `Must be ${DURATION_RULE}` });
      return z.NEVER;
    })
    .optional()
    .describe(
      'The time up to now, in place of `from` and `to`: `24h` (exactly), `7d`, `2w`, `1y`, or a duration of ISO 8601 such as `P1M`. Days, ' +
        'months and years are those of the calendar in `timezone`',
    );

/** The time zone of dates without a time. */
export const timeZone = () =>
  z
    .string()
    .max(64)
    // In a query `+` stands for a blank.
    .transform((zone) => zone.replace(/^ /, '+'))
    .default('station')
    .describe('`station`, `UTC`, an IANA name, or an offset (`-03:30`)');

/** The time of the rows of a reply, in the order of the document. */
export const timeRange = () => ({
  from: time().optional().describe(FROM),
  to: time().optional().describe(TO),
  last: last(),
  timezone: timeZone(),
});

/** The columns of a chart. @param chart what has so many columns */
export const chartPoints = (chart: string) =>
  wholeNumber(CHART_LIMITS.min, CHART_LIMITS.max)
    .optional()
    .describe(`Number of columns of equal time of ${chart}. The reply is one page; \`limit\` has no effect`);

interface PageQuery {
  readonly points?: number | undefined;
  readonly cursor?: unknown;
}

/** A chart is one page. */
export const isChartOrPage = ({ points, cursor }: PageQuery) => points === undefined || cursor === undefined;
export const CHART_OR_PAGE = {
  path: ['cursor'],
  message: 'A reply with points has one page: leave out cursor',
};

/** @param longest characters of the list; that of all variables has 1,000 */
export const names = (longest = 2000) =>
  z
    .string()
    .min(1)
    .max(longest)
    .transform((text) => text.split(',').map((name) => name.trim()));

/** Characters of a list of stations: what the head of a request can hold. */
export const MAX_IDS_LENGTH = 16_384;

export const wholeNumber = (least: number, most: number) =>
  digits(least, most, { type: 'integer', minimum: least, maximum: most });

/** The rows of a reply. @param most largest number of a page */
export const rowLimit = (most: number) =>
  documentedAs(
    { anyOf: [{ type: 'integer', minimum: 1, maximum: most }, { const: 'all' }] },
    z.string().regex(/^(?:\d{1,16}|all)$/, `${wanted(1, most)}, or all`),
  )
    .transform((text) => (text === 'all' ? text : Number(text)))
    .refine((limit) => limit === 'all' || (limit >= 1 && limit <= most), `${wanted(1, most)}, or all`);

/** The number from which a page goes on. Clients get it as text in `next`. */
export const numberCursor = (least: number, most: number) => digits(least, most, { type: 'string' });

const digits = (least: number, most: number, form: Readonly<Record<string, unknown>>) =>
  documentedAs(form, z.string().regex(/^\d{1,16}$/, wanted(least, most)))
    .transform(Number)
    .refine((value) => value >= least && value <= most, wanted(least, most));

const wanted = (least: number, most: number) => `Must be a whole number from ${least} to ${most}`;

export const units = () =>
  z
    .enum(UNIT_SYSTEMS)
    .default('metric')
    .describe('Units of the values; the reply names the unit of each variable');

/** The form of a reply. */
export const replyFormat = <const Formats extends readonly ['json', ...string[]]>(formats: Formats) =>
  z
    .enum(formats)
    .default('json' as Formats[number])
    .describe('Form of the reply');

export const timeStyle = () =>
  z.enum(['iso', 'unix']).default('iso').describe('unix: seconds since 1970-01-01T00:00:00Z');

export const quality = () =>
  z.enum(['all', 'pass']).describe('pass: values that did not pass quality control are omitted');

/** The largest age of a newest value, in seconds. */
export const maxAge = () =>
  wholeNumber(1, 1e10).optional().describe('Seconds. Values that are older are omitted; `last_seen` stays');

const numbers = (count: number, form: string) =>
  z
    .string()
    .max(128)
    .transform((text) =>
      text
        .split(',')
        .map((part) => (/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*$/.test(part) ? Number(part) : Number.NaN)),
    )
    .refine((parts) => parts.length === count && !parts.some(Number.isNaN), `Must be ${form}`);

const latitude = (value: number) => value >= -90 && value <= 90;
const longitude = (value: number) => value >= -180 && value <= 180;

/** Parameters of a search for stations. */
export const placeFields = {
  near: numbers(2, 'LATITUDE,LONGITUDE')
    .refine(
      ([lat = 0, lon = 0]) => latitude(lat) && longitude(lon),
      'Must be degrees: -90 to 90, -180 to 180',
    )
    .transform(([lat = 0, lon = 0]) => ({ latitude: lat, longitude: lon }))
    .optional()
    .describe('LATITUDE,LONGITUDE in degrees. Stations are sorted by distance, nearest first'),
  radius: documentedAs(
    { type: 'number', minimum: 0 },
    z.string().regex(/^(?:\d+(?:\.\d*)?|\.\d+)$/, 'Must be a number of kilometers'),
  )
    .transform(Number)
    .optional()
    .describe('Largest distance from `near` in kilometers'),
  bbox: numbers(4, 'WEST,SOUTH,EAST,NORTH')
    .refine(
      ([west = 0, south = 0, east = 0, north = 0]) =>
        [west, east].every(longitude) && [south, north].every(latitude),
      'Must be degrees: -180 to 180, -90 to 90',
    )
    .transform(([west = 0, south = 0, east = 0, north = 0]) => ({ west, south, east, north }))
    .optional()
    .describe(
      'WEST,SOUTH,EAST,NORTH in degrees. WEST is greater than EAST if the area crosses the antimeridian',
    ),
  q: z.string().min(1).max(100).optional().describe('Part of an id, a name or another identifier'),
};

const CURSOR = '`next` of the previous page';

/** The start of a page. Opaque to clients. */
export const offsetCursor = () => numberCursor(0, 1_000_000_000).default(0).describe(CURSOR);

/** The start of a page of rows. Opaque to clients. */
export const timeCursor = () =>
  documentedAs({ type: 'string' }, z.string().regex(/^-?\d{1,16}$/, 'Must be the `next` of a page'))
    .transform(Number)
    .optional()
    .describe(CURSOR);

/** The path parameter of routes to one station. */
export const stationId = z.strictObject({ id: z.string().describe('Station id') });
