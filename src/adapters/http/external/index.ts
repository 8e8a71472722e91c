import type { EndpointMaker } from '../core/api-context.js';
import type { AnyEndpoint } from '../core/endpoint.js';
import { getHealthInfoEndpoint } from '../shared/get-health-info.js';
import { getInfoEndpoint } from '../shared/get-info.js';
import { getLivelinessEndpoint } from '../shared/get-liveliness.js';
import { withOpenApi } from '../shared/get-openapi.js';
import { listChecksEndpoint } from '../shared/list-checks.js';
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
import { deleteAlarmEndpoint } from './alarms/delete-alarm.js';
import { listAlarmsEndpoint } from './alarms/list-alarms.js';
import { putAlarmEndpoint } from './alarms/put-alarm.js';
import { testAlarmEndpoint } from './alarms/test-alarm.js';
import { getClimateMonthsEndpoint } from './climate/get-climate-months.js';
import { getDegreeDaysEndpoint } from './climate/get-degree-days.js';
import { getIndicesEndpoint } from './climate/get-indices.js';
import { getNoaaReportEndpoint } from './climate/get-noaa-report.js';
import { getNormalsEndpoint } from './climate/get-normals.js';
import { getRecordsEndpoint } from './climate/get-records.js';
import type { ExternalContext } from './external-context.js';
import { deleteHookEndpoint } from './hooks/delete-hook.js';
import { listHooksEndpoint } from './hooks/list-hooks.js';
import { pauseHookEndpoint, resumeHookEndpoint } from './hooks/pause-hook.js';
import { putHookEndpoint } from './hooks/put-hook.js';
import { testHookEndpoint } from './hooks/test-hook.js';
import { getDerivedEndpoint } from './observations/derived/get-derived.js';
import { getEventsEndpoint } from './observations/get-events.js';
import { findLastingStepsEndpoint } from './observations/find-lasting-steps.js';
import { getLatestEndpoint, listLatestEndpoint } from './observations/latest/get-latest.js';
import { getObservationsEndpoint } from './observations/get-observations.js';
import { getSummariesEndpoint } from './observations/summaries/get-summaries.js';
import { getWindRoseEndpoint } from './observations/summaries/get-wind-rose.js';
import { listVariablesEndpoint } from './observations/list-variables.js';
import { listObservationsEndpoint } from './observations/many/list-observations.js';
import { listSummariesEndpoint } from './observations/many/list-summaries.js';
import { postObservationsEndpoint } from './observations/post-observations.js';
import { deleteObservationsEndpoint } from './stations/delete-observations.js';
import { deleteStationEndpoint } from './stations/delete-station.js';
import { getStationEndpoint } from './stations/get-station.js';
import { listStationsEndpoint } from './stations/list-stations.js';
import { deleteOverruleEndpoint } from './stations/overrules/delete-overrule.js';
import { listOverrulesEndpoint } from './stations/overrules/list-overrules.js';
import { postOverruleEndpoint } from './stations/overrules/post-overrule.js';
import { putStationEndpoint } from './stations/put-station.js';
import { restoreStationEndpoint } from './stations/restore-station.js';
import { approvePendingUploadEndpoint } from './uploads/approve-pending-upload.js';
import { deleteUploadKeyEndpoint } from './uploads/delete-upload-key.js';
import { listPendingUploadsEndpoint } from './uploads/list-pending-uploads.js';
import { listUploadKeysEndpoint } from './uploads/list-upload-keys.js';
import { listUploadsEndpoint } from './uploads/list-uploads.js';
import { postUploadKeyEndpoint } from './uploads/post-upload-key.js';
import { putUploadMappingsEndpoint } from './uploads/put-upload-mappings.js';
import { rotateUploadKeyEndpoint } from './uploads/rotate-upload-key.js';
import EXAMPLES from './reply-examples.json' with { type: 'json' };
import { EXTERNAL_TAGS } from './tags.js';

const ENDPOINTS: readonly EndpointMaker<ExternalContext>[] = [
  getInfoEndpoint,
  getLivelinessEndpoint,
  getHealthInfoEndpoint,
  listChecksEndpoint,
  authenticateEndpoint,
  elevateEndpoint,
  dropEndpoint,
  revokeEndpoint,
  getKeySetEndpoint,
  listUsersEndpoint,
  getUserEndpoint,
  putUserEndpoint,
  deleteUserEndpoint,
  getAuditEndpoint,
  listVariablesEndpoint,
  listStationsEndpoint,
  getStationEndpoint,
  putStationEndpoint,
  deleteStationEndpoint,
  restoreStationEndpoint,
  listOverrulesEndpoint,
  postOverruleEndpoint,
  deleteOverruleEndpoint,
  deleteObservationsEndpoint,
  getObservationsEndpoint,
  postObservationsEndpoint,
  getLatestEndpoint,
  listLatestEndpoint,
  getEventsEndpoint,
  listObservationsEndpoint,
  listSummariesEndpoint,
  getSummariesEndpoint,
  getWindRoseEndpoint,
  getDerivedEndpoint,
  findLastingStepsEndpoint,
  getClimateMonthsEndpoint,
  getNormalsEndpoint,
  getRecordsEndpoint,
  getIndicesEndpoint,
  getDegreeDaysEndpoint,
  getNoaaReportEndpoint,
  listUploadKeysEndpoint,
  postUploadKeyEndpoint,
  deleteUploadKeyEndpoint,
  rotateUploadKeyEndpoint,
  putUploadMappingsEndpoint,
  listUploadsEndpoint,
  listPendingUploadsEndpoint,
  approvePendingUploadEndpoint,
  listAlarmsEndpoint,
  putAlarmEndpoint,
  deleteAlarmEndpoint,
  testAlarmEndpoint,
  listHooksEndpoint,
  putHookEndpoint,
  deleteHookEndpoint,
  pauseHookEndpoint,
  resumeHookEndpoint,
  testHookEndpoint,
];

/** Every endpoint of the external API. */
export function externalEndpoints(context: ExternalContext): readonly AnyEndpoint[] {
  return withOpenApi(context, ENDPOINTS, {
    title: 'weatherd external API',
    description: 'Weather data for front-ends. Errors have a stable code in `error`.',
    secured: false,
    tags: EXTERNAL_TAGS,
    examples: EXAMPLES,
    errors: ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  });
}
