import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import type { DemoKind } from '#domain/weather/stations/demo.js';
import type { DemoRecording } from '../ports/demo-recording.js';
import type { StationStore } from '../ports/station-store.js';
import type { EraseStation } from '../stations/erase-station.js';
import type { PutStations } from '../stations/put-stations.js';

/** The end of the ids of stations whose times are moved. */
const LIVE = '-live';

/** The id of the recorded station from which a live station is made. */
export function recordedId(id: string): string {
  return id.slice(0, -LIVE.length);
}

/** Creates and removes the stations of the demo. */
export class DemoStations {
  readonly #stations: StationStore;
  readonly #recording: DemoRecording;
  readonly #put: PutStations;
  readonly #erase: EraseStation;

  constructor(stations: StationStore, recording: DemoRecording, put: PutStations, erase: EraseStation) {
    this.#stations = stations;
    this.#recording = recording;
    this.#put = put;
    this.#erase = erase;
  }

  /** Path of the file with the recording. */
  get file(): string {
    return this.#recording.file;
  }

  /**
   * Creates the stations of a kind that do not exist yet. Nothing is changed if one of their ids belongs to a station that is not
   * of the demo.
   *
   * @returns the ids of the created stations
   * @throws DomainError STATION_EXISTS, STATION_REMOVED
   */
  async make(kind: DemoKind, caller: Caller): Promise<readonly string[]> {
    const known = new Map((await this.#stations.list()).map((station) => [station.id, station]));
    const drafts = this.#recording.stations.map((draft) => draftOf(draft, kind));
    const foreign = drafts.find(({ id }) => known.has(id) && known.get(id)?.demo !== kind);
    if (foreign !== undefined)
      throw new DomainError(
        'STATION_EXISTS',
        `The station ${quoted(foreign.id)} exists already and was not made by the demo. Nothing was changed.`,
      );
    const missing = drafts.filter(({ id }) => !known.has(id));
    if (missing.length > 0) await this.#put.execute(missing, caller);
    return missing.map(({ id }) => id);
  }

  /** The ids of the stations whose times are moved. */
  async liveIds(): Promise<readonly string[]> {
    return (await this.#stations.list()).flatMap(({ id, demo }) => (demo === 'live' ? [id] : []));
  }

  /**
   * Removes all stations of the demo permanently, including those that were removed and could be restored.
   *
   * @returns the removed stations
   */
  async remove(caller: Caller): Promise<readonly Station[]> {
    const [stations, hidden] = await Promise.all([this.#stations.list(), this.#stations.hidden()]);
    const all = [...stations, ...hidden.map(({ station }) => station)];
    const made = all.filter(({ demo }) => demo !== undefined);
    for (const { id } of made) await this.#erase.execute(id, caller);
    return made;
  }
}

/** A live station has no identifiers, because the reports of the real station must not be stored at it. */
function draftOf(draft: StationDraft, demo: DemoKind): StationDraft {
  return demo === 'live' ? { ...draft, id: `${draft.id}${LIVE}`, identifiers: {}, demo } : { ...draft, demo };
}
