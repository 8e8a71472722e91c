import { setImmediate } from 'node:timers/promises';
import type { SentObservations } from '../../../../../application/observations/ingest/receipt.js';
import { Refusals } from '../../../../../application/observations/ingest/refusals.js';
import { quoted } from '../../../../../domain/quoted.js';
import { readHeading, unitIn, type UnitSystem } from '../../../../../domain/weather/units.js';
import { variableNamed } from '../../../../../domain/weather/variables.js';
import { ProtocolError } from '../../../core/errors.js';
import { csvPieces } from './csv-pieces.js';
import { parseTime, timeReason } from './sent-time.js';

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Reads CSV with a header; an empty field is absent. A heading may name the unit (`air_temperature (°F)`), as the service's
 * own CSV does; a column without one is in the unit of `system`. It gives way to other requests every few milliseconds.
 *
 * @param system metric where the request does not say
 * @throws ProtocolError REQUEST_INVALID when it is no such CSV, with the line
 */
export async function readCsv(bytes: Uint8Array, system: UnitSystem | undefined): Promise<SentObservations> {
  let columns: CsvColumns | undefined;
  for (const records of csvPieces(bytes)) {
    for (const record of records) {
      if (columns === undefined) columns = new CsvColumns(record, system);
      else columns.add(record);
    }
    await setImmediate();
  }
  return (columns ?? new CsvColumns([], system)).toSentObservations();
}

interface Column {
  readonly at: number;
  readonly name: string;
  values: Float64Array;
}

class CsvColumns {
  readonly #timeAt: number;
  readonly #columns: Column[] = [];
  readonly #units: Record<string, string> = {};
  readonly #refusals = new Refusals();
  #times = new Float64Array(256);
  #rows = 0;

  constructor(header: readonly string[], system: UnitSystem | undefined) {
    const headings = header.map(readHeading);
    this.#timeAt = headings.findIndex(({ name }) => name === 'time');
    if (this.#timeAt === -1) throw invalid('The CSV has no column time.');
    const seen = new Set<string>();
    for (const [at, { name, unit }] of headings.entries()) {
      if (seen.has(name)) throw invalid(`The CSV has ${name} twice.`);
      seen.add(name);
      // A column that the service itself writes beside the variables.
      if (at === this.#timeAt || name === 'quality') continue;
      const variable = variableNamed(name);
      if (variable === undefined) throw invalid(`There is no variable ${quoted(name)}.`);
      const asked = system && unitIn(system, variable);
      if (unit !== undefined && asked !== undefined && unit !== asked) {
        throw invalid(`The CSV has ${name} in ${quoted(unit)}, and units=${system} means ${asked}.`);
      }
      this.#units[name] = unit ?? asked ?? variable.unit;
      this.#columns.push({ at, name, values: new Float64Array(256) });
    }
  }

  add(record: readonly string[]): void {
    const row = this.#rows;
    this.#rows += 1;
    if (row === this.#times.length) this.#grow();
    const time = record[this.#timeAt]?.trim() ?? '';
    this.#times[row] = NUMBER.test(time) ? Number(time) * 1000 : parseTime(time);
    if (!Number.isFinite(this.#times[row])) {
      this.#times[row] = Number.NaN;
      this.#refusals.add(row, 'time', () => timeReason(time));
    }
    for (const { at, name, values } of this.#columns) {
      const text = record[at]?.trim() ?? '';
      values[row] = NUMBER.test(text) ? Number(text) : Number.NaN;
      if (text === '' || Number.isFinite(values[row])) continue;
      values[row] = Number.NaN;
      this.#refusals.add(row, name, () => `${quoted(text)} is not a number`);
    }
  }

  toSentObservations(): SentObservations {
    return {
      times: this.#times.subarray(0, this.#rows),
      values: new Map(this.#columns.map(({ name, values }) => [name, values.subarray(0, this.#rows)])),
      units: this.#units,
      rejections: this.#refusals.listed,
      unreadable: this.#refusals.bytes(this.#rows),
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

function invalid(message: string): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', message);
}
