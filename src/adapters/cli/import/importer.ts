import type {
  NumberedObservations,
  RefusedRow,
} from '../../../application/observations/ingest/numbered-observations.js';
import type { RecordBatches } from '../../../application/observations/ingest/record-batches.js';
import { firstOfEach, foldRows } from '../../../application/observations/ingest/repeated-rows.js';
import type { WriteEvents } from '../../../application/observations/ingest/write-events.js';
import { COMMAND_LINE } from '../../../domain/accounts/audit-event.js';
import { DomainError } from '../../../domain/domain-error.js';
import { addWritten } from '../../../domain/weather/merge-series.js';
import { reordered } from '../../../domain/weather/row-order.js';
import { converter } from '../../../domain/weather/units.js';
import { variableNamed } from '../../../domain/weather/variables.js';
import type { BadRow, GoodRow, PlanColumn, SentRow } from '../../formats/files/file-row.js';

/** Rows that are gathered before they are written, as one batch for all their stations. */
const GATHERED = 10_000;
/** Number of blocks between two flushes of the audit trail. After a crash it lacks at most these. */
const BLOCKS_AUDITED = 100;

export interface ImportCounts {
  rows: number;
  inserted: number;
  updated: number;
  unchanged: number;
  /** Number of rows with the same station and time as an earlier row that was gathered into the same batch. */
  repeated: number;
  rejected: number;
}

export interface ImportEvents {
  /** A row that was not taken as it is, and why. */
  reported(row: BadRow): void;
  /** Everything up to this line is on disk. */
  written(line: number): Promise<void>;
}

/** Writes the rows of a file, in the order in which they come. */
export class Importer {
  readonly counts: ImportCounts = {
    rows: 0,
    inserted: 0,
    updated: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
  };
  readonly #record: RecordBatches;
  readonly #columns: readonly { readonly number: number; readonly toStored: (value: number) => number }[];
  readonly #stations: ReadonlyMap<string, number>;
  readonly #events: ImportEvents;
  readonly #audit: WriteEvents;
  #gathered: GoodRow[] = [];
  #blocks = 0;
  #line = 0;

