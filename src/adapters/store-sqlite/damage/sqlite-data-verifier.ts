import type { Database } from 'better-sqlite3';
import type { DamagedData, DataVerifier, Verification } from '../../../application/ports/data-verifier.js';
import { DamagedBlobError } from '../../formats/packed/blob.js';
import { stationOfKey } from '../../formats/packed/chunk-key.js';
import { type ChunkRow, openChunk } from '../../formats/packed/decoded-series.js';
import { Run } from '../../formats/packed/run-codec.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { type Damage, damagedChunk } from '../../packed-store/damage.js';
import { ObservationReader } from '../observations/observation-reader.js';

/** Largest number of faults of the file in a result. */
const MAX_FAULTS = 20;

/** Reads a whole data file on a connection of its own. It blocks its thread, so only the command line may use it. */
export class SqliteDataVerifier implements DataVerifier {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async verify(): Promise<Verification> {
    return this.#withConnection((connection) => {
      const { verified, damage } = read(connection);
      const faults = connection.pragma(`integrity_check(${MAX_FAULTS})`) as { integrity_check: string }[];
      return {
        verified,
        faults: faults.map(({ integrity_check: text }) => text).filter((text) => text !== 'ok'),
        damage: describe(connection, damage),
      };
    });
  }

  async discard(): Promise<readonly DamagedData[]> {
    const { damage, described } = await this.#withConnection((connection) => {
      const { damage: found } = read(connection);
      return { damage: found, described: describe(connection, found) };
    });
    for (const one of damage) await this.#database.call('putAside', one);
    while (await this.#database.call('mergeRuns', 'all'));
    await this.#database.call('discardDamaged');
    return described;
  }

  async #withConnection<T>(work: (connection: Database) => T): Promise<T> {
    // A service at rest has the driver in the thread that writes, and not in this one.
    const { Sqlite } = await import('../database/driver.js');
    const connection = new Sqlite(this.#database.file, { readonly: true, fileMustExist: true });
    try {
      return connection.transaction(() => work(connection))();
    } finally {
      connection.close();
    }
  }
}

/** Reads every blob. */
function read(connection: Database): { verified: number; damage: readonly Damage[] } {
  const reader = new ObservationReader(connection);
  const { all, damage } = reader.snapshot();
  const found = [...damage];
  const blockRuns = reader.blocks.all();
  for (const run of blockRuns) {
    const opened = reader.blocks.open(run);
    if (!(opened instanceof Run)) found.push(opened);
  }
  let verified = all.length + blockRuns.length;
  for (const row of connection.prepare<[], ChunkRow>('SELECT key, rows, data FROM chunk').iterate()) {
    const fault = faultOf(row);
    if (fault !== undefined) found.push(fault);
    verified += 1;
  }
  return { verified, damage: found };
}

function faultOf(row: ChunkRow): Damage | undefined {
  try {
    openChunk(row);
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    return damagedChunk(stationOfKey(row.key), row, error);
  }
}

function describe(connection: Database, found: readonly Damage[]): DamagedData[] {
  const select = connection.prepare<[number], string>('SELECT id FROM station WHERE number = ?').pluck();
  return found.map(({ stations, first, last, rows, reason }) => ({
    stations: stations?.map((number) => select.get(number) ?? `number ${number}`) ?? null,
    first,
    last,
    rows,
    reason,
  }));
}
