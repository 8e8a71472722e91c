import { MILLISECONDS } from '#domain/time.js';
import { type Verdict, verdictOf } from '#domain/weather/series.js';
import { SeriesDigest } from '#domain/weather/series-digest.js';
import type { StationRow } from './row-message.js';

/**
 * Maximum age in milliseconds of late or changed rows. Older rows are not sent, because an import may write the rows of many
 * years.
 */
export const MAX_LATE_AGE = MILLISECONDS.day;
/**
 * Maximum number of delivered rows of a hook that are remembered, which are about 4 MB: a day of 30 stations that report every
 * minute.
 */
export const MAX_DELIVERED = 50_000;

/** Digest of the values and verdicts of a row, as the target gets them: 52 bits, which a number can hold. */
export function digestOf({ values: cells }: Pick<StationRow, 'values'>): number {
  const sent = cells.filter(({ value }) => Number.isFinite(value));
  const digest = new SeriesDigest();
  const series = {
    times: Float64Array.of(0),
    // The sum makes 0 of -0, because both have the same text in JSON.
    values: new Map(sent.map(({ variable, value }) => [variable, Float64Array.of(value + 0)])),
    flags: new Map(
      sent.map(({ variable, flags }) => [variable, Uint8Array.of(VERDICTS.indexOf(verdictOf(flags)))]),
    ),
  };
  digest.add(series, 0, 1);
  return Number.parseInt(digest.sum.checksum.slice(0, 13), 16);
}

const VERDICTS: readonly Verdict[] = ['pass', 'suspect', 'fail'];

/**
 * Remembers which values and verdicts the target of a hook has of the rows of the last day, so that a row is sent again only if they
 * differ. A row that is not remembered counts as different. Times are milliseconds since 1970-01-01T00:00:00Z.
 */
export class DeliveredRows {
  /** The digest of each row, by number of the station and time of the row. */
  readonly #stations = new Map<number, Map<number, number>>();
  readonly #maxRows: number;
  #size = 0;

  constructor(maxRows = MAX_DELIVERED) {
    this.#maxRows = maxRows;
  }

  get size(): number {
    return this.#size;
  }

  digestOf(station: number, time: number): number | undefined {
    return this.#stations.get(station)?.get(time);
  }

  /** Remembers a row, and forgets rows of the station from before `oldest`. If there are too many rows, old ones are forgotten. */
  set(station: number, time: number, digest: number, oldest: number): void {
    const rows = this.#stations.get(station) ?? new Map<number, number>();
    this.#stations.set(station, rows);
    this.#size += rows.has(time) ? 0 : 1;
    rows.set(time, digest);
    for (const at of rows.keys()) {
      if (at >= oldest) break;
      this.#delete(station, at);
    }
    if (this.#size > this.#maxRows) this.#forgetOne();
  }

  /** Forgets the rows from `from` to `to`, both included. */
  forget(station: number, { from, to }: { readonly from: number; readonly to: number }): void {
    if (from === to) this.#delete(station, from);
    else
      for (const time of this.#stations.get(station)?.keys() ?? [])
        if (time >= from && time <= to) this.#delete(station, time);
  }

  /** Forgets the row of a station that was remembered first. The stations take turns. */
  #forgetOne(): void {
    const [first] = this.#stations;
    if (first === undefined) return;
    const [station, rows] = first;
    const [time] = rows.keys();
    this.#stations.delete(station);
    this.#stations.set(station, rows);
    if (time !== undefined) this.#delete(station, time);
  }

  #delete(station: number, time: number): void {
    const rows = this.#stations.get(station);
    if (rows?.delete(time) !== true) return;
    this.#size -= 1;
    if (rows.size === 0) this.#stations.delete(station);
  }
}
