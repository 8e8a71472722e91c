import { DomainError } from '#domain/domain-error.js';
import type { StoredKey } from '../../ports/key-store.js';
import type { EraseRange } from '../../ports/observation-store.js';
import type { Stores } from '../../ports/stores.js';
import { RECORD_KINDS } from '../../record-forms.js';
import { type CopiedStation, stationGroups, copiedStationsOf } from './copied-stations.js';
import { copyRows, type CopyWatch, sumRows } from './copy-rows.js';
import { readRecords, recordText } from './record-pages.js';

/** The contents of a finished copy. */
export interface CopiedData {
  readonly stations: number;
  readonly rows: number;
  /** Number of records of all kinds, for example users, sessions, events and stations. */
  readonly records: number;
  readonly keys: number;
}

/**
 * Observes a whole copy. The numbers of all calls of `onRows` add up to twice the rows of the source, because each row is copied
 * and then compared.
 */
export interface CopyObserver extends CopyWatch {
  /** Called once, before the first rows. */
  readonly onStart: (rows: number) => void;
}

/**
 * Copies all data of one store to another store, and compares the copied data with the source. Until the comparison has
 * succeeded, the copy is marked in the target as unfinished, so that the copy can continue after an interruption at any point:
 *
 *   marker, stations -> rows, in order of time -> compare the rows -> other records, keys -> compare them -> remove the marker
 *
 * An interrupted copy repeats everything except rows that are already copied. Counts of failed sign-ins, the progress of
 * interrupted imports, and damaged observations are not copied.
 */
export class CopyData {
  readonly #source: Stores;
  readonly #target: Stores;
  readonly #marker: string;

  constructor(source: Stores, target: Stores) {
    this.#source = source;
    this.#target = target;
    this.#marker = `copy of ${source.location}`;
  }

