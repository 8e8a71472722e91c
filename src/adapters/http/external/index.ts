import type { GetKeySet } from '../../../application/accounts/keys/get-key-set.js';
import type { ReadAudit } from '../../../application/accounts/read-audit.js';
import type { Authenticate } from '../../../application/accounts/sessions/authenticate.js';
import type { DropElevation } from '../../../application/accounts/sessions/drop-elevation.js';
import type { ElevateToken } from '../../../application/accounts/sessions/elevate-token.js';
import type { Revoke } from '../../../application/accounts/sessions/revoke.js';
import type { DeleteUser } from '../../../application/accounts/users/delete-user.js';
import type { GetUser } from '../../../application/accounts/users/get-user.js';
import type { ListUsers } from '../../../application/accounts/users/list-users.js';
import type { PutUser } from '../../../application/accounts/users/put-user.js';
import type { RecordObservations } from '../../../application/observations/ingest/record-observations.js';
import type { Derive } from '../../../application/observations/read/derive.js';
import type { GetDataVersion } from '../../../application/observations/read/get-data-version.js';
import type { GetLatest } from '../../../application/observations/read/get-latest.js';
import type { ListVariables } from '../../../application/observations/read/list-variables.js';
import type { ReadObservations } from '../../../application/observations/read/read-observations.js';
import type { Summarize } from '../../../application/observations/read/summarize.js';
import type { GetHealth } from '../../../application/operation/get-health.js';
import type { GetInfo } from '../../../application/operation/get-info.js';
import type { GetLiveliness } from '../../../application/operation/get-liveliness.js';
import type { ListChecks } from '../../../application/operation/list-checks.js';
import type { FindStations } from '../../../application/stations/find-stations.js';
import type { GetStation } from '../../../application/stations/get-station.js';
import type { PutStations } from '../../../application/stations/put-stations.js';
import type { RemoveStation } from '../../../application/stations/remove-station.js';
import type { RestoreStation } from '../../../application/stations/restore-station.js';
import type { AnyEndpoint } from '../core/endpoint.js';
import { getHealthInfoEndpoint } from '../shared/get-health-info.js';
import { getInfoEndpoint } from '../shared/get-info.js';
import { getLivelinessEndpoint } from '../shared/get-liveliness.js';
import { getOpenApiEndpoint } from '../shared/get-openapi.js';
import { listChecksEndpoint } from '../shared/list-checks.js';
import { ELEVATED_ADMINISTRATOR, type ReadAccess } from './access.js';
import { authenticateEndpoint } from './accounts/authenticate.js';
import { deleteUserEndpoint } from './accounts/delete-user.js';
import { dropEndpoint } from './accounts/drop.js';
import { elevateEndpoint } from './accounts/elevate.js';
import { getAuditEndpoint } from './accounts/get-audit.js';
import { getKeySetEndpoint } from './accounts/get-key-set.js';
import { getUserEndpoint } from './accounts/get-user.js';
import { listUsersEndpoint } from './accounts/list-users.js';
import { putUserEndpoint } from './accounts/put-user.js';
import { revokeEndpoint } from './accounts/revoke.js';
import { getDerivedEndpoint } from './observations/get-derived.js';
import { getLatestEndpoint, listLatestEndpoint } from './observations/get-latest.js';
import { getObservationsEndpoint } from './observations/get-observations.js';
import { getSummariesEndpoint } from './observations/get-summaries.js';
import { listVariablesEndpoint } from './observations/list-variables.js';
import { postObservationsEndpoint } from './observations/post-observations.js';
import { deleteStationEndpoint } from './stations/delete-station.js';
import { getStationEndpoint } from './stations/get-station.js';
import { listStationsEndpoint } from './stations/list-stations.js';
import { putStationEndpoint } from './stations/put-station.js';
import { restoreStationEndpoint } from './stations/restore-station.js';

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
  readonly restoreStation: RestoreStation;
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
    restoreStationEndpoint(useCases.restoreStation),
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
