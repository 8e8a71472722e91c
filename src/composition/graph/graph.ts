import type { HealthObserver } from '#application/operation/monitor-health.js';
import type { ImportService } from '#application/ports/import-service.js';
import type { Config } from '../config.js';
import { accountWirings } from './accounts.js';
import { alarmWirings } from './alarms.js';
import { climateWirings } from './climate.js';
import { demoWirings } from './demo.js';
import { hookWirings } from './hooks.js';
import { importWirings } from './imports.js';
import { ingestWirings } from './ingest.js';
import { liveWirings } from './live.js';
import { operationWirings } from './operation.js';
import { qualityWirings } from './quality.js';
import { readingWirings } from './reading.js';
import { removalWirings } from './removal.js';
import { sensorWirings } from './sensors.js';
import { forecastWirings } from './forecasts.js';
import { sourceWirings } from './sources.js';
import { stationWirings } from './stations.js';
import { telemetryWirings } from './telemetry.js';
import { uploadWirings } from './uploads.js';
import type { Wiring } from './wiring.js';

/** A subject, for example `alarms`, with the definitions of its objects (see `Wiring`). */
export interface Subject {
  readonly title: string;
  readonly wirings: readonly Wiring[];
}

/**
 * The classes of the application with the sources of their constructor parameters. A class depends only on ports and on classes
 * that are listed before it.
 *
 * @param observer called when the state of a background check changes
 * @param remoteImports the imports of the main process, for a worker process
 */
export function applicationGraph(
  config: Config,
  observer: HealthObserver,
  remoteImports?: ImportService,
): readonly Subject[] {
  return [
    { title: 'accounts', wirings: accountWirings(config) },
    { title: 'stations', wirings: stationWirings() },
    { title: 'reading', wirings: readingWirings() },
    { title: 'quality control', wirings: qualityWirings() },
    { title: 'climate', wirings: climateWirings() },
    { title: 'ingest', wirings: ingestWirings() },
    { title: 'sensors', wirings: sensorWirings() },
    { title: 'uploads', wirings: uploadWirings(config) },
    { title: 'sources', wirings: sourceWirings() },
    { title: 'forecasts', wirings: forecastWirings(config) },
    { title: 'imports', wirings: importWirings(config, remoteImports) },
    { title: 'demo', wirings: demoWirings() },
    { title: 'removal', wirings: removalWirings() },
    { title: 'hooks', wirings: hookWirings(config) },
    { title: 'alarms', wirings: alarmWirings(config) },
    { title: 'live', wirings: liveWirings() },
    { title: 'operation', wirings: operationWirings(config, observer) },
    { title: 'telemetry', wirings: telemetryWirings(config) },
  ];
}

/** The definitions of all objects of the application, see `Wiring`. */
export function applicationWirings(...parameters: Parameters<typeof applicationGraph>): readonly Wiring[] {
  return applicationGraph(...parameters).flatMap(({ wirings }) => wirings);
}
