import { z } from 'zod';
import { GetForecastCases, MAX_CASE_DAYS } from '#application/forecast/read/get-forecast-cases.js';
import { forecastVariableNamed, type ForecastVariable } from '#domain/forecast/forecast-variables.js';
import { LEADS } from '#domain/forecast/leads.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import { ROW_ERRORS } from '../observations/row-page.js';
import { toTime } from '../observations/weather-fields.js';
import { replyFormat, stationId, wholeNumber } from '../observations/weather-query.js';
import { envelopeStart, etagOf } from '../stations/station-content.js';
import { COMPARED } from './get-verification.js';

const MESSAGE = 'Single forecasts and what was observed.';
const [USUAL_HOUR, USUAL_DAYS] = [12, 60];
const FIELDS = ['time', 'issued', 'raw', 'forecast', 'p10', 'p90', 'observed'] as const;

const number = z.number();

const QUERY = z.strictObject({
  variable: z
    .enum(COMPARED)
    .exclude(['frost'])
    .default('air_temperature')
    .describe('A variable with observations'),
  lead: z.enum(LEADS).default('24-47').describe('First and last hour from the issue to the hour'),
  hour: wholeNumber(0, 23).default(USUAL_HOUR).describe('Hour of the day of the station'),
  days: wholeNumber(1, MAX_CASE_DAYS).default(USUAL_DAYS).describe('Number of days up to now'),
  format: replyFormat(['json', 'csv']),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  variable: z.string(),
  unit: z.string(),
  lead: z.string(),
  hour: z.int(),
  attribution: z.strictObject({ text: z.string(), url: z.string() }),
  cases: z.array(
    z
      .strictObject({
        time: z.iso.datetime(),
        issued: z.iso.datetime().describe('Time at which the service received the forecast'),
        raw: number.describe('The value of the provider'),
        forecast: number.describe('The published value'),
        p10: number.nullable(),
        p90: number.nullable(),
        observed: number,
      })
      .meta({ id: 'ForecastCase' }),
  ),
});

export function getForecastCasesEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const getCases = useCase(GetForecastCases);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/forecast/verification/cases',
    summary: 'Read single forecasts of a station and what was observed',
    description:
      'For each of the last days, the newest forecast of a lead time for one hour of the local day, and the observation of this hour that ' +
      'passed quality control. Days without one of both are left out. Times are whole hours of UTC, the next ones to the local hour. Units are metric.',
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
      },
    },
    errors: [...ROW_ERRORS, 'FORECAST_UNKNOWN'],
    call: async (call) => {
      const { variable: name, lead, hour, days, format } = call.query;
      const variable = forecastVariableNamed(name) as ForecastVariable;
      const request = { variable, lead: LEADS.indexOf(lead), hour, days };
      const { station, provider, cases } = await withPermit(call, (permit) =>
        getCases.execute(call.params.id, request, call.audience, permit),
      );
      const rows = cases.map(({ time, issued, raw, published, low, high, observed }) => ({
        time: toTime(time),
        issued: toTime(issued),
        raw,
        forecast: published,
        p10: Number.isNaN(low) ? null : low,
        p90: Number.isNaN(high) ? null : high,
        observed,
      }));
      const isCsv = format === 'csv';
      const content = isCsv
        ? `${[FIELDS.join(','), ...rows.map((row) => FIELDS.map((field) => row[field] ?? '').join(','))].join('\r\n')}\r\n`
        : JSON.stringify({
            ...envelopeStart(MESSAGE),
            station: station.id,
            variable: name,
            unit: variable.unit,
            lead,
            hour,
            attribution: provider.attribution,
            cases: rows,
          });
      return {
        mediaType: isCsv ? CSV_TYPE : JSON_TYPE,
        etag: etagOf(content),
        cacheControl: 'no-cache',
        body: async () => ({ content }),
      };
    },
  });
}
