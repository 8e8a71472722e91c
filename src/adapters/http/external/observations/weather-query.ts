import { z } from 'zod';
import { DURATION_RULE, parseDuration } from '#domain/duration.js';
import { isDateAlone, parseInstant, parseLocalTime, timeFault } from '#domain/time.js';
import { CHART_LIMITS } from '#application/observations/read/charts/chart-observations.js';
import { type Decimals, UNIT_SYSTEMS } from '#domain/weather/units.js';
import { documentedAs } from '../../core/schemas.js';

/** Query parameters that several routes have. */

/**
 * A time in milliseconds since 1970-01-01T00:00:00Z, or the text of a date, whose time depends on the time zone of the
 * station.
 */
export const time = () =>
  z
    .string()
    // If the client did not encode the `+` of an offset, the `+` was decoded as a space. The `+` is restored here.
    .transform((text) => text.replace(/(:\d\d(?:[.,]\d+)?) (\d\d:?\d\d)$/, '$1+$2'))
    .transform((text, context) => {
      if (isDateAlone(text) && parseLocalTime(text) !== undefined) return text;
      const instant = parseInstant(text);
      if (!Number.isNaN(instant)) return instant;
      context.addIssue({ code: 'custom', message: timeFault(text) });
      return z.NEVER;
    });

/** Descriptions of the parameters `from` and `to` in the OpenAPI document. */
const FORMS = 'ISO 8601 with Z or an offset, or a date, which means the start of this day in `timezone`';
export const FROM = `Start of the time range, included. ${FORMS}`;
export const TO = `End of the time range, not included. ${FORMS}`;

/** The duration of a time range that ends now. */
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
      'Duration up to now, instead of `from` and `to`: `24h` (exactly 24 hours), `7d`, `2w`, `1y`, or an ISO 8601 duration such as `P1M`. Days, ' +
        'months and years are calendar units in `timezone`',
    );

/** The time zone of dates without a time. */
export const timeZone = () =>
  z
    .string()
    .max(64)
    // If the client did not encode the `+` of an offset, the `+` was decoded as a space. The `+` is restored here.
    .transform((zone) => zone.replace(/^ /, '+'))
    .default('station')
    .describe(
      'Time zone of dates and calendar intervals: `station`, `UTC`, an IANA name, or a UTC offset (`-03:30`)',
    );

/** The parameters of the time range of a reply, in the order of the OpenAPI document. */
export const timeRange = () => ({
  from: time().optional().describe(FROM),
  to: time().optional().describe(TO),
  last: last(),
  timezone: timeZone(),
});

/** The number of columns of a chart. @param chart description of the chart */
export const chartPoints = (chart: string) =>
  wholeNumber(CHART_LIMITS.min, CHART_LIMITS.max)
    .optional()
    .describe(
      `Number of columns of ${chart}. Each column covers the same time and has up to four rows of each variable, so a reply has more rows than columns. The reply is one page; \`limit\` has no effect`,
    );

interface PageQuery {
  readonly points?: number | undefined;
  readonly cursor?: unknown;
}

/** Whether a query does not combine a chart with a cursor. A chart is one page, so it has no cursor. */
export const isChartOrPage = ({ points, cursor }: PageQuery) => points === undefined || cursor === undefined;
export const CHART_OR_PAGE = {
  path: ['cursor'],
  message: 'A reply with points has only one page. Leave out cursor',
};

/** A list of names. @param maxLength largest number of characters. A list of all variables has 1,000 characters. */
export const names = (maxLength = 2000) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .transform((text) => text.split(',').map((name) => name.trim()));

/** Largest number of characters of a list of stations. The request line and the headers together cannot be longer. */
export const MAX_IDS_LENGTH = 16_384;

export const wholeNumber = (min: number, max: number) =>
  digits(min, max, { type: 'integer', minimum: min, maximum: max });

/** The number of rows of a reply, or `all`. @param max largest number of rows in a page */
export const rowLimit = (max: number) =>
  documentedAs(
    { anyOf: [{ type: 'integer', minimum: 1, maximum: max }, { const: 'all' }] },
    z.string().regex(/^(?:\d{1,16}|all)$/, `${rangeMessage(1, max)}, or all`),
  )
    .transform((text) => (text === 'all' ? text : Number(text)))
    .refine((limit) => limit === 'all' || (limit >= 1 && limit <= max), `${rangeMessage(1, max)}, or all`);

