import type { IntrospectToken } from '../../../application/accounts/sessions/introspect-token.js';
import type { RecordObservations } from '../../../application/observations/ingest/record-observations.js';
import type { GetLatest } from '../../../application/observations/read/get-latest.js';
import type { ReadObservations } from '../../../application/observations/read/read-observations.js';
import type { GetHealth } from '../../../application/operation/get-health.js';
import type { GetInfo } from '../../../application/operation/get-info.js';
import type { GetLiveliness } from '../../../application/operation/get-liveliness.js';
import type { ListChecks } from '../../../application/operation/list-checks.js';
import type { PlaceStations } from '../../../application/stations/place-stations.js';
import type { SurveyStations } from '../../../application/stations/survey-stations.js';
import type { AnyEndpoint } from '../core/endpoint.js';
import { getHealthInfoEndpoint } from '../shared/get-health-info.js';
import { getInfoEndpoint } from '../shared/get-info.js';
import { getLivelinessEndpoint } from '../shared/get-liveliness.js';
import { getOpenApiEndpoint } from '../shared/get-openapi.js';
import { listChecksEndpoint } from '../shared/list-checks.js';
import { BulkGate } from './bulk-gate.js';
import { getHeaderEndpoint } from './get-header.js';
import { getNewestEndpoint } from './get-newest.js';
import { getBulkObservationsEndpoint } from './get-observations.js';
import { introspectTokenEndpoint } from './introspect-token.js';
import { listNumberedStationsEndpoint } from './list-stations.js';
import { postBulkObservationsEndpoint } from './post-observations.js';
import { postStationsEndpoint } from './post-stations.js';

export interface InternalUseCases {
  readonly getInfo: GetInfo;
  readonly getLiveliness: GetLiveliness;
  readonly getHealth: GetHealth;
  readonly listChecks: ListChecks;
  readonly introspectToken: IntrospectToken;
  readonly recordObservations: RecordObservations;
  readonly readObservations: ReadObservations;
  readonly getLatest: GetLatest;
  readonly surveyStations: SurveyStations;
  readonly placeStations: PlaceStations;
}

export interface InternalSettings {
  readonly version: string;
  /** Whether callers must send the internal secret. */
  readonly secured: boolean;
  /** The text of the C header. */
  readonly header: string;
}

/** Every endpoint of the internal API. */
export function internalEndpoints(
  useCases: InternalUseCases,
  settings: InternalSettings,
): readonly AnyEndpoint[] {
  const gate = new BulkGate();
  const endpoints = [
    getInfoEndpoint('internal', useCases.getInfo),
    getLivelinessEndpoint(useCases.getLiveliness),
    getHealthInfoEndpoint(useCases.getHealth),
    listChecksEndpoint(useCases.listChecks, 'public'),
    introspectTokenEndpoint(useCases.introspectToken),
    postBulkObservationsEndpoint(useCases.recordObservations, gate),
    getBulkObservationsEndpoint(useCases.readObservations, gate),
    getNewestEndpoint(useCases.getLatest, gate),
    listNumberedStationsEndpoint(useCases.surveyStations, gate),
    postStationsEndpoint(useCases.placeStations, useCases.surveyStations, gate),
    getHeaderEndpoint(settings.header),
  ];
  const description = {
    title: 'weatherd internal API',
    version: settings.version,
    description:
      'For programs on the same machine or network, most of it in the binary format of docs/frames.md. Not for browsers, and ' +
      'not for the public.',
    secured: settings.secured,
  };
  return [...endpoints, getOpenApiEndpoint(description, endpoints)];
}
