import type { CountValues, ProgressWatch } from '../observations/removal/count-values.js';
import type { FindValues } from '../observations/removal/find-values.js';
import type { FindOldRows } from './find-old-rows.js';

/** The rows that a retention period would erase. */
export interface ExpiringRows {
  readonly rows: number;
  /** Whether the number of rows is an estimate, because there are too many rows to count them. */
  readonly isEstimate: boolean;
  /** The rows before this time would be erased, in milliseconds since 1970-01-01T00:00:00Z; null if there are none. */
  readonly before: number | null;
}

/** Largest number of rows that are counted one by one. */
const MAX_COUNTED = 1_000_000;
const NOTHING: ExpiringRows = { rows: 0, isEstimate: false, before: null };

/** Counts the rows of a station that a retention period would erase at the next run of `ExpireRows`. */
export class PreviewRetention {
  readonly #setting: number | undefined;
  readonly #findOld: FindOldRows;
  readonly #find: FindValues;
  readonly #count: CountValues;

  /** @param setting retention period in seconds of stations without their own period; undefined for no period */
  constructor(setting: number | undefined, findOld: FindOldRows, find: FindValues, count: CountValues) {
    this.#setting = setting;
    this.#findOld = findOld;
    this.#find = find;
    this.#count = count;
  }

  /**
   * @param period milliseconds; null means that rows are kept permanently; undefined means the setting for all stations
   * @throws DomainError STATION_UNKNOWN, DATA_DAMAGED; the reason of the signal
   */
  async execute(id: string, period: number | null | undefined, watch: ProgressWatch): Promise<ExpiringRows> {
    const setting = this.#setting === undefined ? null : this.#setting * 1000;
    const applied = period === undefined ? setting : period;
    if (applied === null) return NOTHING;
    const [range] = await this.#findOld.execute({ period: applied, stations: [id] });
    if (range === undefined) return NOTHING;
    const { expected } = await this.#find.execute(id, { from: range.from, to: range.to });
    if (expected > MAX_COUNTED) return { rows: Math.round(expected), isEstimate: true, before: range.to };
    const [count] = await this.#count.execute([range], watch);
    return { rows: count?.rows ?? 0, isEstimate: false, before: range.to };
  }
}
