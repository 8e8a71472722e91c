import { z } from 'zod';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { MAX_REJECTIONS, type Rejection } from '#application/observations/ingest/rejection.js';
import { SLICE } from '#application/observations/ingest/slices.js';
import { UNIT_SYSTEMS } from '#domain/weather/units.js';
import { VARIABLES, variableNumbered } from '#domain/weather/variables.js';
import { readCsv } from '#adapters/formats/csv/csv-columns.js';
import { readColumns } from '#adapters/formats/json/json-columns.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_WRITER_OR_UPLOAD_KEY } from '../access.js';
import { documentedAs } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from './get-observations.js';
import { stationId } from './weather-query.js';

const MEBIBYTE = 1_048_576;

/**
 * The schema does not check the items of the column. The items are checked when they are read into columns, because this check is
 * several times as fast as a check by the schema.
 */
const timeColumn = documentedAs(
  { type: 'array', items: { type: ['string', 'number'] } },
  z.array(z.unknown()).describe('ISO 8601 with Z or an offset, or seconds since 1970-01-01T00:00:00Z'),
);
const valueColumn = documentedAs(
  { type: 'array', items: { type: ['number', 'null'] } },
  z.array(z.unknown()).meta({ id: 'ValueColumn' }),
);

const columns = {
  time: timeColumn,
  ...Object.fromEntries(
    VARIABLES.map(({ name, unit }) => [
      name,
      valueColumn.optional().describe(`Numbers in ${unit}; null for an absent value`),
    ]),
  ),
};
const sentUnits = {
  units: z
    .union([z.enum(UNIT_SYSTEMS), z.record(z.string(), z.string())])
    .optional()
    .describe('A unit system, or a unit for each variable. Default: `units` of the query, or metric'),
};

/** Columns, or a reply of `GET` on the same path. The fields of a reply that do not describe its values are accepted and ignored. */
const sentColumns = z.union([
  z.strictObject({ ...sentUnits, ...columns }),
  z.strictObject({
    observations: z.strictObject(columns),
    ...sentUnits,
    ...Object.fromEntries(
      ['success', 'code', 'message', 'station', 'from', 'to', 'limit', 'points', 'quality', 'next'].map(
        (name) => [name, z.unknown().optional().describe('Has no effect')],
      ),
    ),
  }),
]);

const QUERY = z.strictObject({
  units: z
    .enum(UNIT_SYSTEMS)
    .optional()
    .describe('Unit system of the columns that have no unit. Default: `units` of the body, or metric'),
});

const REPLY = z.strictObject({
  inserted: z.int().nonnegative(),
  updated: z.int().nonnegative(),
  unchanged: z.int().nonnegative(),
  repeated: z.int().nonnegative().describe('Number of rows with the same time as an earlier row'),
  repetitions: z.array(
    z.strictObject({
      index: z.int(),
      first: z.int().describe('Index of the first row with this time'),
    }),
  ),
  rejected: z.int().nonnegative(),
  rejections: z.array(z.strictObject({ index: z.int(), field: z.string(), reason: z.string() })),
});

export function postObservationsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const recordObservations = useCase(RecordObservations);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/stations/{id}/observations',
    operationId: 'writeObservations',
    summary: 'Write observations',
    description:
      'The body has columns in JSON, or is a reply of `GET` on this path, or is CSV with a column `time` and a column for each variable. ' +
      'The values of a reply go to the station of the path, and are checked again. A heading of CSV may contain the ' +
      'unit: `air_temperature (°F)`. The request is idempotent: a value replaces the stored value, and an absent value leaves the ' +
      'stored value. If several rows have the same time, the last value of each variable is stored, and `repeated` counts all of these ' +
      'rows except the first. `rejections` lists the rows that cannot be stored; all other rows are stored. `rejections` and ' +
      `\`repetitions\` have at most ${MAX_REJECTIONS} entries each. More than ${SLICE} rows are written in several transactions.`,
    access: ELEVATED_WRITER_OR_UPLOAD_KEY,
    params: stationId,
    query: QUERY,
    body: {
      kind: 'json',
      text: CSV_TYPE,
      schema: sentColumns,
      example: { time: ['2026-01-31T12:00:00Z', '2026-01-31T12:10:00Z'], air_temperature: [3.9, 4.1] },
      limit: 16 * MEBIBYTE,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Written.',
      schema: REPLY,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { id }, query: { units }, body, caller }) => {
      const sent =
        'text' in body && body.text instanceof Uint8Array
          ? await readCsv(body.text, id, units)
          : await readColumns(flatColumns(body), id, units);
      const { rejections, rejected, repeated, repetitions, ...counts } = await recordObservations.execute(
        sent,
        caller,
      );
      const repeats = repetitions.map(({ index, first }) => ({ index, first }));
      return { ...counts, repeated, repetitions: repeats, rejected, rejections: rejections.map(toReply) };
    },
  });
}

/** The columns of a body, which may be nested as in a reply. */
function flatColumns(body: object): object {
  const { observations, units } = body as { readonly observations?: object; readonly units?: unknown };
  return observations === undefined ? body : { ...observations, units };
}

function toReply({ row, reason, variable, text }: Rejection) {
  const field = variable === 0 ? reason : variableNumbered(variable).name;
  return { index: row, field, reason: text };
}
