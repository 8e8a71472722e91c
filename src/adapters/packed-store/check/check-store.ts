import type { VerifyWatch } from '#application/ports/data-verifier.js';
import { mergeAll } from '#domain/weather/merge-series.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { chunkKey } from '#adapters/formats/packed/chunk-key.js';
import { decodeAll, openChunk } from '#adapters/formats/packed/decoded-series.js';
import { decodeJournal } from '#adapters/formats/packed/journal-codec.js';
import { EMPTY_SERIES, lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { endOf, isPossible, chunkStartOf } from '../chunks/chunk-days.js';
import { variableMask } from '../chunks/variable-mask.js';
import { dailySeriesOf } from '../days/daily-series.js';
import { damagedChunk } from '../damage.js';
import { gatherRows } from '../run-rows.js';
import { TableCheck } from './check-tables.js';
import { TotalsCheck } from './check-totals.js';
import { Findings } from './check-findings.js';
import {
  type CheckedChunk,
  type CheckedJournal,
  type CheckedRun,
  type CheckedStore,
  CHUNKS_AT_ONCE,
  type StoredBlock,
} from './stored-block.js';

/** A day before all possible days. */
const NO_DAY = -(2 ** 31);

/**
 * Checks every stored piece of packed data, the order of the rows, and the data that are computed from the rows. One block of 64
 * stations is read after the other, each in one transaction, so that other processes can write.
 *
 * @throws the reason of the signal
 */
export async function checkStore(store: CheckedStore, watch: VerifyWatch): Promise<Findings> {
  const findings = new Findings();
  try {
    watch.onStart?.(await store.rows());
    for (const block of await store.blocks())
      await store.read(block, (stored) => new BlockCheck(stored, findings, watch).run());
    await checkJournals(store, findings, watch);
  } catch (error) {
    // After an abort, throws the reason of the signal itself, because the database layer may have wrapped it in another error.
    watch.signal?.throwIfAborted();
    throw error;
  }
  return findings;
}

async function checkJournals(store: CheckedStore, findings: Findings, watch: VerifyWatch): Promise<void> {
  const damaged = new Set<number>();
  let after = 0;
  for (let page = await store.journals(after); page.length > 0; page = await store.journals(after)) {
    watch.signal?.throwIfAborted();
    for (const journal of page) {
      findings.verified += 1;
      after = journal.id;
      const reason = damaged.has(journal.import) ? undefined : journalFault(journal);
      if (reason === undefined) continue;
      damaged.add(journal.import);
      findings.differences.push({
        kind: 'journal',
        station: undefined,
        key: journal.import,
        first: null,
        last: null,
        reason: `import ${journal.import} cannot be undone: ${reason}`,
      });
    }
  }
}

function journalFault({ import: number, data }: CheckedJournal): string | undefined {
  try {
    decodeJournal(number, data);
    return undefined;
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    return error.message;
  }
}

class BlockCheck {
  readonly #block: StoredBlock;
  readonly #findings: Findings;
  readonly #watch: VerifyWatch;
  /** Stations that have unreadable rows. */
  readonly #damaged = new Set<number>();

  constructor(block: StoredBlock, findings: Findings, watch: VerifyWatch) {
    this.#block = block;
    this.#findings = findings;
    this.#watch = watch;
  }

  async run(): Promise<void> {
    const { block, runs, damage, stations } = this.#block;
    for (const { name, damage: one } of damage) {
      for (const station of one.stations ?? stations) this.#damaged.add(station);
      if (this.#findings.isNew(name)) this.#findings.damage.push({ block, damage: one });
    }
    for (const run of runs) if (this.#findings.isNew(run.name)) this.#checkRun(run);
    for (const station of stations) await this.#checkStation(station);
  }

  #checkRun({ run, rows, first, last }: CheckedRun): void {
    this.#findings.verified += 1;
    const { times } = run.columns;
    const [begin, end] = [times.reduce(lower, Infinity), times.reduce(higher, -Infinity)];
    if (rows !== times.length || (first ?? begin) !== begin || (last ?? end) !== end)
      this.#addDifference(
        'rows',
        undefined,
        [begin, end],
        'the rows of a commit differ from the columns of its run',
      );
    for (const station of run.stations) {
      const [from, to] = run.place(station) ?? [0, 0];
      if (!isRising(times.subarray(from, to)))
        this.#addDifference('rows', station, [begin, end], 'rows of a commit are not in order of time');
    }
  }

  async #checkStation(station: number): Promise<void> {
    const stored = await this.#block.dailyAggregates(station);
    this.#findings.verified += stored.length;
    const tables = new TableCheck(station, stored, this.#watch.daysOf, ({ start, end }, reason) =>
      this.#addDifference('days', station, [start, end - 1], reason, start),
    );
    const fault = this.#block.listFault?.(station);
    if (fault !== undefined) this.#addDifference('list', station, [null, null], fault);
    const totals = new TotalsCheck();
    const days = stored.length === 0 ? EMPTY_SERIES : await this.#dailyValuesOf(station);
    const runs = this.#block.runsOf(station);
    let [from, after] = [-Infinity, NO_DAY];
    for (let isLast = false; !isLast;) {
      this.#watch.signal?.throwIfAborted();
      const page = await this.#readChunks(station, after, from);
      isLast = page.length < CHUNKS_AT_ONCE;
      const last = page.at(-1);
      after = last?.day ?? after;
      const until = isLast || last === undefined ? Infinity : endOf(last);
      const series = this.#rowsOf(station, page, runs, from, until);
      totals.add(series);
      // If the station has unreadable rows, its daily aggregates are not compared. They may include these rows, so they may
      // differ from the readable rows.
      if (!this.#damaged.has(station) && !this.#damaged.has(dailySeriesOf(station)))
        tables.add(mergeAll([series, between(days, from, until)]), until);
      this.#watch.onRows?.(series.times.length);
      from = until;
      // Lets other work of the process run, such as the handler of a signal.
      await new Promise(setImmediate);
    }
    if (!this.#damaged.has(station)) this.#compareTotals(station, totals);
  }

  /**
   * The daily values of a station, for the comparison with its daily aggregates, which include them. Their damage is found when
   * their own series is checked.
   */
  async #dailyValuesOf(station: number): Promise<Series> {
    const series = dailySeriesOf(station);
    const parts: Series[] = [];
    try {
      for (let after = NO_DAY, isLast = false; !isLast;) {
        const page = await this.#block.chunks(series, after);
        isLast = page.length < CHUNKS_AT_ONCE;
        after = page.at(-1)?.day ?? after;
        parts.push(
          decodeAll(
            page.map((row) => openChunk({ ...row, key: chunkKey(series, row.day) })),
            undefined,
          ),
        );
      }
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.#damaged.add(series);
    }
    return mergeAll([...parts, gatherRows(this.#block.runsOf(series), series, -Infinity, Infinity)]);
  }

  /**
   * Reads the next chunks of a station. A chunk has the rows of 1, 8 or 64 days. Returns no chunks if damage in the database
   * prevents reading them.
   */
  async #readChunks(station: number, after: number, from: number): Promise<readonly CheckedChunk[]> {
    try {
      return await this.#block.chunks(station, after);
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.#damaged.add(station);
      const first = from === -Infinity ? null : from;
      this.#addDifference('rows', station, [first, null], `stored rows cannot be read: ${error.message}`);
      return [];
    }
  }

  /**
   * The rows of a station from `from` to `until`: the rows of chunks (rows of whole days), merged with the rows of runs (newer
   * rows that are not in chunks yet).
   */
  #rowsOf(
    station: number,
    chunks: readonly CheckedChunk[],
    runs: readonly Run[],
    from: number,
    until: number,
  ): Series {
    const opened = chunks.flatMap((chunk) => this.#openChunk(station, chunk) ?? []);
    for (const [index, chunk] of chunks.entries()) {
      const before = chunks[index - 1];
      const begin = before === undefined ? from : endOf(before);
      if (chunkStartOf(chunk) < begin || !isPossible(chunk))
        this.#addDifference(
          'rows',
          station,
          [chunkStartOf(chunk), endOf(chunk) - 1],
          'the days of a chunk are impossible or overlap the chunk before',
        );
    }
    const series = mergeAll([decodeAll(opened, undefined), gatherRows(runs, station, from, until)]);
    if (!isRising(series.times))
      this.#addDifference('rows', station, spanOf(series.times), 'rows are not in order of time');
    return series;
  }

  #openChunk(station: number, row: CheckedChunk) {
    this.#findings.verified += 1;
    const { block } = this.#block;
    const key = chunkKey(station, row.day);
    try {
      const chunk = openChunk({ ...row, key });
      const [midnight, end] = [chunkStartOf(row), endOf(row)];
      const { times } = chunk;
      const isOfDays = (times[0] ?? midnight) >= midnight && (times.at(-1) ?? midnight) < end;
      if (!isOfDays || !isRising(times))
        this.#addDifference('rows', station, [midnight, end - 1], 'rows of a chunk are not in order of time');
      if (variableMask(decodeAll([chunk], undefined)) !== row.variables)
        this.#addDifference(
          'rows',
          station,
          [midnight, end - 1],
          'the variables of a chunk differ from its column "variables"',
        );
      return chunk;
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      const damage = damagedChunk(station, { ...row, key }, error);
      this.#damaged.add(station);
      this.#findings.damage.push({ block, damage });
      return undefined;
    }
  }

  #compareTotals(station: number, totals: TotalsCheck): void {
    const { first, last } = totals.span;
    let reasons: string[];
    try {
      reasons = totals.differences(this.#block.stateOf(station));
    } catch {
      reasons = ['the stored totals cannot be read'];
    }
    for (const reason of reasons) this.#addDifference('totals', station, [first, last], reason);
  }

  #addDifference(
    kind: 'rows' | 'totals' | 'list' | 'days',
    station: number | undefined,
    [first, last]: readonly [number | null, number | null],
    reason: string,
    key = 0,
  ): void {
    this.#findings.differences.push({ kind, station, key, first, last, reason });
  }
}

function between(series: Series, from: number, until: number): Series {
  return sliceSeries(series, lowerBound(series.times, from), lowerBound(series.times, until));
}

const lower = (a: number, b: number) => Math.min(a, b);
const higher = (a: number, b: number) => Math.max(a, b);

function isRising(times: Float64Array): boolean {
  for (let row = 1; row < times.length; row += 1)
    if (!((times[row] as number) > (times[row - 1] as number))) return false;
  return true;
}

function spanOf(times: Float64Array): readonly [number, number] {
  return [times.reduce(lower, Infinity), times.reduce(higher, -Infinity)];
}
