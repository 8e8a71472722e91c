import type { RenewNotices } from '../observations/notices/renew-notices.js';
import type { RowBudget } from '../observations/ingest/row-budget.js';
import type { StreamSlots } from '../observations/live/stream-slots.js';
import type { RecheckProgress } from '../observations/recheck/recheck-progress.js';
import type { ReadGate } from '../observations/read/gate/read-gate.js';
import type { Clock } from '../ports/clock.js';
import type { RecheckStore } from '../ports/recheck-store.js';
import type { ObservationStore } from '../ports/observation-store.js';
import type { DataSize } from '../ports/stores.js';
import type { GaugeReading, Telemetry } from '../ports/telemetry.js';
import type { StationDirectory } from '../stations/station-directory.js';
import { CHECK_STATES, type MonitorHealth } from './monitor-health.js';

/** Number of stations whose newest values are read together. */
const STATIONS_AT_ONCE = 500;

export interface PublishStateSettings {
  readonly version: string;
  /** Whether the age of the newest observation of each station is published, as one time series per station. */
  readonly stations: boolean;
}

export interface PublishStateDependencies {
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly health: MonitorHealth;
  readonly budget: RowBudget;
  readonly reads: ReadGate;
  readonly streams: StreamSlots;
  readonly recheck: RecheckStore;
  readonly progress: RecheckProgress;
  readonly notices: Pick<RenewNotices, 'ongoing'>;
  readonly directory: StationDirectory;
  readonly observations: ObservationStore;
  readonly size: DataSize;
}

/** Publishes the state of the service as metrics. The values are read at each report of the metrics. */
export class PublishState {
  readonly #with: PublishStateDependencies;

  constructor({ version, stations }: PublishStateSettings, dependencies: PublishStateDependencies) {
    this.#with = dependencies;
    const { telemetry, health, budget, reads, streams, recheck, progress, notices, size } = dependencies;
    telemetry.gauge(
      {
        name: 'weatherd_build_info',
        help: 'The version of the service. The value is always 1.',
        labels: ['version'],
      },
      () => [{ labels: { version }, value: 1 }],
    );
    telemetry.gauge(
      {
        name: 'weatherd_check_state',
        help: 'Whether a background check has this state.',
        labels: ['check', 'state'],
      },
      () =>
        health
          .statuses()
          .flatMap(({ name: check, state: present }) =>
            CHECK_STATES.map((state) => ({ labels: { check, state }, value: Number(state === present) })),
          ),
    );
    telemetry.gauge(
      {
        name: 'weatherd_commit_queue_rows',
        help: 'Rows of observations that wait for the disk or are being written.',
        processes: 'sum',
      },
      () => budget.used,
    );
    telemetry.gauge(
      {
        name: 'weatherd_reads_waiting',
        help: 'Reads that wait because other reads use too much memory.',
        processes: 'sum',
      },
      () => reads.waiting,
    );
    telemetry.gauge(
      { name: 'weatherd_event_streams', help: 'Open event streams.', processes: 'sum' },
      () => streams.count,
    );
    telemetry.gauge(
      {
        name: 'weatherd_judging_requests',
        help: 'Ranges of observations that wait for another quality check.',
      },
      () => recheck.waiting(),
    );
    telemetry.gauge(
      {
        name: 'weatherd_quality_control_rows',
        help: 'Estimated number of rows that wait for another quality check.',
      },
      async () => (await progress.backlog()).rows,
    );
    telemetry.gauge(
      {
        name: 'weatherd_notices',
        help: 'Notices of quality control whose cause has not ended.',
        labels: ['kind'],
      },
      () => notices.ongoing().map(([kind, value]) => ({ labels: { kind }, value })),
    );
    telemetry.gauge({ name: 'weatherd_store_bytes', help: 'Size of the data on disk.' }, size.bytes);
    if (stations)
      telemetry.gauge(
        {
          name: 'weatherd_station_last_observation_age_seconds',
          help: 'Time since the newest observation of a station.',
          labels: ['station'],
        },
        () => this.#ages(),
      );
  }

  /** The age of the newest observation of each station, in seconds. Stations without observations are left out. */
  async #ages(): Promise<readonly GaugeReading<'station'>[]> {
    const { clock, directory, observations } = this.#with;
    const { list } = await directory.current();
    const ages: GaugeReading<'station'>[] = [];
    for (let from = 0; from < list.length; from += STATIONS_AT_ONCE) {
      const part = list.slice(from, from + STATIONS_AT_ONCE);
      const newest = await observations.newest(part.map(({ number }) => number));
      const now = clock.now();
      for (const [index, { id: station }] of part.entries()) {
        const seen = newest[index]?.lastSeen ?? null;
        if (seen !== null) ages.push({ labels: { station }, value: (now - seen) / 1000 });
      }
    }
    return ages;
  }
}