/** The schema of a cursor that is a number. Clients receive the cursor as text in `next`. */
export const numberCursor = (min: number, max: number) => digits(min, max, { type: 'string' });

const digits = (min: number, max: number, form: Readonly<Record<string, unknown>>) =>
  documentedAs(form, z.string().regex(/^\d{1,16}$/, rangeMessage(min, max)))
    .transform(Number)
    .refine((value) => value >= min && value <= max, rangeMessage(min, max));

const rangeMessage = (min: number, max: number) => `Must be a whole number from ${min} to ${max}`;

export const units = () =>
  z
    .enum(UNIT_SYSTEMS)
    .default('metric')
    .describe('Unit system of the values. The reply names the unit of each variable');

/** Largest number of decimals that a request may ask for. */
const MAX_DECIMALS = 12;

/** The number of decimals of the values. @param all the meaning of the parameter's absence */
export const decimals = (all = 'all digits') =>
  documentedAs(
    { anyOf: [{ type: 'integer', minimum: 0, maximum: MAX_DECIMALS }, { enum: ['usual', 'full'] }] },
    z.string().regex(/^(?:\d|1[0-2]|usual|full)$/, `${rangeMessage(0, MAX_DECIMALS)}, usual, or full`),
  )
    .transform((text): Decimals => (text === 'usual' || text === 'full' ? text : Number(text)))
    .optional()
    .describe(
      `Number of decimals of the values. \`usual\`: as people write each variable in its unit, for example 9.7 °C, 1018.7 hPa and 13 mph. \`full\`: all digits. Default: ${all}`,
    );

/** The format of a reply. */
export const replyFormat = <const Formats extends readonly ['json', ...string[]]>(formats: Formats) =>
  z
    .enum(formats)
    .default('json' as Formats[number])
    .describe('Format of the reply');

export const timeStyle = () =>
  z
    .enum(['iso', 'unix'])
    .default('iso')
    .describe('Format of times. `unix`: seconds since 1970-01-01T00:00:00Z');

export const quality = () =>
  z.enum(['all', 'pass']).describe('With `pass`, values that did not pass quality control are omitted');

/** Largest age of a newest value, in seconds. */
export const maxAge = () =>
  wholeNumber(1, 1e10)
    .optional()
    .describe('Largest age of a value in seconds. Older values are omitted. `last_seen` does not change');

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

/** The parameters of a search for stations. */
export const placeFields = {
  near: numbers(2, 'LATITUDE,LONGITUDE')
    .refine(
      ([lat = 0, lon = 0]) => latitude(lat) && longitude(lon),
      'Must be degrees: LATITUDE from -90 to 90, LONGITUDE from -180 to 180',
    )
    .transform(([lat = 0, lon = 0]) => ({ latitude: lat, longitude: lon }))
    .optional()
    .describe('LATITUDE,LONGITUDE in degrees. Stations are sorted by distance, the nearest first'),
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
      'Must be degrees: WEST and EAST from -180 to 180, SOUTH and NORTH from -90 to 90',
    )
    .transform(([west = 0, south = 0, east = 0, north = 0]) => ({ west, south, east, north }))
    .optional()
    .describe(
      'WEST,SOUTH,EAST,NORTH in degrees. WEST is greater than EAST if the area crosses the antimeridian',
    ),
  q: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Search text: part of an id, a name or another identifier'),
};

const CURSOR = '`next` of the previous page';

/** The cursor of a page of stations. It is opaque to clients. */
export const offsetCursor = () => numberCursor(0, 1_000_000_000).default(0).describe(CURSOR);

/** The cursor of a page of rows. It is opaque to clients. */
export const timeCursor = () =>
  documentedAs({ type: 'string' }, z.string().regex(/^-?\d{1,16}$/, 'Must be the value of `next` in a reply'))
    .transform(Number)
    .optional()
    .describe(CURSOR);

/** The path parameter of routes for one station. */
export const stationId = z.strictObject({ id: z.string().describe('Station id') });
