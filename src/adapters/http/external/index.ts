import type { Authenticate } from '../../../application/authenticate.js';
import type { DeleteUser } from '../../../application/delete-user.js';
import type { DropElevation } from '../../../application/drop-elevation.js';
import type { ElevateToken } from '../../../application/elevate-token.js';
import type { GetKeySet } from '../../../application/get-key-set.js';
import type { GetUser } from '../../../application/get-user.js';
import type { ListUsers } from '../../../application/list-users.js';
import type { PutUser } from '../../../application/put-user.js';
import type { ReadAudit } from '../../../application/read-audit.js';
import type { Revoke } from '../../../application/revoke.js';
import type { GetHealth } from '../../../application/get-health.js';
import type { GetInfo } from '../../../application/get-info.js';
import type { GetLiveliness } from '../../../application/get-liveliness.js';
import { getHealthInfoEndpoint } from '../common/get-health-info.js';
import { getInfoEndpoint } from '../common/get-info.js';
import { getLivelinessEndpoint } from '../common/get-liveliness.js';
import { getOpenApiEndpoint } from '../common/get-openapi.js';
import type { AnyEndpoint } from '../endpoint.js';
import { authenticateEndpoint } from './authenticate.js';
import { deleteUserEndpoint } from './delete-user.js';
import { dropEndpoint } from './drop.js';
import { elevateEndpoint } from './elevate.js';
import { getAuditEndpoint } from './get-audit.js';
import { getKeySetEndpoint } from './get-key-set.js';
import { getUserEndpoint } from './get-user.js';
import { listUsersEndpoint } from './list-users.js';
import { putUserEndpoint } from './put-user.js';
import { revokeEndpoint } from './revoke.js';

export interface ExternalUseCases {
  readonly getInfo: GetInfo;
  readonly getLiveliness: GetLiveliness;
  readonly getHealth: GetHealth;
  readonly authenticate: Authenticate;
  readonly elevateToken: ElevateToken;
  readonly dropElevation: DropElevation;
  readonly revoke: Revoke;
  readonly getKeySet: GetKeySet;
  readonly listUsers: ListUsers;
  readonly getUser: GetUser;
  readonly putUser: PutUser;
  readonly deleteUser: DeleteUser;
  readonly readAudit: ReadAudit;
}

/** Every endpoint of the external API. */
export function externalEndpoints(useCases: ExternalUseCases, version: string): readonly AnyEndpoint[] {
  const endpoints = [
    getInfoEndpoint('external', useCases.getInfo),
    getLivelinessEndpoint(useCases.getLiveliness),
    getHealthInfoEndpoint(useCases.getHealth),
    authenticateEndpoint(useCases.authenticate),
    elevateEndpoint(useCases.elevateToken),
    dropEndpoint(useCases.dropElevation),
    revokeEndpoint(useCases.revoke),
    getKeySetEndpoint(useCases.getKeySet),
    listUsersEndpoint(useCases.listUsers),
    getUserEndpoint(useCases.getUser),
    putUserEndpoint(useCases.putUser),
    deleteUserEndpoint(useCases.deleteUser),
    getAuditEndpoint(useCases.readAudit),
  ];
  const description = {
    title: 'weatherd external API',
    version,
    description: 'Weather data for front-ends. Errors carry a stable code in `error`.',
    secured: false,
  };
  return [...endpoints, getOpenApiEndpoint(description, endpoints)];
}
