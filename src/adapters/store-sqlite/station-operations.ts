import type { Database } from 'better-sqlite3';
import type { StationChange } from '../../application/ports/station-store.js';
import type { Station, StationDraft } from '../../domain/station.js';
import { chunkKey } from './chunk-key.js';
import { expireStates } from './station-states.js';

interface StationRow {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number | null;
  readonly time_zone: string;
  readonly identifiers: string;
  readonly reporting_interval: number | null;
  readonly limits: string;
}

function toStation(row: StationRow): Station {
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    latitude: row.latitude,
    longitude: row.longitude,
    elevation: row.elevation,
    timeZone: row.time_zone,
    identifiers: JSON.parse(row.identifiers) as Station['identifiers'],
    reportingInterval: row.reporting_interval,
    limits: JSON.parse(row.limits) as Station['limits'],
  };
}

/** The questions behind SqliteStationStore; they run in the threads that read, and never wait for a write. */
export function stationReads(database: Database) {
  const byId = database.prepare<[string], StationRow>('SELECT * FROM station WHERE id = ?');
  const all = database.prepare<[], StationRow>('SELECT * FROM station ORDER BY id');
  const version = database.prepare<[], number>('SELECT version FROM station_version').pluck();
  return {
    station: (id: string): Station | undefined => {
      const row = byId.get(id);
      return row && toStation(row);
    },
    stations: (): Station[] => all.all().map(toStation),
    stationVersion: (): string => String(version.get()),
  };
}

/** The changes behind it; they run in the thread that owns the file. */
export function stationOperations(database: Database, mergeRuns: () => void) {
  const { station } = stationReads(database);
  const insert = database.prepare(
    `INSERT INTO station
       (id, name, latitude, longitude, elevation, time_zone, identifiers, reporting_interval, limits)
     VALUES (@id, @name, @latitude, @longitude, @elevation, @timeZone, @identifiers, @reportingInterval, @limits)`,
  );
  const update = database.prepare(
    `UPDATE station SET name = @name, latitude = @latitude, longitude = @longitude, elevation = @elevation,
       time_zone = @timeZone, identifiers = @identifiers, reporting_interval = @reportingInterval, limits = @limits
     WHERE id = @id`,
  );
  const remove = database.prepare('DELETE FROM station WHERE number = ?');
  const removeChunks = database.prepare('DELETE FROM chunk WHERE key >= ? AND key < ?');
  const removeNewest = database.prepare('DELETE FROM newest WHERE station = ?');
  const changed = database.prepare('UPDATE station_version SET version = version + 1');

  const putAll = database.transaction((drafts: readonly StationDraft[]): StationChange[] => {
    changed.run();
    return drafts.map((draft) => {
      const made = station(draft.id) === undefined;
      // Not an upsert: that would use up a number even where there is a station.
      (made ? insert : update).run({
        ...draft,
        identifiers: JSON.stringify(draft.identifiers),
        limits: JSON.stringify(draft.limits),
      });
      return { station: station(draft.id) as Station, made };
    });
  });
  const removeAll = database.transaction((number: number) => {
    removeChunks.run(chunkKey(number, -(2 ** 19)), chunkKey(number + 1, -(2 ** 19)));
    removeNewest.run(number);
    remove.run(number);
    expireStates(database);
    changed.run();
  });
  return {
    putStations: (drafts: readonly StationDraft[]) => putAll.immediate(drafts),
    removeStation: (id: string): boolean => {
      const found = station(id);
      if (found === undefined) return false;
      mergeRuns(); // So that all of its observations are in chunks of its own.
      removeAll.immediate(found.number);
      return true;
    },
  };
}
