import { z } from 'zod';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { DomainError } from '#domain/domain-error.js';
import { FORECAST_VARIABLES, forecastVariableNamed } from '#domain/forecast/forecast-variables.js';
import { quoted } from '#domain/quoted.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import {
  decimals,
  names,
  replyFormat,
  stationId,
  time,
  timeZone,
  units,
  wholeNumber,
} from '../observations/weather-query.js';
import { envelopeStart, etagOf } from '../stations/station-content.js';
import { forecastCsv, forecastFields, toForecastFields } from './forecast-reply.js';

const MESSAGE = 'The forecast of the station.';
/** Hours of the longest forecast. */
const MAX_HOURS = 240;

const QUERY = z.strictObject({
  variables: names()
    .optional()
    .describe('Names, separated by commas. Default: all variables of the forecast'),
  hours: wholeNumber(1, MAX_HOURS).optional().describe('Number of hours after the issue. Default: all'),
  units: units(),
  decimals: decimals(),
  timezone: timeZone(),
  issued: time()
    .optional()
    .describe('A time with Z or an offset: the newest forecast that was issued up to it'),
  format: replyFormat(['json', 'csv']),
});

const REPLY = z.strictObject({ ...envelopeFields(MESSAGE), ...forecastFields });

export function getForecastEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const getForecast = useCase(GetForecast);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/forecast',
    summary: 'Read the forecast of a station',
    description:
      'The newest forecast of the provider, corrected with what the station has learned of its errors. A corrected value is published only ' +
      'while corrected values have been better; `raw` has the values of the provider. With `issued`, the reply is the forecast that was shown at ' +
      'that time. A station whose owner has not ordered forecasts has none.',
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
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'FORECAST_UNKNOWN', 'DATA_DAMAGED'],
    call: async ({ params: { id }, query, audience }) => {
      const { issued, variables, format, timezone } = query;
      if (typeof issued === 'string')
        throw invalid('issued is a date without a time. Give a time with Z or an offset.');
      for (const name of variables ?? []) assertVariable(name);
      const shown = await getForecast.execute(id, issued, audience, timezone);
      const isCsv = format === 'csv';
      const content = isCsv
        ? forecastCsv(shown, query)
        : JSON.stringify({ ...envelopeStart(MESSAGE), ...toForecastFields(shown, query) });
      return {
        mediaType: isCsv ? CSV_TYPE : JSON_TYPE,
        etag: etagOf(content),
        cacheControl: 'no-cache',
        body: async () => ({ content }),
      };
    },
  });
}

function assertVariable(name: string): void {
  if (forecastVariableNamed(name) !== undefined) return;
  const known = FORECAST_VARIABLES.map((variable) => variable.name).join(', ');
  throw invalid(`${quoted(name)} is not a variable of forecasts. The variables are ${known}.`);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
