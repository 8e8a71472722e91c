import type { ApiContext, EndpointMaker } from '../core/api-context.js';
import { type AnyEndpoint, documentEndpoint } from '../core/endpoint.js';
import type { ApiDescription } from '../core/openapi/api-description.js';
import { describeApi } from '../core/openapi/openapi.js';

/** Adds the endpoint that serves the OpenAPI document of an API to the endpoints of the API. */
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
    summary: 'This document',
    access: 'public',
    success: { kind: 'document', status: 200, description: 'An OpenAPI 3.1 document.' },
    errors: [],
    // Made for the first caller: it takes longer than everything else that a server needs before it listens.
    call: () => (document ??= describeApi(description, [...others, endpoint])),
  });
  return endpoint;
}
