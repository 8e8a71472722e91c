import type { GetHealth } from '../../../application/get-health.js';
import type { GetInfo } from '../../../application/get-info.js';
import type { GetLiveliness } from '../../../application/get-liveliness.js';
import type { IntrospectToken } from '../../../application/introspect-token.js';
import { getHealthInfoEndpoint } from '../common/get-health-info.js';
import { getInfoEndpoint } from '../common/get-info.js';
import { getLivelinessEndpoint } from '../common/get-liveliness.js';
import { getOpenApiEndpoint } from '../common/get-openapi.js';
import type { AnyEndpoint } from '../endpoint.js';
import { introspectTokenEndpoint } from './introspect-token.js';

export interface InternalUseCases {
  readonly getInfo: GetInfo;
  readonly getLiveliness: GetLiveliness;
  readonly getHealth: GetHealth;
  readonly introspectToken: IntrospectToken;
}

/**
 * Every endpoint of the internal API.
 *
 * @param secured whether callers must send the internal secret
 */
export function internalEndpoints(
  useCases: InternalUseCases,
  version: string,
  secured: boolean,
): readonly AnyEndpoint[] {
  const endpoints = [
    getInfoEndpoint('internal', useCases.getInfo),
    getLivelinessEndpoint(useCases.getLiveliness),
    getHealthInfoEndpoint(useCases.getHealth),
    introspectTokenEndpoint(useCases.introspectToken),
  ];
  const description = {
    title: 'weatherd internal API',
    version,
    description: 'For programs on the same machine or network. Not for browsers, and not for the public.',
    secured,
  };
  return [...endpoints, getOpenApiEndpoint(description, endpoints)];
}
