import { setImmediate } from 'node:timers/promises';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import { type SentRows, UnreadableRows } from '#domain/weather/sent-rows.js';
import { readHeading, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { type Variable, variableNamed } from '#domain/weather/variables.js';
import { decimalNumber } from '../text/number.js';
import { parseTime, timeReason } from '../text/parse-time.js';
import { CSV_FAULTS, CsvReader, type CsvRecord } from './csv-reader.js';

/** Number of bytes that are read in one turn of the event loop. Reading this number of bytes takes about 2 ms. */
const PIECE = 32_768;

/**
 * Reads CSV with a header. An empty field means that the value is absent. A heading may name the unit (`air_temperature (°F)`),
 * like the CSV of the service; a column without a unit has the unit of `system`. The function lets other requests run every few
 * milliseconds.
 *
 * @param station id of the station of all rows
 * @param system the parameter `units` of the request; undefined means metric
 * @throws DomainError REQUEST_INVALID with the line, if the text is not such a CSV
 */
export async function readCsv(
  bytes: Uint8Array,
  station: string,
  system: UnitSystem | undefined,
): Promise<SentRows> {
  const reader = new CsvReader();
  let columns: CsvColumns | undefined;
  const add = (records: readonly CsvRecord[]) => {
    for (const record of records) {
      if (record.fault !== undefined) throw broken(record.line, `${CSV_FAULTS[record.fault]}.`);
      if (columns === undefined) columns = new CsvColumns(record.fields, system);
      else columns.add(record);
    }
  };
  for (let at = 0; at < bytes.length; at += PIECE) {
    add(reader.read(bytes.subarray(at, at + PIECE)));
    await setImmediate();
  }
  add(reader.end());
  return (columns ?? new CsvColumns([], system)).toSentRows(station);
}

interface Column {
  readonly at: number;
  readonly variable: Variable;
  readonly unit: string;
  values: Float64Array;
}

class CsvColumns {
  readonly #width: number;
  readonly #timeAt: number;
  readonly #columns: Column[] = [];
  readonly #unreadable = new UnreadableRows();
  #times = new Float64Array(256);
  #rows = 0;

  constructor(header: readonly string[], system: UnitSystem | undefined) {
    const headings = header.map(readHeading);
    this.#width = header.length;
    this.#timeAt = headings.findIndex(({ name }) => name === 'time');
    if (this.#timeAt === -1) throw invalid('The CSV has no column "time".');
    const seen = new Set<string>();
    for (const [at, { name, unit }] of headings.entries()) {
      if (seen.has(name)) throw invalid(`The CSV has two columns ${quoted(name)}.`);
      seen.add(name);
      // The CSV of the service may have a column `quality`. In a request this column is ignored.
      if (at === this.#timeAt || name === 'quality') continue;
      const variable = variableNamed(name);
      if (variable === undefined) throw invalid(`There is no variable ${quoted(name)}.`);
      const requested = system && unitIn(system, variable);
      if (unit !== undefined && requested !== undefined && unit !== requested) {
        throw invalid(
          `The column ${name} is in ${quoted(unit)}, but units=${system} requires ${requested}: remove one of the two.`,
        );
      }
      this.#columns.push({
        at,
        variable,
        unit: unit ?? requested ?? variable.unit,
        values: new Float64Array(256),
      });
    }
  }

  add({ fields, line }: CsvRecord): void {
    if (fields.length !== this.#width)
      throw broken(line, `it has ${fields.length} fields, but the header has ${this.#width}.`);
    const row = this.#rows;
    this.#rows += 1;
    if (row === this.#times.length) this.#grow();
    const time = fields[this.#timeAt]?.trim() ?? '';
    const seconds = decimalNumber(time);
    this.#times[row] = Number.isNaN(seconds) ? parseTime(time) : Math.round(seconds * 1000);
    if (!Number.isFinite(this.#times[row])) {
      this.#times[row] = Number.NaN;
      this.#unreadable.add(row, 0, () => timeReason(time));
    }
    for (const { at, variable, values } of this.#columns) {
      const text = fields[at]?.trim() ?? '';
      values[row] = decimalNumber(text);
      if (text === '' || Number.isFinite(values[row])) continue;
      values[row] = Number.NaN;
      this.#unreadable.add(row, variable.number, () => `${quoted(text)} is not a number`);
    }
  }

  toSentRows(station: string): SentRows {
    return {
      stations: station,
      times: this.#times.subarray(0, this.#rows),
      columns: this.#columns.map(({ variable, unit, values }) => ({
        variable: variable.number,
        unit,
        values: values.subarray(0, this.#rows),
      })),
      unreadable: this.#unreadable,
    };
  }

  #grow(): void {
    const grown = (column: Float64Array) => {
      const larger = new Float64Array(2 * column.length);
      larger.set(column);
      return larger;
    };
    this.#times = grown(this.#times);
    for (const column of this.#columns) column.values = grown(column.values);
  }
}

/** @param reason the end of a sentence, with its full stop */
function broken(line: number, reason: string): DomainError {
  return invalid(`The CSV cannot be read at line ${line}: ${reason}`);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
