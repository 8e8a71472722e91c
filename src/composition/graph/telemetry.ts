import { RequestMetrics } from '#adapters/http/core/request-metrics.js';
import { RowBudget } from '#application/observations/ingest/row-budget.js';
import { RecheckProgress } from '#application/observations/recheck/recheck-progress.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import { RenewNotices } from '#application/observations/notices/renew-notices.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { MonitorHealth } from '#application/operation/monitor-health.js';
import { PublishState } from '#application/operation/publish-state.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Config } from '../config.js';
import { PACKAGE_INFO } from '../package-info.js';
import * as t from './tokens.js';
import { constant, useCase, type Wiring } from './wiring.js';

/** The classes whose only task is to count and measure. */
export function telemetryWirings(config: Config): readonly Wiring[] {
  return [
    useCase(RequestMetrics, [t.Telemetry]),
    useCase(PublishState, [
      constant({ version: PACKAGE_INFO.version, stations: config.METRICS_STATIONS }),
      {
        telemetry: t.Telemetry,
        clock: t.Clock,
        health: MonitorHealth,
        budget: RowBudget,
        reads: ReadGate,
        streams: StreamSlots,
        recheck: t.RecheckStore,
        progress: RecheckProgress,
        notices: RenewNotices,
        directory: StationDirectory,
        observations: t.ObservationStore,
        size: t.DataSize,
      },
    ]),
  ];
}
