import { z } from 'zod';
import type { GetDataVersion } from '../../../application/get-data-version.js';
import { MAX_BUCKETS, type Summarize, type SummaryRow } from '../../../application/summarize.js';
import { COMPLETE_SHARE, type Statistics } from '../../../domain/summaries.js';
import { converter, unitIn, type UnitSystem } from '../../../domain/units.js';
import type { Variable } from '../../../domain/variables.js';
import { type AnyEndpoint, contentEndpoint } from '../endpoint.js';
import { JSON_TYPE } from '../reply.js';
import type { ReadAccess } from './access.js';
import { inPieces } from './observation-text.js';
import { opening, stationContent } from './station-content.js';
import { toUnitFields, unitFields } from './weather-fields.js';
import { instant, names, quality, stationId, units } from './weather-query.js';

const MESSAGE = 'Summaries.';

const measure = () => z.number().nullable();
const time = () => z.string().nullable();
const statistics = z.object({
  count: z.int().nonnegative().describe('Values that went in'),
  expected: z.int().nonnegative().nullable().describe('null where the reporting interval is unknown'),
  min: measure().optional(),
  min_time: time().optional(),
  max: measure().optional(),
  max_time: time().optional(),
  mean: measure().optional(),
  sum: measure().optional(),
});

export function getSummariesEndpoint(
  summarize: Summarize,
  getDataVersion: GetDataVersion,
  access: ReadAccess,
): AnyEndpoint {
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/summaries',
    summary: 'Summaries by hour, day, month or year',
    description:
      'Whole intervals of the calendar of a time zone, those that overlap `[from, to)`. An amount belongs to the interval ' +
      `that ends at its time. \`complete\` wants ${COMPLETE_SHARE * 100} % of the expected values of every variable, and of ` +
      `amounts all. Values that did not pass quality control are left out unless \`qc=all\`. At most ${MAX_BUCKETS} intervals.`,
    access,
    params: stationId,
    query: z.strictObject({
      interval: z.enum(['hour', 'day', 'month', 'year']).default('day'),
      timezone: z.string().max(64).default('station').describe('`station`, `UTC` or an IANA name'),
      day_start: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
        .default('00:00')
        .describe('Local time at which days, months and years begin'),
      from: instant().optional(),
      to: instant().optional(),
      variables: names().optional(),
      qc: quality().default('pass'),
      units: units(),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          success: z.literal(true),
          code: z.literal(200),
          message: z.literal(MESSAGE),
          station: z.string(),
          interval: z.string(),
          time_zone: z.string(),
          day_start: z.string(),
          units: unitFields,
          summaries: z.array(
            z
              .object({
                start: z.string().describe('With the local offset'),
                end: z.string(),
                complete: z.boolean().nullable(),
              })
              .catchall(statistics),
          ),
        }),
      },
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'DATA_DAMAGED', 'SERVICE_UNAVAILABLE'],
    call: ({ params: { id }, query, signal }) =>
      stationContent(getDataVersion, id, query, async () => {
        const { interval, day_start: start } = query;
        const [hours = 0, minutes = 0] = start.split(':').map(Number);
        const { station, timeZone, variables, rows, format } = await summarize.execute(
          {
            station: id,
            interval,
            timeZone: query.timezone,
            dayStart: hours * 60 + minutes,
            from: query.from,
            to: query.to,
            variables: query.variables,
            quality: query.qc,
          },
          signal,
        );
        const fields = {
          ...opening(MESSAGE),
          station: station.id,
          interval,
          time_zone: timeZone,
          day_start: start,
          units: toUnitFields(variables, query.units),
        };
        const texts = function* () {
          yield `${JSON.stringify(fields).slice(0, -1)},"summaries":[`;
          for (const [index, row] of rows.entries()) {
            yield `${index === 0 ? '' : ','}${JSON.stringify(toSummary(row, variables, query.units, format))}`;
          }
          yield ']}';
        };
        return { content: inPieces(texts()) };
      }),
  });
}

type Format = (time: number) => string;

function toSummary(row: SummaryRow, variables: readonly Variable[], system: UnitSystem, format: Format) {
  const columns = variables.map((variable, index) => {
    const { count, ...rest } = row.statistics[index] as Statistics;
    return [
      variable.name,
      { count, expected: row.expected, ...measures(variable, rest, system, format) },
    ] as const;
  });
  return {
    start: format(row.start),
    end: format(row.end),
    complete: row.complete,
    ...Object.fromEntries(columns),
  };
}

/** What is told of a variable depends on how it aggregates. */
function measures(
  variable: Variable,
  { min, minTime, max, maxTime, mean, sum }: Omit<Statistics, 'count'>,
  system: UnitSystem,
  format: Format,
) {
  const convert = converter(variable, unitIn(system, variable), 'unit');
  const value = (number: number) => (Number.isNaN(number) ? null : tidy(convert(number)));
  const at = (instantOf: number) => (Number.isNaN(instantOf) ? null : format(instantOf));
  switch (variable.aggregation) {
    case 'sum':
      return { sum: value(sum) };
    case 'direction':
      return { mean: value(mean) };
    case 'maximum':
      return { max: value(max), max_time: at(maxTime) };
    case 'mean':
      return {
        min: value(min),
        min_time: at(minTime),
        max: value(max),
        max_time: at(maxTime),
        mean: value(mean),
      };
  }
}

/** Means have more digits than anybody has measured, and sums the noise of adding. */
function tidy(value: number): number {
  return Number(value.toPrecision(10));
}
