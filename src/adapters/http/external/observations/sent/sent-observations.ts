import { setImmediate } from 'node:timers/promises';
import type { SentObservations } from '../../../../../application/observations/ingest/receipt.js';
import { Refusals } from '../../../../../application/observations/ingest/refusals.js';
import { quoted } from '../../../../../domain/quoted.js';
import { unitsIn, type UnitSystem } from '../../../../../domain/weather/units.js';
import { variableNamed } from '../../../../../domain/weather/variables.js';
import { ProtocolError } from '../../../core/errors.js';
import { parseTime, timeReason } from './sent-time.js';

/** Number of values that are read in one turn of the event loop. */
const SLICE = 65_536;

interface SentColumns {
  readonly time: readonly unknown[];
  readonly units?: UnitSystem | Readonly<Record<string, string>>;
  readonly [variable: string]: unknown;
}

/**
 * Columns of JSON. What is no time or no number refuses its row.
 *
 * @param system of the query; undefined where it does not say
 * @throws ProtocolError REQUEST_INVALID where query and body disagree about units, or a unit is of no variable
 */
export async function readColumns(body: object, system: UnitSystem | undefined): Promise<SentObservations> {
  const { time, units: given, ...columns } = body as SentColumns;
  const units = namedUnits(given, system);
  const refusals = new Refusals(time.length);
  const times = await readColumn(time, (value, index) => {
    const parsed = typeof value === 'number' ? value * 1000 : parseTime(value);
    if (Number.isFinite(parsed)) return parsed;
    refusals.add(index, 'time', () => timeReason(value));
    return Number.NaN;
  });
  const values = new Map<string, Float64Array>();
  for (const [name, column] of Object.entries(columns)) {
    if (column === undefined) continue;
    const numbers = await readColumn(column as readonly unknown[], (value, index) => {
      if (value === null) return Number.NaN;
      if (typeof value === 'number') return value;
      refusals.add(
        index,
        name,
        () => (typeof value === 'string' ? `${quoted(value)} ` : '') + 'is not a number',
      );
      return Number.NaN;
    });
    values.set(name, numbers);
  }
  return { times, values, units, rejections: refusals.listed, unreadable: refusals.bytes(time.length) };
}

async function readColumn(
  column: readonly unknown[],
  read: (value: unknown, index: number) => number,
): Promise<Float64Array> {
  const numbers = new Float64Array(column.length);
  for (let index = 0; index < column.length; index += 1) {
    if (index > 0 && index % SLICE === 0) await setImmediate();
    numbers[index] = read(column[index], index);
  }
  return numbers;
}

function namedUnits(
  given: SentColumns['units'],
  system: UnitSystem | undefined,
): Readonly<Record<string, string>> {
  if (given !== undefined && system !== undefined && given !== system) {
    throw new ProtocolError(
      'REQUEST_INVALID',
      `The query says units=${system}, and the body has other units.`,
    );
  }
  if (typeof given !== 'object') return unitsIn(given ?? system ?? 'metric');
  const unknown = Object.keys(given).find((name) => variableNamed(name) === undefined);
  if (unknown === undefined) return given;
  throw new ProtocolError('REQUEST_INVALID', `units: there is no variable ${quoted(unknown)}.`);
}
