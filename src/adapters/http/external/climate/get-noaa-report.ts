import { z } from 'zod';
import { MakeNoaaReport } from '#application/observations/climate/make-noaa-report.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { SOURCES_OF_DAYS } from '#domain/weather/climate/provenance.js';
import { noaaText } from '#adapters/formats/noaa/noaa-text.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import type { ExternalContext } from '../external-context.js';
import { ROW_ERRORS } from '../observations/row-page.js';
import { stationContent } from '../stations/station-content.js';
import { dayFields, daysOf, SOURCE_OF_DAYS } from './climate-query.js';

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** The service accepts observations since 1600. The last year is 9998, because the year after it must have four digits too. */
export const [FIRST_YEAR, LAST_YEAR] = [1600, 9998];

const params = z.strictObject({
  id: z.string().describe('Station id'),
  file: z
    .string()
    .regex(/^\d{4}(?:-(?:0[1-9]|1[0-2]))?\.txt$/, 'Must be a year (2013.txt) or a month (2013-07.txt)')
    .refine(
      (file) => Number(file.slice(0, 4)) >= FIRST_YEAR && Number(file.slice(0, 4)) <= LAST_YEAR,
      `Must have a year from ${FIRST_YEAR} to ${LAST_YEAR}`,
    )
    .describe('`2013.txt` or `2013-07.txt`'),
});

const QUERY = z.strictObject({
  units: z
    .enum(['imperial', 'metric'])
    .default('imperial')
    .describe('`imperial`: °F, in, mph. `metric`: °C, mm, m/s'),
  ...dayFields(),
  source: z.enum(SOURCES_OF_DAYS).optional().describe(SOURCE_OF_DAYS),
});

export function getNoaaReportEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const makeReport = useCase(MakeNoaaReport);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/reports/noaa/{file}',
    summary: 'Get the climatological report of a month or a year as text',
    description:
      "The report has the columns of NOAA's climatological summaries, as WeeWX prints them. The mean temperature is the mean of all " +
      'values; degree days are computed from it with the base 65 °F. The direction of the wind is the direction of the resultant vector. Values ' +
      'that did not pass quality control do not count. Days with too few measurements are listed below the table. With published daily values ' +
      '(`source`), the mean of a day is its published mean, otherwise (high + low) / 2 of published values, otherwise the mean of its observations; a table below ' +
      'the report says how many days of each column come from which source.',
    access,
    params,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: 'The report.',
      mediaTypes: { [TEXT_TYPE]: undefined },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { id, file } = call.params;
      const described = await describeStation.execute(id, undefined, call);
      const body = async () => {
        const [year, month] = file.replace('.txt', '').split('-').map(Number);
        const { units, source } = call.query;
        const input = { year: year as number, month, units, source, ...daysOf(call.query) };
        const page = await withPermit(call, (permit) => makeReport.execute(described, input, permit));
        return { content: noaaText(page.report, described.station, page) };
      };
      return stationContent(described, { file, ...call.query }, body, TEXT_TYPE);
    },
  });
}
