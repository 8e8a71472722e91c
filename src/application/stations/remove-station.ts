import type { Caller } from '../../domain/accounts/audit-event.js';
import type { Clock } from '../ports/clock.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from './find-station.js';
import type { JudgeAgain } from './judge-again.js';
import type { StationEvents } from './station-events.js';

/** Removes a station. */
export class RemoveStation {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #events: StationEvents;
  readonly #judgeAgain: JudgeAgain;

  constructor(clock: Clock, stations: StationStore, events: StationEvents, judgeAgain: JudgeAgain) {
    this.#clock = clock;
    this.#stations = stations;
    this.#events = events;
    this.#judgeAgain = judgeAgain;
  }

  /** Hides the station. It can be restored within `RESTORABLE`. @throws DomainError STATION_UNKNOWN */
  async execute(id: string, caller: Caller): Promise<void> {
    const before = await this.#stations.find(id);
    if (!(await this.#stations.hide(id, this.#clock.now()))) throw unknownStation(id);
    await this.#judgeAgain.execute([{ before }]);
    await this.#events.record(caller, 'station-remove', id);
  }
}
