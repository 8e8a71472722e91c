import type { Authenticate } from '../../../application/authenticate.js';
import type { DeleteUser } from '../../../application/delete-user.js';
import type { Derive } from '../../../application/derive.js';
import type { DropElevation } from '../../../application/drop-elevation.js';
import type { ElevateToken } from '../../../application/elevate-token.js';
import type { FindStations } from '../../../application/find-stations.js';
import type { GetDataVersion } from '../../../application/get-data-version.js';
import type { GetHealth } from '../../../application/get-health.js';
import type { GetInfo } from '../../../application/get-info.js';
import type { GetKeySet } from '../../../application/get-key-set.js';
import type { GetLatest } from '../../../application/get-latest.js';
import type { GetLiveliness } from '../../../application/get-liveliness.js';
import type { GetStation } from '../../../application/get-station.js';
import type { GetUser } from '../../../application/get-user.js';
import type { ListChecks } from '../../../application/list-checks.js';
import type { ListUsers } from '../../../application/list-users.js';
import type { ListVariables } from '../../../application/list-variables.js';
import type { PutStations } from '../../../application/put-stations.js';
import type { PutUser } from '../../../application/put-user.js';
import type { ReadAudit } from '../../../application/read-audit.js';
import type { ReadObservations } from '../../../application/read-observations.js';
import type { RecordObservations } from '../../../application/record-observations.js';
import type { RemoveStation } from '../../../application/remove-station.js';
import type { Revoke } from '../../../application/revoke.js';
import type { Summarize } from '../../../application/summarize.js';
import { getHealthInfoEndpoint } from '../common/get-health-info.js';
import { getInfoEndpoint } from '../common/get-info.js';
import { getLivelinessEndpoint } from '../common/get-liveliness.js';
import { getOpenApiEndpoint } from '../common/get-openapi.js';
import { listChecksEndpoint } from '../common/list-checks.js';
import type { AnyEndpoint } from '../endpoint.js';
import { ELEVATED_ADMINISTRATOR, type ReadAccess } from './access.js';
import { authenticateEndpoint } from './authenticate.js';
import { deleteStationEndpoint } from './delete-station.js';
import { deleteUserEndpoint } from './delete-user.js';
import { dropEndpoint } from './drop.js';
import { elevateEndpoint } from './elevate.js';
import { getAuditEndpoint } from './get-audit.js';
import { getDerivedEndpoint } from './get-derived.js';
import { getKeySetEndpoint } from './get-key-set.js';
import { getLatestEndpoint, listLatestEndpoint } from './get-latest.js';
import { getObservationsEndpoint } from './get-observations.js';
import { getStationEndpoint } from './get-station.js';
import { getSummariesEndpoint } from './get-summaries.js';
import { getUserEndpoint } from './get-user.js';
import { listStationsEndpoint } from './list-stations.js';
import { listUsersEndpoint } from './list-users.js';
import { listVariablesEndpoint } from './list-variables.js';
import { postObservationsEndpoint } from './post-observations.js';
import { putStationEndpoint } from './put-station.js';
import { putUserEndpoint } from './put-user.js';
import { revokeEndpoint } from './revoke.js';

export interface ExternalUseCases {
  readonly getInfo: GetInfo;
  readonly getLiveliness: GetLiveliness;
  readonly getHealth: GetHealth;
  readonly listChecks: ListChecks;
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
  readonly listVariables: ListVariables;
  readonly findStations: FindStations;
  readonly getStation: GetStation;
  readonly putStations: PutStations;
  readonly removeStation: RemoveStation;
  readonly getDataVersion: GetDataVersion;
  readonly readObservations: ReadObservations;
  readonly recordObservations: RecordObservations;
  readonly getLatest: GetLatest;
  readonly summarize: Summarize;
  readonly derive: Derive;
}

/** Every endpoint of the external API. */
export function externalEndpoints(
  useCases: ExternalUseCases,
  version: string,
  readAccess: ReadAccess,
): readonly AnyEndpoint[] {
  const endpoints = [
    getInfoEndpoint('external', useCases.getInfo),
    getLivelinessEndpoint(useCases.getLiveliness),
    getHealthInfoEndpoint(useCases.getHealth),
    listChecksEndpoint(useCases.listChecks, ELEVATED_ADMINISTRATOR),
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
    listVariablesEndpoint(useCases.listVariables, readAccess),
    listStationsEndpoint(useCases.findStations, readAccess),
    getStationEndpoint(useCases.getStation, useCases.getDataVersion, readAccess),
    putStationEndpoint(useCases.putStations),
    deleteStationEndpoint(useCases.removeStation),
    getObservationsEndpoint(useCases.readObservations, useCases.getDataVersion, readAccess),
    postObservationsEndpoint(useCases.recordObservations),
    getLatestEndpoint(useCases.getLatest, readAccess),
    listLatestEndpoint(useCases.getLatest, readAccess),
    getSummariesEndpoint(useCases.summarize, useCases.getDataVersion, readAccess),
    getDerivedEndpoint(useCases.derive, useCases.getDataVersion, readAccess),
  ];
  const description = {
    title: 'weatherd external API',
    version,
    description: 'Weather data for front-ends. Errors carry a stable code in `error`.',
    secured: false,
  };
  return [...endpoints, getOpenApiEndpoint(description, endpoints)];
}
