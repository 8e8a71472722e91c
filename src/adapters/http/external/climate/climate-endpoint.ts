import { z } from 'zod';
import type { ClimateTable } from '#application/observations/climate/climate-table.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { type StationSnapshot, DescribeStation } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { yearLabel } from '#domain/weather/climate/calendar-rows.js';
import type { YearSpan } from '#domain/weather/climate/normals.js';
import type { MeasuredElement } from '#domain/weather/climate/elements.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import { ROW_ERRORS } from '../observations/row-page.js';
import { stationId } from '../observations/weather-query.js';
import { stationContent } from '../stations/station-content.js';
import { daysOf, type ClimateTableQuery } from './climate-query.js';
import { tableFields, tableStart } from './climate-reply.js';

/** The result of a climate route. */
export interface ClimateAnswer {
  /** The fields that all climate tables have. */
  readonly table: Pick<ClimateTable, 'station' | 'timeZone' | 'years' | 'source' | 'sources'> & {
    readonly elements: readonly MeasuredElement[];
  };
  /** Returns the further fields of the JSON reply, which only this route has. */
  readonly fields: () => object;
  /** Returns the table as CSV. */
  readonly csv: () => string;
}

/** The properties of a climate route that differ between the routes. */
interface ClimateDeclaration<Query extends ClimateTableQuery> {
  /** The last segment of the path. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly query: z.ZodObject & z.ZodType<Query>;
  /** The fields of the reply after `tableFields`. */
  readonly fields: z.ZodRawShape;
  readonly answer: (described: StationSnapshot, query: Query, permit: Permit) => Promise<ClimateAnswer>;
}

/** The first and the last date of years. */
function boundsOf({ from, to }: YearSpan): [first: string, last: string] {
  return [`${yearLabel(from)}-01-01`, `${yearLabel(to)}-12-31`];
}

/** Declares a route that returns a climate table of a station, as JSON or CSV. */
export function climateEndpoint<Query extends ClimateTableQuery>(
  { useCase, withPermit, readAccess: access }: ExternalContext,
  { name, summary, description, message, query, fields, answer }: ClimateDeclaration<Query>,
): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  const days = useCase(ReadClimateDays);
  return contentEndpoint<{ id: string }, Query>({
    method: 'GET',
    path: `/v1/stations/{id}/climate/${name}`,
    summary,
    description,
    access,
    params: stationId,
    query,
    success: {
      kind: 'content',
      status: 200,
      description: message,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({ ...tableFields(message), ...fields }),
        [CSV_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const described = await describeStation.execute(call.params.id, undefined, call);
      const isCsv = call.query.format === 'csv';
      const read = async (permit: Permit) => {
        const { table, fields: own, csv } = await answer(described, call.query, permit);
        if (isCsv) return { content: csv() };
        const { station, timeZone, years, source } = table;
        const times =
          years !== undefined && source !== 'observations'
            ? days.observationTimes(station, timeZone, ...boundsOf(years))
            : undefined;
        return { content: JSON.stringify({ ...tableStart(message, table, call.query, times), ...own() }) };
      };
      const body = () => withPermit(call, read);
      // The current day is part of the cache key: when a new day begins, a month or a year may become complete although no rows
      // are written.
      const cacheKey = { ...call.query, today: days.today(described, daysOf(call.query)) };
      return stationContent(described, cacheKey, body, isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}
