import type { Caller } from '../../domain/accounts/audit-event.js';
import type { StationStore } from '../ports/station-store.js';
import { eraseRows } from './erase-rows.js';
import { unknownStation } from './find-station.js';
import type { JudgeAgain } from './judge-again.js';
import type { StationEvents } from './station-events.js';

/** Permanently removes a station and its observations, whether or not it was removed before. */
export class EraseStation {
  readonly #stations: StationStore;
  readonly #events: StationEvents;
  readonly #judgeAgain: JudgeAgain;

  constructor(stations: StationStore, events: StationEvents, judgeAgain: JudgeAgain) {
    this.#stations = stations;
    this.#events = events;
    this.#judgeAgain = judgeAgain;
  }

  /**
   * The removal is committed and recorded before the rows are deleted, because deleting may take minutes. If deleting
   * fails, housekeeping continues it.
   *
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string, caller: Caller): Promise<void> {
    const before = await this.#stations.find(id);
    if (!(await this.#stations.remove(id))) throw unknownStation(id);
    await this.#judgeAgain.execute([{ before }]);
    await this.#events.record(caller, 'station-erase', id);
    await eraseRows(this.#stations);
  }
}
