import { z } from 'zod';
import type { ClimateTable } from '#application/observations/climate/climate-table.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { type StationSnapshot, DescribeStation } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
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

/** The station, the years and the elements of a table; its own fields in JSON; and all of it as CSV. */
export interface ClimateAnswer {
  readonly table: Pick<ClimateTable, 'station' | 'timeZone' | 'years' | 'source'> & {
    readonly elements: readonly MeasuredElement[];
  };
  readonly fields: () => object;
  readonly csv: () => string;
}

/** What the routes of the tables of the climate differ in. */
interface ClimateDeclaration<Query extends ClimateTableQuery> {
  /** The last segment of the path. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly query: z.ZodObject & z.ZodType<Query>;
  /** The fields of the reply that follow those of `tableFields`. */
  readonly fields: z.ZodRawShape;
  readonly answer: (described: StationSnapshot, query: Query, permit: Permit) => Promise<ClimateAnswer>;
}

/** Declares a route that returns a table of the climate of a station, as JSON or CSV. */
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
        return { content: JSON.stringify({ ...tableStart(message, table, call.query), ...own() }) };
      };
      const body = () => withPermit(call, read);
      // What is over changes with the day, also where nothing was written.
      const question = { ...call.query, today: days.today(described, daysOf(call.query)) };
      return stationContent(described, question, body, isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}
