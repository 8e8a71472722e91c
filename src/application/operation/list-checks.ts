import type { CheckStatus, MonitorHealth } from './monitor-health.js';

/** Lists the latest results of the background checks. */
export class ListChecks {
  readonly #health: Pick<MonitorHealth, 'statuses'>;

  constructor(health: Pick<MonitorHealth, 'statuses'>) {
    this.#health = health;
  }

  execute(): readonly CheckStatus[] {
    return this.#health.statuses();
  }
}
