import { z } from 'zod';
import type { RecordObservations } from '../../../application/record-observations.js';
import { UNIT_SYSTEMS } from '../../../domain/units.js';
import { VARIABLES } from '../../../domain/variables.js';
import { type AnyEndpoint, jsonEndpoint } from '../endpoint.js';
import { ELEVATED_WRITER } from './access.js';
import { CSV_TYPE } from './get-observations.js';
import { readColumns, readCsv } from './sent-observations.js';
import { stationId } from './weather-query.js';

/** Rejections that a reply lists; `rejected` counts all. */
const MAX_LISTED = 1000;
const MEBIBYTE = 1_048_576;

const column = z.array(z.unknown());

export const sentColumns = z.strictObject({
  time: column.describe('ISO 8601 with Z or an offset, or seconds since 1970-01-01T00:00:00Z'),
  units: z
    .union([z.enum(UNIT_SYSTEMS), z.record(z.string(), z.string())])
    .default('metric')
    .describe('A system of units, or a unit by variable'),
  ...Object.fromEntries(
    VARIABLES.map(({ name, unit }) => [
      name,
      column.optional().describe(`Numbers in ${unit}, null for absent`),
    ]),
  ),
});

export function postObservationsEndpoint(recordObservations: RecordObservations): AnyEndpoint {
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/stations/{id}/observations',
    summary: 'Write observations',
    description:
      'Columns in JSON, or CSV with a column `time` and one for each variable. Idempotent: values that are given replace, ' +
      `values that are absent stay. Rows that cannot be taken are listed, ${MAX_LISTED} at most; the others are kept.`,
    access: ELEVATED_WRITER,
    params: stationId,
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
        rejected: z.int().nonnegative(),
        rejections: z.array(z.strictObject({ index: z.int(), field: z.string(), reason: z.string() })),
      }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { id }, body, caller }) => {
      const sent = 'text' in body && typeof body.text === 'string' ? readCsv(body.text) : readColumns(body);
      const { rejections, ...counts } = await recordObservations.execute(id, sent, caller);
      return { ...counts, rejections: rejections.slice(0, MAX_LISTED) };
    },
  });
}
