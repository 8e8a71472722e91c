import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import { acceptStation, type Station, type StationPlace } from '#domain/weather/station.js';
import type { ChangeStations } from './change-stations.js';
import type { StationDirectory } from './station-directory.js';

const NEW = { timeZone: 'UTC', identifiers: {}, reportingInterval: null, limits: {} };

/**
 * Creates stations, or changes the names and positions of existing stations with the same ids. Other fields stay unchanged.
 */
export class PlaceStations {
  readonly #directory: StationDirectory;
  readonly #change: ChangeStations;

  constructor(directory: StationDirectory, change: ChangeStations) {
    this.#directory = directory;
    this.#change = change;
  }

  /**
   * Applies the places in the given order, all or none.
   *
   * @param places ids, names and positions of the stations; `number` is 0 if the sender does not know the number
   * @param isNameOf whether a sent name is the name of the station. The sender may have cut the name.
   * @throws DomainError REQUEST_INVALID for the first place that breaks a rule, with the index of the place from 0;
   *   STATION_UNKNOWN, STATION_EXISTS and STATION_REMOVED as thrown by `applyEdit`
   */
  async execute(
    places: readonly StationPlace[],
    caller: Caller,
    isNameOf: (sent: string, known: Station) => boolean,
  ): Promise<readonly Station[]> {
    if (places.length === 0) return [];
    const { byId } = await this.#directory.current();
    const ids = new Set<string>();
    const edits = places.map(({ number, ...place }, index): StationEdit => {
      const known = byId.get(place.id);
      const refuse = (rule: string) => new DomainError('REQUEST_INVALID', `Station ${index}: ${rule}`);
      if (ids.has(place.id)) throw refuse(`The id ${JSON.stringify(place.id)} occurs twice.`);
      ids.add(place.id);
      if (number !== 0 && number !== known?.number) {
        throw refuse(`No station has both the id ${JSON.stringify(place.id)} and the number ${number}.`);
      }
      const { name, ...unnamed } = place;
      // If the sent name equals the known name, the edit does not contain the name. With the name, the edit would overwrite a
      // newer name that was stored in the meantime.
      const isKept = known !== undefined && (name === known.name || isNameOf(name, known));
      const change = isKept ? unnamed : place;
      try {
        acceptStation(change);
        return { id: place.id, change, ...(known === undefined && { create: { ...NEW, ...place } }) };
      } catch (error) {
        throw isDomainError(error, 'REQUEST_INVALID') ? refuse(error.message) : error;
      }
    });
    const changes = await this.#change.execute(edits, caller);
    return changes.map(({ station }) => station);
  }
}
