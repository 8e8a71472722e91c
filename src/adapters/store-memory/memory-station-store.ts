import type {
  AlongWithChange,
  RemovalOptions,
  RemovedStation,
  StationChange,
  StationStore,
} from '#application/ports/station-store.js';
import { judgingOf, type StationTransition } from '#application/stations/judging-of-changes.js';
import { edited, replacing, type SimilarStation, type StationEdit } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import { markDamage } from '#domain/weather/stations/stored-station.js';
import type { MemoryDatabase } from './memory-database.js';

/** Stations in memory. */
export class MemoryStationStore implements StationStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async find(id: string): Promise<Station | undefined> {
    return this.#database.visible(id);
  }

  async list(): Promise<readonly Station[]> {
    return [...this.#database.stations.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(markDamage);
  }

  async change(
    edits: readonly StationEdit[],
    { judgeAround, events = [] }: AlongWithChange = {},
  ): Promise<readonly StationChange[]> {
    const { stations } = this.#database;
    const before = new Map(stations);
    try {
      const changes = edits.map((edit): StationChange => {
        const known = this.#database.visible(edit.id);
        const draft = edited(edit, known, this.#similar(edit.id));
        const station = { ...draft, number: known?.number ?? (this.#database.stationNumber += 1) };
        stations.set(station.id, station);
        return { station: markDamage(station), made: known === undefined, ...(known && { before: known }) };
      });
      this.#database.stationVersion += 1;
      const transitions = changes.map(({ station: after, before: was }) => ({ before: was, after }));
      this.#requestJudging(transitions, judgeAround);
      this.#database.appendEvents(events);
      return changes;
    } catch (error) {
      stations.clear();
      for (const [id, station] of before) stations.set(id, station);
      throw error;
    }
  }

  put(drafts: readonly StationDraft[]): Promise<readonly StationChange[]> {
    return this.change(drafts.map(replacing));
  }

  async hide(id: string, time: number, { judgeAround, events = [] }: AlongWithChange = {}): Promise<boolean> {
    const station = this.#database.stations.get(id);
    if (station === undefined) return false;
    this.#database.stationVersion += 1;
    this.#database.removed.set(id, { station, removedAt: time });
    this.#requestJudging([{ before: markDamage(station) }], judgeAround);
    this.#database.appendEvents(events);
    return this.#database.stations.delete(id);
  }

  async restore(id: string, { judgeAround, events = [] }: AlongWithChange = {}): Promise<boolean> {
    const removed = this.#database.removed.get(id);
    if (removed === undefined) return false;
    this.#database.stationVersion += 1;
    this.#database.stations.set(id, removed.station);
    this.#requestJudging([{ after: markDamage(removed.station) }], judgeAround);
    this.#database.appendEvents(events);
    return this.#database.removed.delete(id);
  }

  async hidden(): Promise<readonly RemovedStation[]> {
    return [...this.#database.removed.values()]
      .sort((a, b) => (a.station.id < b.station.id ? -1 : 1))
      .map(({ station, removedAt }) => ({ station: markDamage(station), removedAt }));
  }

  async remove(id: string, { hiddenUntil, judgeAround, events = [] }: RemovalOptions = {}): Promise<boolean> {
    const { stations, removed, observations } = this.#database;
    const hidden = removed.get(id);
    if (hiddenUntil !== undefined && !(hidden !== undefined && hidden.removedAt <= hiddenUntil)) return false;
    const station = stations.get(id) ?? hidden?.station;
    if (station === undefined) return false;
    this.#database.stationVersion += 1;
    observations.delete(station.number);
    this.#database.forgetJudging(station.number);
    this.#database.alarms.forget(station.number);
    this.#database.periods.delete(station.number);
    this.#database.removedUntil.delete(station.number);
    this.#database.removeUploadKeys((key) => key.station === station.number);
    const visible = stations.get(id);
    this.#requestJudging([{ before: visible && markDamage(visible) }], judgeAround);
    stations.delete(id);
    removed.delete(id);
    this.#database.appendEvents(events);
    return true;
  }

  /** Always empty, because removing a station deletes its rows at once. */
  async erased(): Promise<readonly number[]> {
    return [];
  }

  async eraseRows(): Promise<boolean> {
    return false;
  }

  async periods(): Promise<ReadonlyMap<number, number | null>> {
    return new Map([...this.#database.periods].sort(([a], [b]) => a - b));
  }

  async setPeriod(station: number, period: number | null | undefined): Promise<void> {
    if (period === undefined) this.#database.periods.delete(station);
    else this.#database.periods.set(station, period);
  }

  async removedUntil(): Promise<ReadonlyMap<number, number>> {
    return this.#database.removedUntil;
  }

  async version(): Promise<string> {
    return String(this.#database.stationVersion);
  }

  #requestJudging(transitions: readonly StationTransition[], around: number | undefined): void {
    if (around !== undefined) this.#database.requestJudging(judgingOf(transitions, around));
  }

  #similar(id: string): SimilarStation | undefined {
    const find = (ids: Iterable<string>) =>
      [...ids].find((other) => other.toLowerCase() === id.toLowerCase());
    const removed = find(this.#database.removed.keys());
    const other = removed ?? find(this.#database.stations.keys());
    return other === undefined ? undefined : { id: other, removed: removed !== undefined };
  }
}
