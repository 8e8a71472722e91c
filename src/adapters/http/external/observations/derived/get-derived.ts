import { z } from 'zod';
import { Derive, type DerivedPage } from '#application/observations/read/derived/derive.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import { FEELS_LIKE } from '#domain/weather/derived/comfort/feels-like.js';
import { DERIVED_OF_PERIODS } from '#domain/weather/derived/period-quantities.js';
import { PERIODS } from '#domain/weather/derived/period-quantity.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type { QuantityDescription } from '#domain/weather/derived/quantity.js';
import { csvHeading, csvRows, jsonColumns, type TextRows } from '#adapters/formats/text/observation-text.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import type { ExternalContext } from '../../external-context.js';
import { cacheKeyOf, stationContent } from '../../stations/station-content.js';
import { derivedFormulas, derivedRows, derivedUnits } from './derived-columns.js';
import { CSV_TYPE } from '../get-observations.js';
import { LINK_HEADER } from '../next-page.js';
import { pageContent, pageFields, pageStart, ROW_ERRORS, timeColumn } from '../row-page.js';
import {
  decimals,
  names,
  quality,
  replyFormat,
  stationId,
  timeCursor,
  timeRange,
  timeStyle,
  units,
  wholeNumber,
} from '../weather-query.js';

const MESSAGE = 'Derived quantities, oldest first.';
const namesOf = (quantities: readonly QuantityDescription[]) => quantities.map(({ name }) => name).join(', ');

const formulaFields = z.strictObject({
  quantity: z
    .string()
    .optional()
    .describe(`Of \`${FEELS_LIKE}\`: the quantity that the setting \`WEATHERD_FEELS_LIKE\` names`),
  formula: z.string(),
  validity: z.string(),
  standard_name: z.string().nullable().describe('CF standard name'),
  inputs: z.array(z.string()).describe('Variables that the formula reads'),
  stored: z
    .strictObject({ variable: z.string(), rows: z.int().nonnegative() })
    .optional()
    .describe('Number of rows whose value is not computed, but the stored value of a variable'),
});

const QUERY = z.strictObject({
  variables: names().describe('Names of quantities, separated by commas'),
  interval: z
    .enum(PERIODS)
    .optional()
    .describe('Computes quantities of hours or days instead of each observation'),
  ...timeRange(),
  qc: quality().default('pass'),
  units: units(),
  decimals: decimals('as many as the accuracy of each formula justifies'),
  time: timeStyle(),
  format: replyFormat(['json', 'csv']),
  limit: wholeNumber(1, ROW_LIMITS.max).default(ROW_LIMITS.default).describe('Largest number of rows'),
  cursor: timeCursor(),
});

const REPLY = z.strictObject({
  ...pageFields(MESSAGE),
  formulas: z.record(z.string(), formulaFields),
  derived: z.object({ time: timeColumn() }).catchall(z.array(z.number().nullable())),
  next: z.string().nullable().describe('Cursor of the next page'),
});

export function getDerivedEndpoint(context: ExternalContext): AnyEndpoint {
  const { useCase, withPermit, readAccess: access, textThreads: threads, feelsLike } = context;
  const derive = useCase(Derive);
  const derivePeriods = useCase(DerivePeriods);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/derived',
    summary: 'Compute quantities from observations',
    description:
      'A value is null if an input is missing or outside the validity range of the formula. `formulas` in the reply names ' +
      'the formulas and their ranges. Inputs that did not pass quality control are omitted unless `qc=all`. ' +
      `Quantities: ${namesOf(DERIVED)}, and \`${FEELS_LIKE}\`, the quantity that the service shows as such. With \`interval\`, the quantities are computed for calendar hours or days in the zone ` +
      `\`timezone\`, and the times are the starts of these periods: ${namesOf(DERIVED_OF_PERIODS)}.`,
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, query, search } = call;
      const described = await describeStation.execute(params.id, undefined, call);
      const read = async (permit: Permit) => {
        const { qc, timezone, interval, ...selection } = query;
        const input = {
          ...selection,
          quality: qc,
          timeZone: timezone,
          from: selection.from,
          to: selection.to,
          last: selection.last,
          cursor: selection.cursor,
        };
        const page = interval
          ? await derivePeriods.execute(described, { ...input, interval }, permit)
          : await derive.execute(described, { ...input, feelsLike }, permit);
        const rows = derivedRows(page, { ...query, decimals: query.decimals });
        const isCsv = query.format === 'csv';
        const pieces = isCsv ? [csvHeading(rows.columns), ...csvRows(rows)] : toJson(page, rows, query);
        return pageContent(page, page.quantities.length, pieces, { search, threads });
      };
      const body = () => withPermit(call, read);
      return stationContent(
        described,
        [cacheKeyOf(query, described), feelsLike.aliasOf],
        body,
        query.format === 'csv' ? CSV_TYPE : JSON_TYPE,
      );
    },
  });
}

function toJson(
  page: DerivedPage,
  rows: TextRows,
  { limit, units: system }: { readonly limit: number; readonly units: Parameters<typeof derivedUnits>[1] },
) {
  const before = {
    ...pageStart(MESSAGE, page, limit),
    units: derivedUnits(page, system),
    formulas: derivedFormulas(page),
  };
  const after = { next: page.next === null ? null : String(page.next) };
  return jsonColumns('derived', rows, before, after);
}
