import { type Series, verdictOf } from '#domain/weather/series.js';
import { VARIABLES } from '#domain/weather/variables.js';
import type { Message } from '../../ports/delivery.js';

/** A row of a station. `variable` is the number of a variable. */
export interface StationRow {
  /** Time of the row, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  readonly values: readonly { readonly variable: number; readonly value: number; readonly flags: number }[];
}

const NAMES = new Map(VARIABLES.map(({ number, name }) => [number, name]));

export function rowOf({ times, values, flags }: Series, row: number): StationRow {
  const found = [...values]
    .map(([variable, column]) => ({
      variable,
      value: column[row] as number,
      flags: flags.get(variable)?.[row] ?? 0,
    }))
    .filter(({ value }) => !Number.isNaN(value));
  return { time: times[row] as number, values: found.sort((a, b) => a.variable - b.variable) };
}

export interface RowOrigin {
  readonly hook: string;
  /** Id of the station. */
  readonly station: string;
  readonly number: number;
  /**
   * Revision of the station, a number that rises when its rows change. It is present only for a row that was late or has changed.
   */
  readonly lateRevision?: number | undefined;
}

/** Creates the message of a row. Values are in stored units. */
export function rowMessage({ hook, station, number, lateRevision }: RowOrigin, row: StationRow): Message {
  const time = new Date(row.time).toISOString();
  const isLate = lateRevision !== undefined;
  // The id of the message contains the number of the station, because the id of the station may change. For a late or changed
  // row, it also contains the revision of the station, a number that rises when its rows change. Otherwise, the target would take
  // the message for a repetition.
  const id = `${hook}/${number}/${row.time}${isLate ? `/${lateRevision}` : ''}`;
  const values: Record<string, number> = {};
  const verdicts: Record<string, string> = {};
  for (const { variable, value, flags } of row.values) {
    const name = NAMES.get(variable);
    // Values that are not finite are left out, because JSON cannot express them.
    if (name === undefined || !Number.isFinite(value)) continue;
    values[name] = value;
    if (flags !== 0) verdicts[name] = verdictOf(flags);
  }
  const body = { id, event: EVENT, hook, station, time, late: isLate, values, verdicts };
  return { event: EVENT, id, body: JSON.stringify(body), facts: { hook, station, time } };
}

const EVENT = 'observation';
