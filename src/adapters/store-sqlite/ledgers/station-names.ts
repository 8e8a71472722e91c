import { rowFrom, rowsFrom } from '#adapters/store/run-operation.js';
import { sql } from '#adapters/store/sql.js';
import { type StationCheck, stationOperations } from '#adapters/store/stations/station-operations.js';
import type { Station } from '#domain/weather/station.js';

interface Noted {
  readonly id: string;
  readonly number: number;
}

/**
 * Compares each read of stations with the table `station_name` (ledgers.ts). A station is marked as damaged if its number differs
 * from the number in `station_name`: with a wrong id or number, a station would get the rows of another station.
 */
const STATION_NAMES: StationCheck = {
  /** Checks the station that was found by `id`. A damaged index may return another station. */
  *one(id, station) {
    const noted = yield* rowFrom<Pick<Noted, 'number'>>(
      sql`SELECT number FROM station_name WHERE id = ${id} AND hidden = 0`,
    );
    const isOther = station !== undefined && station.id !== id;
    if (isOther || (station === undefined && noted !== undefined)) throw missing(id);
    return station && marked(station, noted?.number);
  },

  *all(stations) {
    const noted = yield* rowsFrom<Noted>(sql`SELECT id, number FROM station_name WHERE hidden = 0`);
    const numbers = new Map(noted.map(({ id, number }) => [id, number]));
    const [ids, used] = [new Set<string>(), new Set<number>()];
    for (const { id, number } of stations) {
      ids.add(id);
      used.add(number);
    }
    for (const { id, number } of noted) if (!ids.has(id) && !used.has(number)) throw missing(id);
    if (used.size < stations.length)
      throw new Error('the data file is damaged: a station is stored twice; restore a backup');
    return stations.map((station) => marked(station, numbers.get(station.id)));
  },
};

/** The operations on stations. They compare each station that is read with its entry in `station_name`. */
export const CHECKED_STATIONS = stationOperations(STATION_NAMES);

function marked(station: Station, number: number | undefined): Station {
  const { damaged = [] } = station;
  // A station with an invalid id is already marked as damaged.
  if (number === station.number || damaged.some(({ field }) => field === 'id')) return station;
  return {
    ...station,
    damaged: [...damaged, { field: 'number', reason: 'is not the number that was written' }],
  };
}

function missing(id: string): Error {
  return new Error(`the data file is damaged: station ${JSON.stringify(id)} is missing; restore a backup`);
}
