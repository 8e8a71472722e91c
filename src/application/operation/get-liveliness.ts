import { DomainError } from '../../domain/domain-error.js';
import type { MonitorHealth } from './monitor-health.js';

/** Says whether everything works as expected, from what the background checks found last. */
export class GetLiveliness {
  readonly #health: Pick<MonitorHealth, 'isAlive'>;

  constructor(health: Pick<MonitorHealth, 'isAlive'>) {
    this.#health = health;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE when something does not work or the service is ending */
  execute(): void {
    if (!this.#health.isAlive())
      throw new DomainError('SERVICE_UNAVAILABLE', 'Not everything works as expected.');
  }
}
