import type { EndpointMaker } from '../core/api-context.js';
import type { AnyEndpoint } from '../core/endpoint.js';
import { getHealthInfoEndpoint, getLivelinessEndpoint, listChecksEndpoint } from '../shared/health.js';
import { getInfoEndpoint } from '../shared/get-info.js';
import { withOpenApi } from '../shared/get-openapi.js';
import { getBackupsEndpoint } from './backups.js';
import { authenticateEndpoint } from './accounts/authenticate.js';
import { deleteUserEndpoint, getUserEndpoint, listUsersEndpoint, putUserEndpoint } from './accounts/users.js';
import {
  endSessionEndpoint,
  endSessionsOfUserEndpoint,
  listSessionsEndpoint,
} from './accounts/session-list.js';
import { dropEndpoint, elevateEndpoint, getSessionEndpoint, revokeEndpoint } from './accounts/sessions.js';
import { setUpEndpoint } from './accounts/set-up.js';
import { getAuditEndpoint } from './accounts/get-audit.js';
import { getKeySetEndpoint } from './accounts/get-key-set.js';
import {
  deleteAlarmEndpoint,
  getAlarmEndpoint,
  listAlarmsEndpoint,
  putAlarmEndpoint,
  testAlarmEndpoint,
} from './alarms/alarms.js';
import { getAnomaliesEndpoint } from './climate/get-anomalies.js';
import { getClimateMonthsEndpoint } from './climate/get-climate-months.js';
import { getReturnLevelsEndpoint } from './climate/get-return-levels.js';
import { getUsualValuesEndpoint } from './climate/get-usual-values.js';
import { getDegreeDaysEndpoint } from './climate/get-degree-days.js';
import { getDroughtEndpoint } from './climate/get-drought.js';
import { getIndicesEndpoint } from './climate/get-indices.js';
import { getNoaaReportEndpoint } from './climate/get-noaa-report.js';
import { getNormalsEndpoint } from './climate/get-normals.js';
import { getRecordsEndpoint } from './climate/get-records.js';
import type { ExternalContext } from './external-context.js';
import {
  deleteSourceEndpoint,
  dismissGapsEndpoint,
  getSourceEndpoint,
  listSourcesEndpoint,
  pauseSourceEndpoint,
  putSourceEndpoint,
  resumeSourceEndpoint,
  testSourceEndpoint,
} from './sources/sources.js';
import { getMonthFileEndpoint } from './files/get-month-file.js';
import { listMonthFilesEndpoint } from './files/list-month-files.js';
import { getForecastEndpoint } from './forecast/get-forecast.js';
import { getForecastCasesEndpoint } from './forecast/get-forecast-cases.js';
import { getVerificationEndpoint } from './forecast/get-verification.js';
import {
  deleteForecastEndpoint,
  getForecastOrderEndpoint,
  listForecastsEndpoint,
  putForecastEndpoint,
} from './forecast/forecasts.js';
import { listSensorsEndpoint } from './sensors/list-sensors.js';
import { getAirQualityEndpoint } from './indices/air-quality.js';
import { getFireWeatherEndpoint } from './indices/fire-weather.js';
import { getHeatStressEndpoint } from './indices/heat-stress.js';
import {
  getChillEndpoint,
  getGrowingDegreeDaysEndpoint,
  getLeafWetnessEndpoint,
  getSprayEndpoint,
  getWaterBalanceEndpoint,
} from './indices/plants.js';
import {
  deleteHookEndpoint,
  getHookEndpoint,
  listHooksEndpoint,
  pauseHookEndpoint,
  putHookEndpoint,
  resumeHookEndpoint,
  testHookEndpoint,
} from './hooks/hooks.js';
import {
  deleteImportEndpoint,
  getImportEndpoint,
  getImportEventsEndpoint,
  listImportsEndpoint,
  postImportEndpoint,
  putImportAnswersEndpoint,
  undoImportEndpoint,
} from './imports/imports.js';
import { getDerivedEndpoint } from './observations/derived/get-derived.js';
import { getEventsEndpoint } from './observations/get-events.js';
import { findLevelShiftsEndpoint } from './observations/find-level-shifts.js';
import { listNoticesEndpoint } from './observations/list-notices.js';
import { getLatestEndpoint, listLatestEndpoint } from './observations/latest/get-latest.js';
import { getNowEndpoint } from './observations/get-now.js';
import { getObservationsEndpoint } from './observations/get-observations.js';
import { getSummariesEndpoint } from './observations/summaries/get-summaries.js';
import { getWindRoseEndpoint } from './observations/summaries/get-wind-rose.js';
import { getSourceFlagsEndpoint } from './observations/get-source-flags.js';
import { listVariablesEndpoint } from './observations/list-variables.js';
import { listObservationsEndpoint } from './observations/many/list-observations.js';
import { listSummariesEndpoint } from './observations/many/list-summaries.js';
import { postObservationsEndpoint } from './observations/post-observations.js';
import {
  deleteObservationsEndpoint,
  deleteStationEndpoint,
  listRemovedStationsEndpoint,
  restoreStationEndpoint,
} from './stations/removal.js';
import { getStationEndpoint } from './stations/get-station.js';
import { listPlacesEndpoint } from './stations/list-places.js';
import { listStationsEndpoint } from './stations/list-stations.js';
import { deleteOverrideEndpoint, listOverridesEndpoint, postOverrideEndpoint } from './stations/overrides.js';
import { getRetentionEndpoint, listRetentionEndpoint, putRetentionEndpoint } from './stations/retention.js';
import { putStationEndpoint } from './stations/put-station.js';
import { approvePendingUploadEndpoint, listPendingUploadsEndpoint } from './uploads/pending-uploads.js';
import {
  deleteUploadKeyEndpoint,
  listUploadKeysEndpoint,
  postUploadKeyEndpoint,
  getUploadMappingsEndpoint,
  putUploadMappingsEndpoint,
  rotateUploadKeyEndpoint,
} from './uploads/upload-keys.js';
import { getUploadsSettingEndpoint, putUploadsSettingEndpoint } from './uploads/uploads-setting.js';
import { listUploadsEndpoint } from './uploads/list-uploads.js';
import EXAMPLES from './reply-examples.json' with { type: 'json' };
import { EXTERNAL_TAGS } from './tags.js';

