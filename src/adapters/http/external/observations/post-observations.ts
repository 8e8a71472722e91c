import { z } from 'zod';
import { RecordObservations } from '../../../../application/observations/ingest/record-observations.js';
import { MAX_REJECTIONS, type Rejection } from '../../../../application/observations/ingest/rejection.js';
import { SLICE } from '../../../../application/observations/ingest/slices.js';
import { UNIT_SYSTEMS } from '../../../../domain/weather/units.js';
import { VARIABLES, variableNumbered } from '../../../../domain/weather/variables.js';
import { readCsv } from '../../../formats/csv/csv-columns.js';
import { readColumns } from '../../../formats/json/json-columns.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { ELEVATED_WRITER } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from './get-observations.js';
import { stationId } from './weather-query.js';

const MEBIBYTE = 1_048_576;

const column = z.array(z.unknown());

export const sentColumns = z.strictObject({
  time: column.describe('ISO 8601 with Z or an offset, or seconds since 1970-01-01T00:00:00Z'),
  units: z
    .union([z.enum(UNIT_SYSTEMS), z.record(z.string(), z.string())])
    .optional()
    .describe('A system of units, or a unit by variable; metric when neither the body nor the query says'),
  ...Object.fromEntries(
    VARIABLES.map(({ name, unit }) => [
      name,
      column.optional().describe(`Numbers in ${unit}, null for absent`),
    ]),
  ),
});

export function postObservationsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const recordObservations = useCase(RecordObservations);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/stations/{id}/observations',
    summary: 'Write observations',
    description:
      'Columns in JSON, or CSV with a column `time` and one for each variable. A heading of CSV may name the unit: ' +
      '`air_temperature (°F)`. Idempotent: values that are given replace, values that are absent stay. Of rows with the same ' +
      'time the last given values are kept; `repeated` counts all but the first. Rows that cannot be taken are listed, and ' +
      `repetitions too, ${MAX_REJECTIONS} at most of each; the other rows are kept. More than ${SLICE} rows are written in parts.`,
    access: ELEVATED_WRITER,
    params: stationId,
    query: z.strictObject({
      units: z
        .enum(UNIT_SYSTEMS)
        .optional()
        .describe('Units of the columns that name none; metric when neither the query nor the body says'),
    }),
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
      schema: z.strictObject({
        inserted: z.int().nonnegative(),
        updated: z.int().nonnegative(),
        unchanged: z.int().nonnegative(),
        repeated: z.int().nonnegative().describe('Rows with the time of an earlier row of the request'),
        repetitions: z.array(
          z.strictObject({ index: z.int(), first: z.int().describe('The first row with this time') }),
        ),
        rejected: z.int().nonnegative(),
        rejections: z.array(z.strictObject({ index: z.int(), field: z.string(), reason: z.string() })),
      }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { id }, query: { units }, body, caller }) => {
      const sent =
        'text' in body && body.text instanceof Uint8Array
          ? await readCsv(body.text, id, units)
          : await readColumns(body, id, units);
      const { rejections, ...receipt } = await recordObservations.execute(sent, caller);
      return { ...receipt, rejections: rejections.map(toReply) };
    },
  });
}

function toReply({ row, reason, variable, text }: Rejection) {
  const field = variable === 0 ? reason : variableNumbered(variable).name;
  return { index: row, field, reason: text };
}
