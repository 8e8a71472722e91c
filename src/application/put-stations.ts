import type { Caller } from '../domain/audit-event.js';
import type { StationDraft } from '../domain/station.js';
import { replacing } from '../domain/station-edit.js';
import type { ChangeStations } from './change-stations.js';
import type { StationChange } from './ports/station-store.js';

/** Makes stations, or replaces all fields of existing ones. */
export class PutStations {
  readonly #change: ChangeStations;

  constructor(change: ChangeStations) {
    this.#change = change;
  }

  /** All or none. @throws DomainError REQUEST_INVALID for a draft that breaks a rule; STATION_EXISTS, STATION_REMOVED */
  execute(drafts: readonly StationDraft[], caller: Caller): Promise<readonly StationChange[]> {
    return this.#change.execute(drafts.map(replacing), caller);
  }
}
