import type { ApiContext, EndpointMaker } from '../core/api-context.js';
import { type AnyEndpoint, documentEndpoint } from '../core/endpoint.js';
import type { ApiDescription } from '../core/openapi/api-description.js';
import { describeApi } from '../core/openapi/openapi.js';

/** Creates the endpoints of an API, and the endpoint that serves their OpenAPI document. */
export function withOpenApi<Context extends ApiContext>(
  context: Context,
  makers: readonly EndpointMaker<Context>[],
  about: Omit<ApiDescription, 'version'>,
): readonly AnyEndpoint[] {
  const endpoints = makers.map((make) => make(context));
  return [...endpoints, getOpenApiEndpoint({ ...about, version: context.version }, endpoints)];
}

function getOpenApiEndpoint(description: ApiDescription, others: readonly AnyEndpoint[]): AnyEndpoint {
  let document: ReturnType<typeof describeApi> | undefined;
  const endpoint: AnyEndpoint = documentEndpoint({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Get this document',
    access: 'public',
    success: { kind: 'document', status: 200, description: 'An OpenAPI 3.1 document.' },
    errors: [],
    // The document is built for the first caller and not at the start, because building it takes longer than all other work
    // before a server listens.
    call: () => (document ??= describeApi(description, [...others, endpoint])),
  });
  return endpoint;
}
