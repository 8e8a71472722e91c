import { DomainError } from '#domain/domain-error.js';
import type { MonitorHealth } from './monitor-health.js';

/** Reports whether all background checks have succeeded recently. */
export class GetLiveliness {
  readonly #health: Pick<MonitorHealth, 'isAlive'>;

  constructor(health: Pick<MonitorHealth, 'isAlive'>) {
    this.#health = health;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if a check failed or the service is shutting down */
  execute(): void {
    if (!this.#health.isAlive())
      throw new DomainError('SERVICE_UNAVAILABLE', 'Not everything works as expected.');
  }
}