  /**
   * @param audit gets what is written, and is flushed by the importer
   * @param stations numbers by id
   * @throws DomainError REQUEST_INVALID when a variable cannot be had in the unit of its column
   */
  constructor(
    record: RecordBatches,
    audit: WriteEvents,
    columns: readonly PlanColumn[],
    stations: ReadonlyMap<string, number>,
    events: ImportEvents,
  ) {
    this.#record = record;
    this.#audit = audit;
    this.#columns = columns.map(({ variable: name, unit }) => {
      const variable = variableNamed(name);
      if (variable === undefined) throw new DomainError('REQUEST_INVALID', `There is no variable ${name}.`);
      return { number: variable.number, toStored: converter(variable, unit, 'stored') };
    });
    this.#stations = stations;
    this.#events = events;
  }

  /** The last line that was read. */
  get line(): number {
    return this.#line;
  }

  /** @param after the last line of an attempt before; rows up to it are passed over */
  async run(rows: AsyncIterable<SentRow>, after: number): Promise<void> {
    this.#line = after;
    try {
      await this.#writeAll(rows, after);
    } catch (error) {
      // The failure matters more than one of the audit trail.
      await this.#audit.flush().catch(() => undefined);
      throw error;
    }
    await this.#audit.flush();
  }

  async #writeAll(rows: AsyncIterable<SentRow>, after: number): Promise<void> {
    for await (const row of rows) {
      if (row.line <= after) continue;
      this.counts.rows += 1;
      this.#line = Math.max(this.#line, row.line);
      if ('problem' in row) this.#reject(row);
      else if (this.#stations.has(row.station)) this.#gathered.push(row);
      else this.#reject({ line: row.line, problem: noStation(row) });
      if (this.#gathered.length >= GATHERED) await this.#write();
    }
    await this.#write();
  }

  async #write(): Promise<void> {
    const rows = this.#gathered;
    this.#gathered = [];
    if (rows.length > 0) await this.#writeRows(rows);
    await this.#events.written(this.#line);
    this.#blocks += 1;
    if (this.#blocks % BLOCKS_AUDITED === 0) await this.#audit.flush();
  }

  async #writeRows(rows: readonly GoodRow[]): Promise<void> {
    const stations = Uint32Array.from(rows, ({ station }) => this.#stations.get(station) as number);
    const times = Float64Array.from(rows, ({ time }) => Math.round(time));
    const hasNoValue = Uint8Array.from(rows, ({ values }) => (values.every(Number.isNaN) ? 1 : 0));
    const firsts = await firstOfEach(times, hasNoValue, stations);
    const values = this.#convert(rows);
    if (firsts === undefined) return await this.#send({ stations, times, values }, rows);
    for (const [row, first] of firsts.entries()) {
      if (row === first) continue;
      const [repeated, original] = [rows[row] as GoodRow, rows[first] as GoodRow];
      this.counts.repeated += 1;
      const problem = `has the time of line ${original.line}, whose values it replaces`;
      this.#events.reported({ line: repeated.line, problem });
    }
    const kept = Uint32Array.from(firsts.filter((first, row) => first === row));
    const folded = foldRows(values, firsts);
    const batch = {
      stations: Uint32Array.from(kept, (row) => stations[row] as number),
      times: reordered(times, kept),
      values: new Map([...folded].map(([variable, column]) => [variable, reordered(column, kept)])),
    };
    const keptRows = Array.from(kept, (row) => rows[row] as GoodRow);
    await this.#send(batch, keptRows);
  }

  #convert(rows: readonly GoodRow[]): Map<number, Float64Array> {
    const converted = this.#columns.map(({ number, toStored }, column) => {
      const stored = (row: GoodRow) => {
        const value = row.values[column] as number;
        return Number.isNaN(value) ? value : toStored(value);
      };
      return [number, Float64Array.from(rows, stored)] as const;
    });
    return new Map(converted);
  }

  async #send(batch: NumberedObservations, rows: readonly GoodRow[]): Promise<void> {
    // One batch for each station, so that the outcomes are known by station. The batches share commits.
    const order = Uint32Array.from(rows.keys()).sort(
      (a, b) => (batch.stations[a] as number) - (batch.stations[b] as number) || a - b,
    );
    const receipt = await this.#record.execute(byStation(batch, order), COMMAND_LINE, {
      listed: Infinity,
      events: this.#audit,
    });
    addWritten(this.counts, receipt);
    for (const refused of receipt.refused) {
      const row = rows[order[refused.row] as number] as GoodRow;
      this.#reject({ line: row.line, problem: reasonOf(refused, row) });
    }
  }

  #reject(row: BadRow): void {
    this.counts.rejected += 1;
    this.#events.reported(row);
  }
}

/** @param order the rows, grouped by station */
async function* byStation(
  { stations, times, values }: NumberedObservations,
  order: Uint32Array,
): AsyncGenerator<NumberedObservations> {
  let from = 0;
  while (from < order.length) {
    const station = stations[order[from] as number] as number;
    let to = from;
    while (to < order.length && stations[order[to] as number] === station) to += 1;
    const rows = order.subarray(from, to);
    yield {
      stations: new Uint32Array(rows.length).fill(station),
      times: reordered(times, rows),
      values: new Map([...values].map(([variable, column]) => [variable, reordered(column, rows)])),
    };
    from = to;
  }
}

function noStation({ station }: GoodRow): string {
  return `There is no station ${JSON.stringify(station)}.`;
}

function reasonOf({ reason }: RefusedRow, row: GoodRow): string {
  if (reason === 'station') return noStation(row);
  if (reason === 'time') return row.time > Date.now() ? 'time lies in the future' : 'time lies before 1600';
  return reason === 'row' ? 'row has no value' : 'has a value that is not finite';
}
