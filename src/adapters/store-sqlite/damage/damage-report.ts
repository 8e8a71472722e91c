import type { Check } from '#application/ports/check.js';
import { damagedData } from '#domain/weather/damaged-data.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { type Damage, damageFoundIn, describeDamage } from '#adapters/packed-store/damage.js';

/** Reports damaged observations. Their blobs (packed rows) are set aside: they are moved into the table `damaged`. */
export class DamageReport implements Check {
  readonly name = 'observations';
  readonly #database: SqliteDatabase;
  #damage: readonly Damage[] = [];
  #isRefreshing = false;
  /**
   * Ids of damaged runs (packed rows of one commit each) that were already moved into the table `damaged`, or are being moved.
   */
  readonly #reported = new Set<number>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /**
   * Describes the damage that was known when the database was last queried. It returns at once and starts the next query in the
   * background, so that the health check does not wait for a busy database thread.
   */
  async check(): Promise<string | undefined> {
    this.#refresh();
    const text = describeDamage(this.#damage);
    return text && `${text}; "weatherd check" lists them`;
  }

  /**
   * Called with the failure of a read; always rejects. If the failure is caused by a damaged blob (packed rows), the blob is
   * moved into the table `damaged`.
   *
   * @throws DomainError DATA_DAMAGED with station and day if the failure is caused by a damaged blob; otherwise `failure` itself
   */
  async fail(failure: unknown): Promise<never> {
    const found = damageFoundIn(failure);
    if (found === undefined) throw failure;
    // A failure of this move is ignored. The damaged blob then stays in its table, so that later reads of its rows fail too and
    // try the move again.
    await this.#database.call('putAside', found.damage).catch(() => undefined);
    throw damagedData(found.id, Math.max(found.damage.first, found.from));
  }

  /**
   * Moves damaged runs (packed rows of one commit each) that a read has found into the table `damaged`, in the background and
   * once for each run.
   */
  putAside(runs: readonly Damage[]): void {
    for (const damage of runs) {
      if (this.#reported.has(damage.key)) continue;
      this.#reported.add(damage.key);
      this.#database.call('putAside', damage).catch(() => this.#reported.delete(damage.key));
    }
  }

  #refresh(): void {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    // The query runs in the writing thread. No reading thread is started for it: the reading threads start only with the first
    // request of a client.
    this.#database
      .call('damage')
      .then((damage) => (this.#damage = damage))
      // A failure of the read is not reported here, because the check of the data file reports it.
      .catch(() => undefined)
      .finally(() => (this.#isRefreshing = false));
  }
}
