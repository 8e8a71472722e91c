import { type AnyEndpoint, documentEndpoint } from '../core/endpoint.js';
import { describeApi, type ApiDescription } from '../core/openapi.js';

/** The OpenAPI document of the endpoints given and of this one. */
export function getOpenApiEndpoint(description: ApiDescription, others: readonly AnyEndpoint[]): AnyEndpoint {
  const endpoint: AnyEndpoint = documentEndpoint({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    access: 'public',
    success: { kind: 'document', status: 200, description: 'An OpenAPI 3.1 document.' },
    errors: [],
    call: () => document,
  });
  const document = describeApi(description, [...others, endpoint]);
  return endpoint;
}
