import type { Container } from 'inversify';
import type { AnyEndpoint } from '../adapters/http/endpoint.js';
import { externalEndpoints } from '../adapters/http/external/index.js';
import { internalEndpoints } from '../adapters/http/internal/index.js';
import { readPackageInfo } from './package-info.js';
import * as tokens from './tokens.js';

/** The external API over the use-cases of `container`. */
export function makeExternalEndpoints(container: Container): readonly AnyEndpoint[] {
  const useCases = {
    getInfo: container.get(tokens.GetInfo),
    getLiveliness: container.get(tokens.GetLiveliness),
    getHealth: container.get(tokens.GetHealth),
    authenticate: container.get(tokens.Authenticate),
    elevateToken: container.get(tokens.ElevateToken),
    dropElevation: container.get(tokens.DropElevation),
    revoke: container.get(tokens.Revoke),
    getKeySet: container.get(tokens.GetKeySet),
    listUsers: container.get(tokens.ListUsers),
    getUser: container.get(tokens.GetUser),
    putUser: container.get(tokens.PutUser),
    deleteUser: container.get(tokens.DeleteUser),
    readAudit: container.get(tokens.ReadAudit),
  };
  return externalEndpoints(useCases, readPackageInfo().version);
}

/**
 * The internal API over the use-cases of `container`.
 *
 * @param secured whether callers must send the internal secret
 */
export function makeInternalEndpoints(container: Container, secured: boolean): readonly AnyEndpoint[] {
  const useCases = {
    getInfo: container.get(tokens.GetInfo),
    getLiveliness: container.get(tokens.GetLiveliness),
    getHealth: container.get(tokens.GetHealth),
    introspectToken: container.get(tokens.IntrospectToken),
  };
  return internalEndpoints(useCases, readPackageInfo().version, secured);
}
