import type { OverruleStore } from '#application/ports/overrule-store.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import type { MemoryDatabase } from './memory-database.js';

/** Overrules in memory. */
export class MemoryOverruleStore implements OverruleStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async add(overrule: Overrule): Promise<void> {
    this.#database.overrules.set(overrule.id, overrule);
    this.#database.requestJudging([{ ...overrule, spreads: false }]);
  }

  async list(station: number): Promise<readonly Overrule[]> {
    const own = [...this.#database.overrules.values()].filter((overrule) => overrule.station === station);
    return own.sort((a, b) => a.madeAt - b.madeAt || (a.id < b.id ? -1 : 1));
  }

  async remove(station: number, id: string): Promise<Overrule | undefined> {
    const overrule = this.#database.overrules.get(id);
    if (overrule?.station !== station) return undefined;
    this.#database.overrules.delete(id);
    this.#database.requestJudging([{ ...overrule, spreads: false }]);
    return overrule;
  }
}
