import type { GetHealth } from '../../../application/get-health.js';
import type { GetInfo } from '../../../application/get-info.js';
import type { GetLiveliness } from '../../../application/get-liveliness.js';
import { getHealthInfoEndpoint } from '../common/get-health-info.js';
import { getInfoEndpoint } from '../common/get-info.js';
import { getLivelinessEndpoint } from '../common/get-liveliness.js';
import { getOpenApiEndpoint } from '../common/get-openapi.js';
import type { AnyEndpoint } from '../endpoint.js';

export interface InternalUseCases {
  readonly getInfo: GetInfo;
  readonly getLiveliness: GetLiveliness;
  readonly getHealth: GetHealth;
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
  ];
  const description = {
    title: 'weatherd internal API',
    version,
    description: 'For programs on the same machine or network. Not for browsers, and not for the public.',
    secured,
  };
  return [...endpoints, getOpenApiEndpoint(description, endpoints)];
}
