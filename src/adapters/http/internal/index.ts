import type { GetHealth } from '../../../application/get-health.js';
import type { GetInfo } from '../../../application/get-info.js';
import type { GetLatest } from '../../../application/get-latest.js';
import type { GetLiveliness } from '../../../application/get-liveliness.js';
import type { IntrospectToken } from '../../../application/introspect-token.js';
import type { ListChecks } from '../../../application/list-checks.js';
import type { PlaceStations } from '../../../application/place-stations.js';
import type { ReadObservations } from '../../../application/read-observations.js';
import type { RecordObservations } from '../../../application/record-observations.js';
import type { SurveyStations } from '../../../application/survey-stations.js';
import { getHealthInfoEndpoint } from '../common/get-health-info.js';
import { getInfoEndpoint } from '../common/get-info.js';
import { getLivelinessEndpoint } from '../common/get-liveliness.js';
import { getOpenApiEndpoint } from '../common/get-openapi.js';
import { listChecksEndpoint } from '../common/list-checks.js';
import type { AnyEndpoint } from '../endpoint.js';
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
