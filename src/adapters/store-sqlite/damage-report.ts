import type { Check } from '../../application/ports/check.js';
import { DomainError } from '../../domain/domain-error.js';
import { type Damage, type Met, metIn } from './damage.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** Tells of observations that cannot be read, and has them put aside. */
export class DamageReport implements Check {
  readonly name = 'observations';
  readonly #database: SqliteDatabase;
  #known: readonly Damage[] = [];
  #isLooking = false;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Answers from what is known, and looks again meanwhile: a busy thread must not delay the answer. */
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
    // Reading goes on to fail where this does.
    await this.#database.call('putAside', met.damage).catch(() => undefined);
    throw damaged(met);
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#database
      .read('damage')
      .then((known) => (this.#known = known))
      // The check of the data file tells that nothing can be read.
      .catch(() => undefined)
      .finally(() => (this.#isLooking = false));
  }
}

/** Without a cause: it would be logged with every read, and the check has told it once. */
function damaged({ id, from, damage }: Met): DomainError {
  const day = dateOf(Math.max(damage.first, from));
  const message = `The observations of station ${JSON.stringify(id)} on ${day} (UTC) are damaged and cannot be read.`;
  return new DomainError('DATA_DAMAGED', message);
}

function placeOf({ stations, first, last }: Damage): string {
  const days =
    dateOf(first) === dateOf(last) ? `on ${dateOf(first)}` : `from ${dateOf(first)} to ${dateOf(last)}`;
  if (stations === null) return `of unknown stations ${days}`;
  const more = stations.length > 1 ? ` and ${stations.length - 1} others` : '';
  return `of station number ${stations[0]}${more} ${days}`;
}

/** `2024-02-29`, in UTC. */
export function dateOf(time: number): string {
  return new Date(time).toISOString().replace(/T.*/, '');
}