const ENDPOINTS: readonly EndpointMaker<ExternalContext>[] = [
  getInfoEndpoint,
  getLivelinessEndpoint,
  getHealthInfoEndpoint,
  listChecksEndpoint,
  getBackupsEndpoint,
  authenticateEndpoint,
  elevateEndpoint,
  dropEndpoint,
  revokeEndpoint,
  getSessionEndpoint,
  getKeySetEndpoint,
  setUpEndpoint,
  listUsersEndpoint,
  getUserEndpoint,
  putUserEndpoint,
  deleteUserEndpoint,
  endSessionsOfUserEndpoint,
  listSessionsEndpoint,
  endSessionEndpoint,
  getAuditEndpoint,
  listVariablesEndpoint,
  listPlacesEndpoint,
  listStationsEndpoint,
  getStationEndpoint,
  putStationEndpoint,
  deleteStationEndpoint,
  listRemovedStationsEndpoint,
  restoreStationEndpoint,
  listOverridesEndpoint,
  postOverrideEndpoint,
  deleteOverrideEndpoint,
  deleteObservationsEndpoint,
  listRetentionEndpoint,
  getRetentionEndpoint,
  putRetentionEndpoint,
  getObservationsEndpoint,
  postObservationsEndpoint,
  listMonthFilesEndpoint,
  getMonthFileEndpoint,
  getLatestEndpoint,
  getNowEndpoint,
  listLatestEndpoint,
  getEventsEndpoint,
  listObservationsEndpoint,
  listSummariesEndpoint,
  getSummariesEndpoint,
  getWindRoseEndpoint,
  getDerivedEndpoint,
  findLevelShiftsEndpoint,
  listNoticesEndpoint,
  getSourceFlagsEndpoint,
  getClimateMonthsEndpoint,
  getNormalsEndpoint,
  getAnomaliesEndpoint,
  getDroughtEndpoint,
  getReturnLevelsEndpoint,
  getRecordsEndpoint,
  getIndicesEndpoint,
  getDegreeDaysEndpoint,
  getUsualValuesEndpoint,
  getNoaaReportEndpoint,
  getAirQualityEndpoint,
  getGrowingDegreeDaysEndpoint,
  getChillEndpoint,
  getLeafWetnessEndpoint,
  getSprayEndpoint,
  getWaterBalanceEndpoint,
  getFireWeatherEndpoint,
  getHeatStressEndpoint,
  listUploadKeysEndpoint,
  postUploadKeyEndpoint,
  deleteUploadKeyEndpoint,
  rotateUploadKeyEndpoint,
  getUploadMappingsEndpoint,
  putUploadMappingsEndpoint,
  getUploadsSettingEndpoint,
  putUploadsSettingEndpoint,
  listUploadsEndpoint,
  listPendingUploadsEndpoint,
  approvePendingUploadEndpoint,
  postImportEndpoint,
  listImportsEndpoint,
  getImportEndpoint,
  getImportEventsEndpoint,
  putImportAnswersEndpoint,
  undoImportEndpoint,
  deleteImportEndpoint,
  listAlarmsEndpoint,
  getAlarmEndpoint,
  putAlarmEndpoint,
  deleteAlarmEndpoint,
  testAlarmEndpoint,
  listSourcesEndpoint,
  getSourceEndpoint,
  putSourceEndpoint,
  deleteSourceEndpoint,
  dismissGapsEndpoint,
  pauseSourceEndpoint,
  resumeSourceEndpoint,
  testSourceEndpoint,
  listSensorsEndpoint,
  getForecastEndpoint,
  getVerificationEndpoint,
  getForecastCasesEndpoint,
  listForecastsEndpoint,
  getForecastOrderEndpoint,
  putForecastEndpoint,
  deleteForecastEndpoint,
  listHooksEndpoint,
  getHookEndpoint,
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
    description: 'Weather data for front-ends. Every error has a stable code in `error`.',
    secured: false,
    tags: EXTERNAL_TAGS,
    examples: EXAMPLES.replies,
    errorExamples: EXAMPLES.errors,
    errors: ['RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'],
  });
}
