import type { StationChange, StationStore } from '../../application/ports/station-store.js';
import type { Station, StationDraft } from '../../domain/station.js';
import type { MemoryDatabase } from './memory-database.js';

/** Stations in memory. */
export class MemoryStationStore implements StationStore {
  readonly #database: MemoryDatabase;
  #lastNumber = 0;
  #version = 0;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async find(id: string): Promise<Station | undefined> {
    return this.#database.stations.get(id);
  }

  async list(): Promise<readonly Station[]> {
    return [...this.#database.stations.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async put(drafts: readonly StationDraft[]): Promise<readonly StationChange[]> {
    this.#version += 1;
    return drafts.map((draft) => {
      const known = this.#database.stations.get(draft.id);
      const station = { ...draft, number: known?.number ?? (this.#lastNumber += 1) };
      this.#database.stations.set(draft.id, station);
      return { station, made: known === undefined };
    });
  }

  async remove(id: string): Promise<boolean> {
    const station = this.#database.stations.get(id);
    if (station === undefined) return false;
    this.#version += 1;
    this.#database.observations.delete(station.number);
    return this.#database.stations.delete(id);
  }

  async version(): Promise<string> {
    return String(this.#version);
  }
}
