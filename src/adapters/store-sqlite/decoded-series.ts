import { pickRows } from '../../domain/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '../../domain/observations.js';
import { dayOfKey } from './chunk-key.js';
import { decodeChunk } from './chunk-codec.js';

/** A day of a station as it is kept. */
export interface ChunkRow {
  readonly key: number;
  readonly rows: number;
  readonly data: Buffer;
}

export function decodeAll(chunks: readonly ChunkRow[], variables: ReadonlySet<number> | undefined): Series {
  const rows = chunks.reduce((sum, chunk) => sum + chunk.rows, 0);
  const times = new Float64Array(rows);
  const values = new Map<number, Float64Array>();
  const flags = new Map<number, Uint8Array>();
  const target = {
    times,
    column: (variable: number) => {
      if (variables !== undefined && !variables.has(variable)) return undefined;
      let column = values.get(variable);
      if (column === undefined) values.set(variable, (column = new Float64Array(rows).fill(Number.NaN)));
      return column;
    },
    flag: (variable: number) => {
      let column = flags.get(variable);
      if (column === undefined) flags.set(variable, (column = new Uint8Array(rows)));
      return column;
    },
  };
  let at = 0;
  for (const { key, data } of chunks) at += decodeChunk(dayOfKey(key), data, target, at);
  return { times, values, flags };
}

export function only(series: Series, variables: ReadonlySet<number> | undefined): Series {
  if (variables === undefined) return series;
  const pick = <T>(columns: ReadonlyMap<number, T>) =>
    new Map([...columns].filter(([variable]) => variables.has(variable)));
  return { times: series.times, values: pick(series.values), flags: pick(series.flags) };
}

export function between(series: Series, from: number, to: number): Series {
  const [start, end] = [lowerBound(series.times, from), lowerBound(series.times, to)];
  return start === 0 && end === series.times.length ? series : sliceSeries(series, start, end);
}

/** Without the rows that have no value. */
export function withValues(series: Series): Series {
  const columns = [...series.values.values()];
  const kept = new Uint8Array(series.times.length);
  let count = 0;
  for (let row = 0; row < kept.length; row += 1) {
    if (!columns.some((column) => !Number.isNaN(column[row]))) continue;
    kept[row] = 1;
    count += 1;
  }
  return count === kept.length ? series : pickRows(series, kept);
}
