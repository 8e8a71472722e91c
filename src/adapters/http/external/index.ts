import type { Authenticate } from '../../../application/authenticate.js';
import type { GetHealth } from '../../../application/get-health.js';
import type { GetInfo } from '../../../application/get-info.js';
import type { GetLiveliness } from '../../../application/get-liveliness.js';
import { getHealthInfoEndpoint } from '../common/get-health-info.js';
import { getInfoEndpoint } from '../common/get-info.js';
import { getLivelinessEndpoint } from '../common/get-liveliness.js';
import { getOpenApiEndpoint } from '../common/get-openapi.js';
import type { AnyEndpoint } from '../endpoint.js';
import { authenticateEndpoint } from './authenticate.js';

export interface ExternalUseCases {
  readonly getInfo: GetInfo;
  readonly getLiveliness: GetLiveliness;
  readonly getHealth: GetHealth;
  readonly authenticate: Authenticate;
}

/** Every endpoint of the external API. */
export function externalEndpoints(useCases: ExternalUseCases, version: string): readonly AnyEndpoint[] {
  const endpoints = [
    getInfoEndpoint('external', useCases.getInfo),
    getLivelinessEndpoint(useCases.getLiveliness),
    getHealthInfoEndpoint(useCases.getHealth),
    authenticateEndpoint(useCases.authenticate),
  ];
  const description = {
    title: 'weatherd external API',
    version,
    description: 'Weather data for front-ends. Errors carry a stable code in `error`.',
    secured: false,
  };
  return [...endpoints, getOpenApiEndpoint(description, endpoints)];
}
