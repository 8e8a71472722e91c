import { setImmediate } from 'node:timers/promises';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import { type SentColumn, type SentRows, UnreadableRows } from '#domain/weather/sent-rows.js';
import { unitsIn, type UnitSystem } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import { parseTime, timeReason } from '../text/parse-time.js';

/** Number of values that are read in one turn of the event loop. */
const ITEMS_AT_ONCE = 65_536;

interface JsonColumns {
  readonly time: readonly unknown[];
  readonly units?: UnitSystem | Readonly<Record<string, string>>;
  readonly [variable: string]: unknown;
}

/**
 * Reads the columns of a JSON body. A value that is not a number or not a time rejects its row.
 *
 * @param station id of the station of all rows
 * @param system unit system of the query; undefined if the query has none
 * @throws DomainError REQUEST_INVALID if query and body have different units, or if a variable does not exist
 */
export async function readColumns(
  body: object,
  station: string,
  system: UnitSystem | undefined,
): Promise<SentRows> {
  const { time, units: bodyUnits, ...named } = body as JsonColumns;
  const units = namedUnits(bodyUnits, system);
  const unreadable = new UnreadableRows();
  const times = await readColumn(time, (value, row) => {
    const parsed = typeof value === 'number' ? Math.round(value * 1000) : parseTime(value);
    if (Number.isFinite(parsed)) return parsed;
    unreadable.add(row, 0, () => timeReason(value));
    return Number.NaN;
  });
  const columns: SentColumn[] = [];
  for (const [name, column] of Object.entries(named)) {
    if (column === undefined) continue;
    const variable = variableNamed(name)?.number;
    if (variable === undefined) throw invalid(`There is no variable ${quoted(name)}.`);
    const values = await readColumn(column as readonly unknown[], (value, row) => {
      if (value === null) return Number.NaN;
      if (typeof value === 'number') return value;
      const text = typeof value === 'string' ? `${quoted(value)} ` : '';
      unreadable.add(row, variable, () => `${text}is not a number`);
      return Number.NaN;
    });
    columns.push({ variable, unit: units[name], values });
  }
  return { stations: station, times, columns, unreadable };
}

async function readColumn(
  column: readonly unknown[],
  read: (value: unknown, index: number) => number,
): Promise<Float64Array> {
  const numbers = new Float64Array(column.length);
  for (let index = 0; index < column.length; index += 1) {
    if (index > 0 && index % ITEMS_AT_ONCE === 0) await setImmediate();
    numbers[index] = read(column[index], index);
  }
  return numbers;
}

function namedUnits(
  bodyUnits: JsonColumns['units'],
  system: UnitSystem | undefined,
): Readonly<Record<string, string>> {
  if (bodyUnits !== undefined && system !== undefined && bodyUnits !== system) {
    throw invalid(`The query has units=${system}, but the body has other units: remove one of the two.`);
  }
  if (typeof bodyUnits !== 'object') return unitsIn(bodyUnits ?? system ?? 'metric');
  const unknown = Object.keys(bodyUnits).find((name) => variableNamed(name) === undefined);
  if (unknown === undefined) return bodyUnits;
  throw invalid(`units: there is no variable ${quoted(unknown)}.`);
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
