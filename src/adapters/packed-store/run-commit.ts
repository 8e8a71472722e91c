import type { ChangedRows } from '#domain/weather/changed-rows.js';
import type { StationRules } from '#domain/weather/quality/station-rules.js';
import type { JournalPart } from '#adapters/formats/packed/journal-codec.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { isDailySeries, stationOf } from './days/daily-series.js';
import { assemble, type Piece } from './run-assembly.js';
import { type CachedState, noteUnchecked } from './station-states.js';
import type { RunsOfStations, WriteTarget } from './write-target.js';

export type Rules = ReadonlyMap<number, StationRules>;

/** Rows of a station, and the state of the station, which has its newest values and the number of its rows. */
export interface StatePiece extends Piece {
  readonly cached: CachedState;
}

/**
 * Collects the rows and the states that the current transaction changes. A piece has rows of one station. The pieces are written
 * as runs, which have the rows of many stations. A state has the newest values of a station.
 */
export class RunCommit {
  readonly runs: RunsOfStations;
  readonly rules: Rules;
  readonly #pieces: StatePiece[] = [];
  /** The changes of values that an import makes. They are stored in its journal, with which the import can be undone. */
  readonly #journal: JournalPart[] = [];

  constructor(runs: RunsOfStations, rules: Rules) {
    this.runs = runs;
    this.rules = rules;
  }

  note(part: JournalPart): void {
    if (part.from < part.to) this.#journal.push(part);
  }

  /** Adds rows of one station (a piece). The pieces must be added in ascending order of their stations. */
  add(piece: StatePiece): void {
    this.#pieces.push(piece);
    const { cached } = piece;
    const { times } = piece.columns;
    const [first, last] = [times[piece.from] as number, times[piece.to - 1] as number];
    cached.rows += piece.inserted;
    cached.first = Math.min(cached.first, first);
    if (piece.isChecked !== true) noteUnchecked(cached, first, last);
  }

  /**
   * Writes the pieces as runs: the pieces of all stations of a block become one run. With PostgreSQL a block is 64 stations, with
   * SQLite the block has all stations.
   *
   * @param importNumber number of the import to which all pieces belong
   * @param changed receives the changed rows
   */
  write(target: WriteTarget, importNumber: number | undefined, changed: ChangedRows): void {
    const pieces = this.#pieces;
    const last = pieces.at(-1);
    if (last === undefined) return;
    if (importNumber !== undefined && this.#journal.length > 0)
      target.journals.add(importNumber, this.#journal);
    const { runs } = target;
    // The daily values of the stations of all blocks are behind their reports, but belong to the same blocks.
    if (isDailySeries(last.station))
      pieces.sort((a, b) => runs.blockOf(a.station) - runs.blockOf(b.station) || a.station - b.station);
    const blockAt = (index: number) => runs.blockOf((pieces[index] as Piece).station);
    let begin = 0;
    for (let end = 1; end <= pieces.length; end += 1) {
      const block = blockAt(begin);
      if (end < pieces.length && blockAt(end) === block) continue;
      const isAll = begin === 0 && end === pieces.length;
      this.#insert(target, block, isAll ? pieces : pieces.slice(begin, end), changed);
      begin = end;
    }
  }

  #insert({ runs, stored }: WriteTarget, block: number, pieces: readonly StatePiece[], changed: ChangedRows) {
    const { places, columns } = assemble(pieces);
    const open = this.runs.of((pieces[0] as Piece).station);
    const id = open.last + 1;
    const key = [block, id];
    const blob = encodeRun(key, places, columns);
    runs.insert(block, id, columns.times.length, rangeOf(columns.times), blob);
    const run = new Run(id, key, blob, true);
    stored.remember(run);
    open.all.push(run);
    open.last = id;
    for (const { station, cached, columns: piece, from, to } of pieces) {
      cached.seen = cached.revision = id;
      changed.add(stationOf(station), piece.times[from] as number, piece.times[to - 1] as number, id);
    }
  }
}

function rangeOf(times: Float64Array): { first: number; last: number } {
  let [first, last] = [Infinity, -Infinity];
  for (const time of times) {
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return { first, last };
}
