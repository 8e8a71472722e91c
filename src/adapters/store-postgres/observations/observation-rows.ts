import type { ObservationBatch, Series } from '../../../domain/weather/series.js';
import { type Variable, VARIABLES } from '../../../domain/weather/variables.js';
import type { Query } from '../database/query.js';

export interface RowQuery {
  readonly stations?: readonly number[] | undefined;
  readonly from: number;
  readonly to: number;
  readonly variables?: readonly number[] | undefined;
  /** The last row of the previous page. */
  readonly after?: readonly [station: number, time: number] | undefined;
  readonly limit: number | undefined;
}

/** Reads rows in order of (station, time) that have a value of a variable in the query. */
export async function readRows(query: Query, asked: RowQuery): Promise<ObservationBatch> {
  const columns = VARIABLES.filter(({ number }) => asked.variables?.includes(number) ?? true);
  const names = columns.map(({ name }) => name);
  if (names.length === 0) return empty();
  const { rows } = await query<Record<string, number | Buffer | null>>(
    `SELECT station, time, ${names.join(', ')}, flags FROM weatherd.observation
     WHERE time >= $1 AND time < $2 AND ($3::integer[] IS NULL OR station = ANY($3))
       AND ($4::integer IS NULL OR (station, time) > ($4, $5::bigint))
       AND num_nonnulls(${names.join(', ')}) > 0
     ORDER BY station, time LIMIT $6`,
    [
      clampTime(asked.from),
      clampTime(asked.to),
      asked.stations === undefined ? null : [...asked.stations],
      asked.after?.[0] ?? null,
      asked.after?.[1] ?? null,
      asked.limit ?? null,
    ],
  );
  return toBatch(rows, columns);
}

/** @param rows from the driver, with `station`, `time`, `flags` and a field for each of `variables` by name */
export function toBatch(
  rows: readonly Record<string, number | Buffer | null>[],
  variables: readonly Variable[],
): ObservationBatch {
  const values = new Map<number, Float64Array>();
  for (const { number, name } of variables) {
    const column = Float64Array.from(rows, (row) => (row[name] as number | null) ?? Number.NaN);
    if (column.some((value) => !Number.isNaN(value))) values.set(number, column);
  }
  const flags = new Map<number, Uint8Array>();
  for (const [index, row] of rows.entries()) {
    const pairs = (row['flags'] as Buffer | null) ?? [];
    for (let at = 0; at < pairs.length; at += 2) {
      const variable = pairs[at] as number;
      if (!values.has(variable)) continue;
      let column = flags.get(variable);
      if (column === undefined) flags.set(variable, (column = new Uint8Array(rows.length)));
      column[index] = pairs[at + 1] as number;
    }
  }
  return {
    stations: Uint32Array.from(rows, (row) => row['station'] as number),
    times: Float64Array.from(rows, (row) => row['time'] as number),
    values,
    flags,
  };
}

/**
 * Inserts rows or updates existing ones.
 *
 * @param absent whether an absent value leaves the stored one, or removes it
 */
export async function insertRows(
  query: Query,
  parts: ReadonlyMap<number, Series>,
  absent: 'leaves' | 'removes' = 'leaves',
): Promise<void> {
  const series = [...parts.values()];
  const used = VARIABLES.filter(({ number }) => series.some(({ values }) => values.has(number)));
  const stations = [...parts].flatMap(([station, { times }]) => Array.from(times, () => station));
  const times = series.flatMap((part) => [...part.times]);
  const columns = used.map(({ number }) =>
    series.flatMap((part) => {
      const column = part.values.get(number);
      if (column === undefined) return Array.from(part.times, () => null);
      return Array.from(column, toParameter);
    }),
  );
  const flags = series.flatMap((part) => Array.from(part.times, (_time, row) => flagsOfRow(part, row)));
  const names = used.map(({ name }) => name);
  const update = (name: string) =>
    absent === 'leaves' ? `${name} = coalesce(excluded.${name}, kept.${name})` : `${name} = excluded.${name}`;
  const arrays = names.map((_name, index) => `$${index + 4}::float8[]`);
  await query(
    `INSERT INTO weatherd.observation AS kept (station, time, flags, ${names.join(', ')})
     SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bytea[], ${arrays.join(', ')})
     ON CONFLICT (station, time) DO UPDATE SET flags = excluded.flags,
       ${names.map(update).join(', ')}`,
    [stations, times, flags, ...columns],
  );
}

/** Deletes rows. @param times of the rows of each station */
export async function deleteRows(query: Query, times: ReadonlyMap<number, Float64Array>): Promise<void> {
  await query(
    `DELETE FROM weatherd.observation AS kept USING unnest($1::integer[], $2::bigint[]) AS gone (station, time)
     WHERE kept.station = gone.station AND kept.time = gone.time`,
    [
      [...times].flatMap(([station, own]) => Array.from(own, () => station)),
      [...times.values()].flatMap((own) => [...own]),
    ],
  );
}

/** -0 is sent as text, because the driver would write it as 0. */
function toParameter(value: number): number | string | null {
  if (Number.isNaN(value)) return null;
  return Object.is(value, -0) ? '-0' : value;
}

/** The flags of a row as pairs of bytes: a variable and its flags. */
function flagsOfRow({ flags }: Series, row: number): Buffer | null {
  const pairs = [...flags].flatMap(([variable, column]) =>
    column[row] === 0 ? [] : [variable, column[row] as number],
  );
  return pairs.length === 0 ? null : Buffer.from(pairs);
}

/** Limits a time to the range of a bigint column. */
function clampTime(time: number): number {
  return Math.trunc(Math.min(Math.max(time, -8.64e15), 8.64e15));
}

function empty(): ObservationBatch {
  return { stations: new Uint32Array(0), times: new Float64Array(0), values: new Map(), flags: new Map() };
}
