import type { ApiContext, EndpointMaker } from '../core/api-context.js';
import { type AnyEndpoint, documentEndpoint } from '../core/endpoint.js';
import { describeApi, type ApiDescription } from '../core/openapi.js';

/** The endpoints of an API, and the one with the OpenAPI document of all of them. */
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
    summary: 'This document',
    access: 'public',
    success: { kind: 'document', status: 200, description: 'An OpenAPI 3.1 document.' },
    errors: [],
    // Made for the first caller: it takes longer than everything else that a server needs before it listens.
    call: () => (document ??= describeApi(description, [...others, endpoint])),
  });
  return endpoint;
}