  /**
   * @throws DomainError REQUEST_INVALID if the target has data that are not from an unfinished copy of this source;
   *   DATA_DAMAGED; the reason of the signal; Error if the copy differs from the source
   */
  async execute(observer: CopyObserver): Promise<CopiedData> {
    const { importLog } = this.#target;
    if ((await importLog.lastLine(this.#marker)) === 0) await this.#assertEmpty();
    await importLog.note(this.#marker, 1);
    const stations = await this.#copyStations();
    const rows = stations.reduce((sum, station) => sum + station.rows, 0);
    observer.onStart(rows);
    for (const group of stationGroups(stations)) await copyRows(this.#source, this.#target, group, observer);
    await this.#compareRows(stations, observer);
    const records = await this.#copyRecords();
    const keys = await this.#copyKeys();
    await this.#compareRecords();
    await importLog.forget(this.#marker);
    return { stations: stations.length, rows, records, keys };
  }

  async #assertEmpty(): Promise<void> {
    const { transfer, keys, location } = this.#target;
    const pages = await Promise.all(RECORD_KINDS.map((kind) => transfer.read(kind)));
    if (pages.every(({ length }) => length === 0) && (await keys.list()).length === 0) return;
    throw new DomainError(
      'REQUEST_INVALID',
      `${location} is not empty, and it is not an unfinished copy of ${this.#source.location}. Nothing was copied.`,
    );
  }

  /**
   * Copies all stations, without their rows. A hidden station (removed but still restorable) is copied as a visible station,
   * because rows of a hidden station cannot be written. It is hidden again at the end of the copy.
   */
  async #copyStations(): Promise<readonly CopiedStation[]> {
    const stations = await copiedStationsOf(this.#source);
    const numbers = new Set(stations.map(({ number }) => number));
    // After an earlier attempt, the target may have hidden stations (removed but restorable), whose rows cannot be written. It
    // may also have stations that were erased in the source since then.
    for (const { station } of await this.#target.stations.hidden())
      await this.#target.stations.restore(station.id);
    await this.#erase((await copiedStationsOf(this.#target)).filter(({ number }) => !numbers.has(number)));
    const { transfer } = this.#target;
    await transfer.clear(RECORD_KINDS);
    await transfer.setLastNumbers(await this.#source.transfer.lastNumbers());
    for (const kind of ['station', 'removedStation'] as const)
      for await (const page of readRecords(this.#source.transfer, kind)) await transfer.add('station', page);
    return stations;
  }

  async #erase(stations: readonly CopiedStation[]): Promise<void> {
    let remaining: readonly EraseRange[] = stations.map(({ number }) => {
      return { station: number, from: -Infinity, to: Infinity };
    });
    while (remaining.length > 0) ({ remaining } = await this.#target.observations.erase(remaining));
  }

  /** Compares the rows of all stations. Stations with different rows are copied again, once. */
  async #compareRows(stations: readonly CopiedStation[], observer: CopyWatch): Promise<void> {
    const different = await this.#differentStations(stations, observer);
    if (different.length === 0) return;
    const silent = { ...observer, onRows: () => undefined };
    await this.#erase(different);
    for (const group of stationGroups(different)) await copyRows(this.#source, this.#target, group, silent);
    const stillDifferent = await this.#differentStations(different, silent);
    if (stillDifferent.length > 0)
      throw copyDiffers(`the observations of ${stillDifferent.map(({ id }) => id).join(', ')}`);
  }

  async #differentStations(
    stations: readonly CopiedStation[],
    observer: CopyWatch,
  ): Promise<CopiedStation[]> {
    const silent = { ...observer, onRows: () => undefined };
    const different: CopiedStation[] = [];
    for (const group of stationGroups(stations)) {
      const [sourceSums, targetSums] = await Promise.all([
        sumRows(this.#source.observations, group, silent),
        sumRows(this.#target.observations, group, observer),
      ]);
      for (const station of group) {
        const [one, other] = [sourceSums.get(station.number), targetSums.get(station.number)];
        if (one?.rows !== other?.rows || one?.checksum !== other?.checksum) different.push(station);
      }
    }
    return different;
  }

  async #copyRecords(): Promise<number> {
    const { transfer, stations } = this.#target;
    let records = 0;
    for (const kind of RECORD_KINDS) {
      for await (const page of readRecords(this.#source.transfer, kind)) {
        records += page.length;
        // The stations were copied at the beginning, as visible stations.
        if (kind === 'station') continue;
        if (kind !== 'removedStation') await transfer.add(kind, page);
        else for (const { id, removedAt } of page) await stations.hide(id as string, removedAt as number);
      }
    }
    await transfer.setLastNumbers(await this.#source.transfer.lastNumbers());
    return records;
  }

  async #copyKeys(): Promise<number> {
    const known = new Map((await this.#target.keys.list()).map((key) => [key.id, key]));
    const keys = await this.#source.keys.list();
    for (const key of keys) {
      if (!known.has(key.id)) await this.#target.keys.add(key);
      // An earlier run, which was interrupted, has copied the key. The key may have changed in the source since then.
      else await this.#changeKey(known.get(key.id) as StoredKey, key);
    }
    return keys.length;
  }

  async #changeKey(known: StoredKey, { id, verifiesUntil, retiredAt }: StoredKey): Promise<void> {
    const { keys } = this.#target;
    if (verifiesUntil !== null && known.verifiesUntil !== verifiesUntil)
      await keys.setVerifiesUntil(id, verifiesUntil);
    if (retiredAt !== null && known.retiredAt === null) await keys.retire(id, retiredAt);
  }

  async #compareRecords(): Promise<void> {
    for (const kind of RECORD_KINDS) {
      const copied = readRecords(this.#target.transfer, kind);
      for await (const page of readRecords(this.#source.transfer, kind)) {
        const { value: other = [] } = (await copied.next()) as { value: typeof page | undefined };
        const isSame = page.every((record, index) => {
          const copy = other[index];
          return copy !== undefined && recordText(kind, record) === recordText(kind, copy);
        });
        if (!isSame || page.length !== other.length) throw copyDiffers(`records of the kind ${kind}`);
      }
      if ((await copied.next()).done !== true) throw copyDiffers(`records of the kind ${kind}`);
    }
    // A command that used the unfinished copy may have created its own key in the target. This key stays.
    const targetIds = new Set((await this.#target.keys.list()).map(({ id }) => id));
    const sourceKeys = await this.#source.keys.list();
    if (!sourceKeys.every(({ id }) => targetIds.has(id))) throw copyDiffers('the signing keys');
  }
}

function copyDiffers(difference: string): Error {
  return new Error(
    `The copy differs from the source in ${difference}. A program has written to the source or the target during the copy: ` +
      'stop all programs that use them, and run the command again.',
  );
}
