import type { EndpointMaker } from '../core/api-context.js';
import type { AnyEndpoint } from '../core/endpoint.js';
import { getHealthInfoEndpoint, getLivelinessEndpoint, listChecksEndpoint } from '../shared/health.js';
import { getInfoEndpoint } from '../shared/get-info.js';
import { withOpenApi } from '../shared/get-openapi.js';
import { getHeaderEndpoint } from './get-header.js';
import { getMetricsEndpoint } from './get-metrics.js';
import { getNewestEndpoint } from './get-newest.js';
import { getBulkObservationsEndpoint } from './get-observations.js';
import type { InternalContext } from './internal-context.js';
import { introspectTokenEndpoint } from './introspect-token.js';
import { listNumberedStationsEndpoint } from './list-stations.js';
import { postBulkObservationsEndpoint } from './post-observations.js';
import { postStationsEndpoint } from './post-stations.js';

const ENDPOINTS: readonly EndpointMaker<InternalContext>[] = [
  getInfoEndpoint,
  getLivelinessEndpoint,
  getHealthInfoEndpoint,
  listChecksEndpoint,
  getMetricsEndpoint,
  introspectTokenEndpoint,
  postBulkObservationsEndpoint,
  getBulkObservationsEndpoint,
  getNewestEndpoint,
  listNumberedStationsEndpoint,
  postStationsEndpoint,
  getHeaderEndpoint,
];

/** Every endpoint of the internal API. */
export function internalEndpoints(context: InternalContext): readonly AnyEndpoint[] {
  return withOpenApi(context, ENDPOINTS, {
    title: 'weatherd internal API',
    description:
      'This API is for programs on the same machine or network. Most bodies are in the binary format of docs/frames.md. It ' +
      'is not for browsers or public access.',
    secured: context.secured,
    tags: [
      {
        name: 'Observations',
        description: 'Reading and writing in bulk',
        paths: ['/v1/observations', '/v1/stations', '/v1/weatherd.h'],
      },
      {
        name: 'Tokens',
        description: 'Introspection of tokens of the external API',
        paths: ['/v1/tokens'],
      },
      {
        name: 'Service',
        description: 'The service itself',
        paths: ['/', '/v1/health', '/metrics', '/openapi.json'],
      },
    ],
    errors: ['HOST_NOT_ALLOWED', 'ORIGIN_NOT_ALLOWED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  });
}
