import type { Check } from '../../../application/ports/check.js';
import { damagedData, dateOf } from '../../../domain/weather/damaged-data.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { type Damage, metIn } from './damage.js';

/** Tells of observations that cannot be read, and has them put aside. */
export class DamageReport implements Check {
  readonly name = 'observations';
  readonly #database: SqliteDatabase;
  #known: readonly Damage[] = [];
  #isLooking = false;
  /** Keys of damaged runs that have been told of. */
  readonly #told = new Set<number>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Answers from the last result and reads a new one in the background, so that a busy thread does not delay the answer. */
  async check(): Promise<string | undefined> {
    this.#look();
    const [first] = this.#known;
    if (first === undefined) return undefined;
    const rows = this.#known.reduce((sum, { rows: count }) => sum + count, 0);
    return `${rows} rows of observations are damaged, the first ${placeOf(first)}; "weatherd check" lists them`;
  }

  /**
   * Passes on the failure of a read. Where it has met damaged observations they are put aside.
   *
   * @throws DomainError DATA_DAMAGED with station and day, or `failure`
   */
  async fail(failure: unknown): Promise<never> {
    const met = metIn(failure);
    if (met === undefined) throw failure;
    // If this fails, reads of these rows keep failing, which is right.
    await this.#database.call('putAside', met.damage).catch(() => undefined);
    throw damagedData(met.id, Math.max(met.damage.first, met.from));
  }

  /** Puts aside damaged runs that a read has found. It does so in the background, once for each run. */
  tell(found: readonly Damage[]): void {
    for (const damage of found) {
      if (this.#told.has(damage.key)) continue;
      this.#told.add(damage.key);
      this.#database.call('putAside', damage).catch(() => this.#told.delete(damage.key));
    }
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // The thread that writes answers: those that read start with the first question of a client.
    this.#database
      .call('damage')
      .then((known) => (this.#known = known))
      // The check of the data file tells that nothing can be read.
      .catch(() => undefined)
      .finally(() => (this.#isLooking = false));
  }
}

function placeOf({ stations, first, last }: Damage): string {
  const days =
    dateOf(first) === dateOf(last) ? `on ${dateOf(first)}` : `from ${dateOf(first)} to ${dateOf(last)}`;
  if (stations === null) return `of unknown stations ${days}`;
  const more = stations.length > 1 ? ` and ${stations.length - 1} others` : '';
  return `of station number ${stations[0]}${more} ${days}`;
}
