import { z } from 'zod';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { type ListedForecast, ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationId } from '../observations/weather-query.js';

const orderFields = z
  .strictObject({
    station: z.string(),
    provider: z.string(),
    since: utcTimestamp().describe('Time of the order'),
    issued: utcTimestamp().nullable().describe('Time of the newest forecast'),
    answered: utcTimestamp().nullable().describe('Time of the last answer of the provider'),
    failing_since: utcTimestamp().nullable(),
    reason: z.string().nullable().describe('Why the last request failed'),
  })
  .meta({ id: 'ForecastOrder' });

const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function toFields({ station, provider, since, issuedAt, answeredAt, failingSince, reason }: ListedForecast) {
  return {
    station,
    provider,
    since: new Date(since).toISOString(),
    issued: toIso(issuedAt),
    answered: toIso(answeredAt),
    failing_since: toIso(failingSince),
    reason,
  };
}

export function listForecastsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listForecasts = useCase(ListForecasts);
  const { list: providers } = useCase(ForecastProviders);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/forecasts',
    summary: 'List the stations with forecasts',
    description:
      'The stations whose owners have ordered forecasts, and the providers. Nothing is asked of anybody before an order.',
    access: ELEVATED_ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Forecasts.',
      schema: z.strictObject({
        forecasts: z.array(orderFields),
        providers: z.array(
          z.strictObject({
            name: z.string(),
            title: z.string(),
            fault: z.string().nullable().describe('Why the provider cannot be used; null if it can'),
            keeps_past: z.boolean().describe('Whether it can be asked for forecasts of the past'),
          }),
        ),
      }),
    },
    errors: [],
    call: async () => ({
      forecasts: (await listForecasts.execute()).map(toFields),
      providers: providers.map((provider) => ({
        name: provider.name,
        title: provider.title,
        fault: provider.fault ?? null,
        keeps_past: 'past' in provider,
      })),
    }),
  });
}

export function putForecastEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addForecast = useCase(AddForecast);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/forecasts/{id}',
    summary: 'Order forecasts for a station',
    description:
      'The first request to the provider follows within 10 s. The position that it gets is rounded.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    body: {
      kind: 'json',
      schema: z.strictObject({ provider: z.string().describe('Name of the provider: `open-meteo`') }),
      example: { provider: 'open-meteo' },
      limit: 1024,
    },
    success: { kind: 'json', status: 200, message: 'Ordered.', schema: z.strictObject({}) },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { id }, body: { provider }, caller }) => {
      await addForecast.execute([id], provider, caller);
      return {};
    },
  });
}

export function deleteForecastEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeForecast = useCase(RemoveForecast);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/forecasts/{id}',
    summary: 'End the forecasts of a station',
    description: 'The provider is not asked any more. Issued forecasts and their scores stay.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['STATION_UNKNOWN', 'FORECAST_UNKNOWN'],
    call: async ({ params: { id }, caller }) => {
      await removeForecast.execute(id, caller);
      return {};
    },
  });
}
