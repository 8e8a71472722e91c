import { z } from 'zod';
import { Derive, type DerivedPage } from '../../../../application/observations/read/derive.js';
import { DescribeStation } from '../../../../application/observations/read/describe-station.js';
import { ROW_LIMITS } from '../../../../application/observations/read/read-observations.js';
import { DERIVED } from '../../../../domain/weather/derived.js';
import { jsonColumns } from '../../../formats/text/observation-text.js';
import type { TimeStyle } from '../../../formats/text/text-column.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import type { ExternalContext } from '../external-context.js';
import { stationContent } from '../stations/station-content.js';
import { LINK_HEADER } from './next-page.js';
import { readerOf } from './paced-body.js';
import { pageContent, pageFields, pageStart, ROW_ERRORS } from './row-page.js';
import {
  FROM,
  names,
  quality,
  stationId,
  time,
  timeCursor,
  timeStyle,
  timeZone,
  TO,
  wholeNumber,
} from './weather-query.js';

const MESSAGE = 'Derived quantities, oldest first.';
/** Number of decimals of a derived value. The formulas are less accurate than that. */
const DECIMALS = 2;

export function getDerivedEndpoint(context: ExternalContext): AnyEndpoint {
  const { useCase, readAccess: access, textThreads: threads } = context;
  const derive = useCase(Derive);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/derived',
    summary: 'Compute quantities from observations',
    description:
      'A value is null if an input is missing or outside the validity range of the formula. `formulas` in the reply names ' +
      'the formulas and their ranges. Inputs that did not pass quality control are omitted unless `qc=all`. ' +
      `Quantities: ${DERIVED.map(({ name }) => name).join(', ')}.`,
    access,
    params: stationId,
    query: z.strictObject({
      variables: names(),
      from: time().optional().describe(FROM),
      to: time().optional().describe(TO),
      timezone: timeZone(),
      qc: quality().default('pass'),
      time: timeStyle(),
      limit: wholeNumber(1, ROW_LIMITS.max).default(ROW_LIMITS.usual),
      cursor: timeCursor(),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          ...pageFields(MESSAGE),
          formulas: z.record(z.string(), z.strictObject({ formula: z.string(), validity: z.string() })),
          derived: z
            .object({ time: z.array(z.union([z.string(), z.number()])) })
            .catchall(z.array(z.number().nullable())),
          next: z.string().nullable(),
        }),
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, query, search } = call;
      const described = await describeStation.execute(params.id);
      return stationContent(described, query, async () => {
        const { qc, timezone, time: format, ...rest } = query;
        const input = {
          ...rest,
          quality: qc,
          timeZone: timezone,
          from: rest.from,
          to: rest.to,
          cursor: rest.cursor,
        };
        const page = await derive.execute(described, input, readerOf(call));
        const pieces = toJson(page, query.limit, format);
        return pageContent(page, page.quantities.length, pieces, { search, threads });
      });
    },
  });
}

function toJson(page: DerivedPage, limit: number, format: TimeStyle) {
  const { parts, quantities, next } = page;
  const before = {
    ...pageStart(MESSAGE, page, limit),
    units: Object.fromEntries(quantities.map(({ name, unit }) => [name, unit])),
    formulas: Object.fromEntries(
      quantities.map(({ name, formula, validity }) => [name, { formula, validity }]),
    ),
  };
  const columns = quantities.map(({ name }, number) => ({
    number,
    name,
    conversion: { decimals: DECIMALS },
  }));
  const after = { next: next === null ? null : String(next) };
  return jsonColumns('derived', { parts, columns, format }, before, after);
}
