import type { Database } from 'better-sqlite3';
import { addRequests } from '#adapters/store/judging/judging-requests.js';
import type { FinishedRequest, JudgingRequest, StoredRequest } from '#application/ports/judging-store.js';
import { ChangedRows, type ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Series } from '#domain/weather/series.js';
import { lossesOf, revisionText } from '#adapters/packed-store/damage.js';
import { RunCommit } from '#adapters/packed-store/run-commit.js';
import { lossOfState, takeUnjudged, type StationStates } from '#adapters/packed-store/station-states.js';
import type { WriteTarget } from '#adapters/packed-store/write-target.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import { runOn } from '../database/statements.js';
import type { ObservationReader } from '../observations/observation-reader.js';

/** Number of stations of which one call makes requests. It takes some ten milliseconds. */
const STATIONS = 2000;

interface RequestRow extends Omit<StoredRequest, 'near' | 'spreads'> {
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly spreads: number;
}

/** What the writer of observations lends to `judgingOperations`. */
export interface JudgingTools {
  readonly reader: ObservationReader;
  readonly states: StationStates;
  readonly target: WriteTarget;
  readonly rules: () => Rules;
  readonly inTransaction: <T>(work: () => T) => T;
}

/** The statements behind SqliteJudgingStore. They run in the thread that owns the file. */
export function judgingOperations(database: Database, tools: JudgingTools) {
  const { reader, states, target, inTransaction } = tools;
  const add = (requests: readonly JudgingRequest[]) => runOn(database, addRequests(requests));
  const written = database
    .prepare<[], number>('SELECT station FROM newest WHERE unjudged_from IS NOT NULL')
    .pluck();
  const select = database.prepare<[number, number], RequestRow>(
    `SELECT id, station, latitude, longitude, from_time AS "from", to_time AS "to", spreads FROM judging_request
     WHERE id > ? AND (station IS NULL OR station IN (SELECT number FROM station)) ORDER BY id LIMIT ?`,
  );
  const count = database.prepare<[], number>('SELECT count(*) FROM judging_request').pluck();
  const remove = database.prepare<[number]>('DELETE FROM judging_request WHERE id = ?');
  const addRest = database.prepare<[number, number]>(
    `INSERT INTO judging_request (station, latitude, longitude, from_time, to_time, spreads)
     SELECT station, latitude, longitude, ?, to_time, spreads FROM judging_request WHERE id = ?`,
  );
  /** Id of the newest run when all stations were seen last. */
  let requested: number | undefined;

  /** Makes requests of the ranges of written rows. */
  const collect = () => {
    const runs = reader.snapshot();
    if (runs.last === requested) return;
    const candidates = new Set(written.all());
    for (const run of runs.all) for (const station of run.stations) candidates.add(station);
    let left = STATIONS;
    for (const station of candidates) {
      const cached = states.of(station, runs);
      const range = takeUnjudged(cached);
      if (range === undefined) continue;
      add([{ station, ...range, spreads: true }]);
      states.save(station, cached);
      left -= 1;
      if (left === 0) return;
    }
    requested = runs.last;
  };
  return {
    requestJudging: (requests: readonly JudgingRequest[]) => inTransaction(() => add(requests)),
    judgingRequests: (limit: number, after: number): StoredRequest[] => {
      return inTransaction(() => {
        collect();
        return select.all(after, limit).map(({ latitude, longitude, spreads, ...row }) => {
          const near = latitude === null || longitude === null ? undefined : { latitude, longitude };
          return { ...row, ...(near && { near }), spreads: spreads === 1 };
        });
      });
    },
    countJudging: (): number => count.get() ?? 0,
    finishJudging: (done: readonly FinishedRequest[]) =>
      inTransaction(() => {
        for (const { id, from } of done) {
          if (from !== undefined) addRest.run(from, id);
          remove.run(id);
        }
      }),
    judgeRows: (station: number, revision: string, rows: Series): ObservationChanges | undefined => {
      return inTransaction(() => {
        const runs = reader.snapshot();
        const rules = tools.rules();
        const cached = states.of(station, runs);
        const loss = lossOfState(cached, lossesOf(runs.damage, [station]).get(station));
        if (!rules.has(station) || revisionText(cached.revision, loss) !== revision) return undefined;
        const to = rows.times.length;
        target.dayTables.drop(station, rows.times[0] as number, rows.times[to - 1] as number);
        cached.state.rejudge(rows);
        const commit = new RunCommit({ of: () => runs }, rules);
        commit.add(cached, { station, columns: rows, from: 0, to, inserted: 0, isJudged: true });
        const changed = new ChangedRows();
        commit.write(target, undefined, changed);
        // The stored state includes the run, so that nobody takes its rows for new ones.
        states.save(station, cached);
        return changed.changes;
      });
    },
  };
}
