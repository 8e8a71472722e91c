import type { Container } from 'inversify';
import type { AnyEndpoint } from '../../adapters/http/core/endpoint.js';
import { SIGNED_IN } from '../../adapters/http/external/access.js';
import { externalEndpoints } from '../../adapters/http/external/index.js';
import { internalEndpoints } from '../../adapters/http/internal/index.js';
import type { Config } from '../config.js';
import { readHeader, readPackageInfo } from '../package-info.js';
import * as tokens from './tokens.js';

/**
 * The external API over the use-cases of `container`.
 *
 * @param readAccess who may read weather data
 */
export function makeExternalEndpoints(
  container: Container,
  readAccess: Config['READ_ACCESS'],
): readonly AnyEndpoint[] {
  const useCases = {
    getInfo: container.get(tokens.GetInfo),
    getLiveliness: container.get(tokens.GetLiveliness),
    getHealth: container.get(tokens.GetHealth),
    listChecks: container.get(tokens.ListChecks),
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
    listVariables: container.get(tokens.ListVariables),
    findStations: container.get(tokens.FindStations),
    getStation: container.get(tokens.GetStation),
    putStations: container.get(tokens.PutStations),
    removeStation: container.get(tokens.RemoveStation),
    restoreStation: container.get(tokens.RestoreStation),
    getDataVersion: container.get(tokens.GetDataVersion),
    readObservations: container.get(tokens.ReadObservations),
    recordObservations: container.get(tokens.RecordObservations),
    getLatest: container.get(tokens.GetLatest),
    summarize: container.get(tokens.Summarize),
    derive: container.get(tokens.Derive),
  };
  return externalEndpoints(
    useCases,
    readPackageInfo().version,
    readAccess === 'token' ? SIGNED_IN : 'public',
  );
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
    listChecks: container.get(tokens.ListChecks),
    introspectToken: container.get(tokens.IntrospectToken),
    recordObservations: container.get(tokens.RecordObservations),
    readObservations: container.get(tokens.ReadObservations),
    getLatest: container.get(tokens.GetLatest),
    surveyStations: container.get(tokens.SurveyStations),
    placeStations: container.get(tokens.PlaceStations),
  };
  const { version } = readPackageInfo();
  return internalEndpoints(useCases, { version, secured, header: readHeader() });
}
