import type { CheckStatus, MonitorHealth } from './monitor-health.js';

/** Lists what the background checks found last. */
export class ListChecks {
  readonly #health: Pick<MonitorHealth, 'statuses'>;

  constructor(health: Pick<MonitorHealth, 'statuses'>) {
    this.#health = health;
  }

  execute(): readonly CheckStatus[] {
    return this.#health.statuses();
  }
}
