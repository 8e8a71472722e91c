import type { Database } from 'better-sqlite3';
import type { Station } from '#domain/weather/station.js';

interface Noted {
  readonly id: string;
  readonly number: number;
}

/**
 * The table `station_name` (ledgers.ts), with which each read of stations is compared: with a damaged id or number a station would
 * have the rows of another one.
 */
export function stationNames(database: Database) {
  const one = database
    .prepare<[string], number>('SELECT number FROM station_name WHERE id = ? AND hidden = 0')
    .pluck();
  const all = database.prepare<[], Noted>('SELECT id, number FROM station_name WHERE hidden = 0');
  return {
    /**
     * The station that was read by its id, marked if its number is not that which was noted. A damaged index gives another station.
     *
     * @throws Error if it is missing
     */
    checked: (id: string, station: Station | undefined): Station | undefined => {
      const number = one.get(id);
      const isOther = station !== undefined && station.id !== id;
      if (isOther || (station === undefined && number !== undefined)) throw missing(id);
      return station && marked(station, number);
    },
    /** All stations, those marked whose numbers are not those that were noted. @throws Error if one is missing or comes twice */
    allChecked: (stations: readonly Station[]): Station[] => {
      const noted = all.all();
      const numbers = new Map(noted.map(({ id, number }) => [id, number]));
      const [ids, used] = [new Set<string>(), new Set<number>()];
      for (const { id, number } of stations) {
        ids.add(id);
        used.add(number);
      }
      for (const { id, number } of noted) if (!ids.has(id) && !used.has(number)) throw missing(id);
      if (used.size < stations.length)
        throw new Error('the data file is damaged: a station comes twice; restore a backup');
      return stations.map((station) => marked(station, numbers.get(station.id)));
    },
  };
}

function marked(station: Station, number: number | undefined): Station {
  const { damaged = [] } = station;
  // An id that no station can have is marked already.
  if (number === station.number || damaged.some(({ field }) => field === 'id')) return station;
  return {
    ...station,
    damaged: [...damaged, { field: 'number', reason: 'is not the one that was written' }],
  };
}

function missing(id: string): Error {
  return new Error(`the data file is damaged: station ${JSON.stringify(id)} is missing; restore a backup`);
}
