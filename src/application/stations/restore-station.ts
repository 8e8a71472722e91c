import type { Caller } from '../../domain/accounts/audit-event.js';
import type { Station } from '../../domain/weather/station.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from './find-station.js';
import type { JudgeAgain } from './judge-again.js';
import type { StationEvents } from './station-events.js';

/** Restores a removed station with its number, its observations and its grants. */
export class RestoreStation {
  readonly #stations: StationStore;
  readonly #events: StationEvents;
  readonly #judgeAgain: JudgeAgain;

  constructor(stations: StationStore, events: StationEvents, judgeAgain: JudgeAgain) {
    this.#stations = stations;
    this.#events = events;
    this.#judgeAgain = judgeAgain;
  }

  /** Does nothing if the station is not removed. @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<Station> {
    const restored = await this.#stations.restore(id);
    const station = await findStation(this.#stations, id);
    if (restored) {
      await this.#judgeAgain.execute([{ after: station }]);
      await this.#events.record(caller, 'station-restore', id);
    }
    return station;
  }
}
