import type { Caller } from '#domain/accounts/audit-event.js';
import { replacementEdit } from '#domain/weather/station-edit.js';
import type { StationDraft } from '#domain/weather/station.js';
import type { StationChange } from '../ports/station-store.js';
import type { ChangeStations } from './change-stations.js';

/** Creates stations, or replaces all fields of existing stations. */
export class PutStations {
  readonly #change: ChangeStations;

  constructor(change: ChangeStations) {
    this.#change = change;
  }

  /**
   * Stores all drafts or none.
   *
   * @param since time from which changed settings apply; see `StationRequest.since`
   * @param expected the settings that the station must have before the change; see `StationEdit.expected`
   * @throws DomainError REQUEST_INVALID for a draft that breaks a rule; PRECONDITION_FAILED, STATION_EXISTS, STATION_REMOVED
   */
  execute(
    drafts: readonly StationDraft[],
    caller: Caller,
    since?: number | string,
    expected?: string | null,
  ): Promise<readonly StationChange[]> {
    const edits = drafts.map((draft) => ({
      ...replacementEdit(draft),
      ...(since !== undefined && { since }),
      ...(expected !== undefined && { expected }),
    }));
    return this.#change.execute(edits, caller);
  }
}
