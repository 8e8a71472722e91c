import {
  type PartialSums,
  rowsOfBuckets,
  type SummedStation,
  type SumsQuery,
  StationsSums,
} from '#domain/weather/summaries/sums-query.js';
import { stationOf } from '#adapters/packed-store/days/daily-series.js';
import type { DamageReport } from '../../damage/damage-report.js';
import { blockOf } from '../blocks.js';
import { partRows, type RowReader } from '../row-reader.js';
import { SideBySide } from '../side-by-side.js';
import { rowsOfPart, type StationPart } from './sum-step.js';
import { SumThreads } from './sum-threads.js';

/** Maximum number of buckets whose sums are in memory for one group of stations. */
const SUMMED_BUCKETS = 16_384;
/**
 * Maximum number of groups of stations that are read at the same time, in addition to one group of each question. Each group needs a
 * connection, or two if its block (group of 64 stations) has daily values. Other calls need some of the ten connections too.
 */
const GROUPS_AT_ONCE = 3;
/** The result of a step before all rows of a group are read. */
const NO_SUMS: PartialSums['sums'] = new Map();

/** Sums rows for questions over stations. */
export class PostgresSums {
  readonly #reader: RowReader;
  readonly #damage: DamageReport;
  readonly #sideBySide = new SideBySide(GROUPS_AT_ONCE);
  readonly #threads = new SumThreads();

  constructor(reader: RowReader, damage: DamageReport) {
    this.#reader = reader;
    this.#damage = damage;
  }

  get name(): string {
    return this.#threads.name;
  }

  check(): Promise<undefined> {
    return this.#threads.check();
  }

  close(): Promise<void> {
    return this.#threads.close();
  }

  /**
   * Sums rows. The groups of a question over many stations are read on several connections and summed in threads. A question over the
   * stations of one block (group of 64 stations) is answered in the thread of the caller, because most have few rows.
   */
  async *sum(query: SumsQuery): AsyncGenerator<PartialSums> {
    if (query.buckets.length === 0) return;
    const groups = groupsOf(query);
    const [only] = groups;
    if (only !== undefined && groups.length === 1) return yield* this.#sumHere(query, only);
    yield* this.#sideBySide.run(groups, (group) => this.#sumInThread(query, group));
  }

  async *#sumHere(query: SumsQuery, group: SumGroup): AsyncGenerator<PartialSums> {
    const own = queryOf(query, group);
    const sums = new StationsSums(own);
    const variables = query.columns && new Set(query.columns);
    let rows = 0;
    for await (const { index, part } of this.#partsOf(own)) {
      sums.add(index, await this.#reader.decode(part, variables));
      rows += rowsOfPart(part);
      if (rows < partRows(query.columns)) continue;
      rows = 0;
      yield { at: 0, count: 0, sums: NO_SUMS };
    }
    const count = own.stations.length * own.buckets.length;
    yield { at: 0, count, sums: sums.summaries.sums(0, count) };
  }

  async *#sumInThread(query: SumsQuery, group: SumGroup): AsyncGenerator<PartialSums> {
    const own = queryOf(query, group);
    const at = group[0] * query.buckets.length;
    try {
      for await (const sums of this.#threads.sum(own, this.#partsOf(own)))
        yield sums === undefined
          ? { at, count: 0, sums: NO_SUMS }
          : { at, count: own.stations.length * own.buckets.length, sums };
    } catch (error) {
      await this.#damage.fail(error);
    }
  }

  async *#partsOf({ stations, buckets, columns }: SumsQuery): AsyncGenerator<StationPart> {
    const indexes = new Map(stations.map(({ number }, index) => [number, index]));
    const range = { stations: stations.map(({ number }) => number), ...rowsOfBuckets(buckets) };
    const wanted = columns === undefined ? range : { ...range, variables: columns };
    for await (const part of this.#reader.parts(wanted, partRows(columns)))
      yield { index: indexes.get(stationOf(part.series)) as number, part };
  }
}

/** The stations of a `SumsQuery` from index `begin` to `end` (not included), which are summed together. */
type SumGroup = readonly [begin: number, end: number];

/** Divides the stations of a question: the stations of a group follow each other and belong to one block (group of 64 stations). */
function groupsOf({ stations, buckets }: SumsQuery): readonly SumGroup[] {
  const groups: SumGroup[] = [];
  const most = Math.max(1, Math.floor(SUMMED_BUCKETS / buckets.length));
  for (let begin = 0; begin < stations.length;) {
    const block = blockOf((stations[begin] as SummedStation).number);
    let end = begin + 1;
    while (
      end < stations.length &&
      end - begin < most &&
      blockOf((stations[end] as SummedStation).number) === block
    )
      end += 1;
    groups.push([begin, end]);
    begin = end;
  }
  return groups;
}

function queryOf(query: SumsQuery, [begin, end]: SumGroup): SumsQuery {
  return { ...query, stations: query.stations.slice(begin, end) };
}
