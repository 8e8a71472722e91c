import type { Check } from '../../../application/ports/check.js';
import { damagedData } from '../../../domain/weather/damaged-data.js';
import { dayOfKey, stationOfKey } from '../../formats/packed/chunk-key.js';
import { damageFoundIn, describeDamage, type Damage } from '../../packed-store/damage.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { blockOf, tryLockForMerging } from '../observations/blocks.js';
import { FetchedChunks } from '../observations/chunk-rows.js';
import { putAside, readAllDamage } from './damaged-blobs.js';

/** Reports damaged observations, and puts their blobs aside. */
export class DamageReport implements Check {
  readonly name = 'observations';
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async check(): Promise<string | undefined> {
    return describeDamage(await readAllDamage(this.#database.query));
  }

  /**
   * Rejects with the failure of a read. If the read has met damaged observations, their blob is put aside.
   *
   * @throws DomainError DATA_DAMAGED with station and day, or `failure`
   */
  async fail(failure: unknown): Promise<never> {
    const found = damageFoundIn(failure);
    if (found === undefined) throw failure;
    const { damage, station, from } = found;
    // If this fails, further reads of these rows fail, as they should.
    await this.#database
      .transaction((query) => asideIfDamaged(query, blockOf(station), damage))
      .catch(() => undefined);
    const { rows } = await this.#database.query<{ id: string }>(
      'SELECT id FROM weatherd.any_station WHERE number = $1',
      [station],
    );
    throw damagedData(rows[0]?.id ?? '', Math.max(damage.first, from));
  }
}

/** Reads a chunk again first, because an intact one may have replaced it. A merger in the block finds the damage itself. */
async function asideIfDamaged(query: Query, block: number, damage: Damage): Promise<void> {
  if (!(await tryLockForMerging(query, block))) return;
  if (damage.kind === 'run') return await putAside(query, block, damage);
  const [station, day] = [stationOfKey(damage.key), dayOfKey(damage.key)];
  const chunks = new FetchedChunks();
  await chunks.fetch(query, [{ station, first: day, last: day }]);
  chunks.day(station, day);
  for (const found of chunks.damage) await putAside(query, block, found);
}
