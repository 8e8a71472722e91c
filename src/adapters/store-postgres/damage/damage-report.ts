import { setTimeout } from 'node:timers/promises';
import type { Check } from '#application/ports/check.js';
import { isDomainError } from '#domain/domain-error.js';
import { damagedData } from '#domain/weather/damaged-data.js';
import { dayOfKey, stationOfKey } from '#adapters/formats/packed/chunk-key.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import { damageFoundIn, describeDamage, type Damage } from '#adapters/packed-store/damage.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { blockOf, tryLockForMerging } from '../observations/blocks.js';
import { putAside, readAllDamage } from './damaged-blobs.js';

/** Milliseconds to wait for the workers of a distributed database. A health check without a result fails after 900 ms. */
const WORKER_TIMEOUT = 500;
const UNREACHABLE =
  'a worker of the database does not answer: the observations of some stations cannot be read or written';

/** Reports damaged observations. Their blobs (packed rows) are set aside: they are moved into the table `damaged`. */
export class DamageReport implements Check {
  readonly name = 'observations';
  readonly #database: PostgresDatabase;
  #reading: Promise<string | undefined> | undefined;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async check(): Promise<string | undefined> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    if (!this.#database.isDistributed) return await this.#reading;
    // A server of a distributed database that does not answer must not stop the service, because the stations on the other
    // servers can still be read.
    return await Promise.race([this.#reading, setTimeout(WORKER_TIMEOUT, UNREACHABLE, { ref: false })]);
  }

  async #read(): Promise<string | undefined> {
    try {
      const damage = describeDamage(await this.#database.withConnection(readAllDamage));
      const { pageFault } = this.#database;
      const page = pageFault && `a page of the database is damaged: ${pageFault}`;
      return [damage, page].filter(Boolean).join('; ') || undefined;
    } catch (error) {
      if (isDomainError(error) && error.partOnly) return UNREACHABLE;
      throw error;
    }
  }

  /**
   * Called with the failure of a read; always rejects. If the failure is caused by a damaged blob (packed rows), the blob is
   * moved into the table `damaged`.
   *
   * @throws DomainError DATA_DAMAGED with station and day, or `failure`
   */
  async fail(failure: unknown): Promise<never> {
    const found = damageFoundIn(failure);
    if (found === undefined) throw failure;
    const { damage, station, from } = found;
    // A failure of this move is ignored. The damaged blob then stays in its table, so that later reads of its rows fail too
    // and try the move again.
    await this.#database
      .transaction((query) => setAsideIfDamaged(query, blockOf(station), damage))
      .catch(() => undefined);
    const { rows } = await this.#database.query<{ id: string }>(
      'SELECT id FROM weatherd.any_station WHERE number = $1',
      [stationOf(station)],
    );
    throw damagedData(rows[0]?.id ?? '', Math.max(damage.first, from));
  }
}

/**
 * Moves a damaged run (packed rows of one commit) or a damaged chunk (packed rows of whole days) into the table `damaged`:
 *
 * - A chunk is first read again, because an intact chunk may have replaced it since the damage was found.
 * - If another transaction merges runs of the block (group of 64 stations) into chunks, nothing is done, because that transaction
 *   finds the damage itself.
 */
async function setAsideIfDamaged(query: Query, block: number, damage: Damage): Promise<void> {
  if (!(await tryLockForMerging(query, block))) return;
  if (damage.kind === 'run') return await putAside(query, block, damage);
  const [station, day] = [stationOfKey(damage.key), dayOfKey(damage.key)];
  const chunks = new FetchedChunks();
  await chunks.fetch(query, [{ station, first: day, last: day }]);
  chunks.rows(station, day);
  for (const found of chunks.damage) await putAside(query, block, found);
}
