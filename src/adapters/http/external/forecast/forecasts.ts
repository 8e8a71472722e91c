import { z } from 'zod';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { type ListedForecast, ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { changedInMeantime } from '#domain/domain-error.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { stationId } from '../observations/weather-query.js';
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';

const orderFields = z
  .strictObject({
    station: z.string(),
    provider: z.string(),
    since: utcTimestamp().describe('Time of the order'),
    issued: utcTimestamp().nullable().describe('Time of the newest forecast'),
    answered: utcTimestamp().nullable().describe('Time of the last answer of the provider'),
    failing_since: utcTimestamp().nullable(),
    reason: z
      .string()
      .nullable()
      .describe('Why the last request failed; a warning of the provider if it has not failed'),
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

const LIST_FORECASTS_REPLY = z.strictObject({
  forecasts: z.array(orderFields),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      fault: z.string().nullable().describe('Why the provider cannot be used; null if it can'),
      keeps_past: z.boolean().describe('Whether it can be asked for forecasts of the past'),
      simulated: z
        .boolean()
        .describe('Whether its forecasts are invented. They are for stations of the live demo only'),
    }),
  ),
});

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
      schema: LIST_FORECASTS_REPLY,
    },
    errors: [],
    call: async () => ({
      forecasts: (await listForecasts.execute()).map(toFields),
      providers: providers.map((provider) => ({
        name: provider.name,
        title: provider.title,
        fault: provider.fault ?? null,
        keeps_past: 'past' in provider,
        simulated: provider.isSimulated === true,
      })),
    }),
  });
}

const THE_ORDER = 'The order.';

const GET_FORECAST_ORDER_SUCCESS = versionedSuccess(
  THE_ORDER,
  z.strictObject({ forecast: orderFields.pick({ station: true, provider: true, since: true }) }),
);

export function getForecastOrderEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listForecasts = useCase(ListForecasts);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/forecasts/{id}',
    summary: 'Show the provider of the forecasts of a station',
    description:
      'The reply has no state of the requests. A request that replaces the order can send the ETag in If-Match.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: GET_FORECAST_ORDER_SUCCESS,
    errors: ['STATION_UNKNOWN', 'FORECAST_UNKNOWN', 'DATA_DAMAGED'],
    call: async ({ params: { id } }) => {
      const { station, provider, since } = await listForecasts.find(id);
      const forecast = { station, provider, since: new Date(since).toISOString() };
      return versionedContent(THE_ORDER, provider, { forecast });
    },
  });
}

const PUT_FORECAST_BODY = z.strictObject({
  provider: z.string().describe('Name of the provider: `open-meteo`'),
});

export function putForecastEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addForecast = useCase(AddForecast);
  const listForecasts = useCase(ListForecasts);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/forecasts/{id}',
    summary: 'Order forecasts for a station',
    description:
      'The first request to the provider follows within 10 s. The position that it gets is rounded. A station with another provider gets ' +
      'this one. If-Match needs the ETag of `GET /v1/forecasts/{id}`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    params: stationId,
    body: {
      kind: 'json',
      schema: PUT_FORECAST_BODY,
      example: { provider: 'open-meteo' },
      limit: 1024,
    },
    success: { kind: 'json', status: 200, message: 'Ordered.', schema: z.strictObject({}) },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { id }, body: { provider }, caller, conditions }) => {
      const current = async () => (await listForecasts.find(id)).provider;
      const changed = () => changedInMeantime('order of forecasts for', id);
      const expected = await expectedText(conditions, current, 'FORECAST_UNKNOWN', changed);
      await addForecast.execute([id], provider, caller, expected);
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
