import type { Caller } from '../../domain/accounts/audit-event.js';
import type { CellCount } from '../../domain/weather/undo/cell-changes.js';
import type { CountWatch } from '../observations/removal/count-values.js';
import type { EraseRanges } from '../observations/removal/erase-ranges.js';
import type { FindOldRows, RetentionRequest } from './find-old-rows.js';

/** Erases the rows that are older than they are kept. */
export class ExpireRows {
  readonly #find: FindOldRows;
  readonly #erase: EraseRanges;

  constructor(find: FindOldRows, erase: EraseRanges) {
    this.#find = find;
    this.#erase = erase;
  }

  /**
   * Does nothing if neither the request nor the setting says how long rows are kept.
   *
   * @param watch its signal ends a long run early; the next run continues
   * @throws DomainError STATION_UNKNOWN; the reason of the signal
   */
  async execute(request: RetentionRequest, caller: Caller, watch: CountWatch): Promise<CellCount> {
    if (request.period === undefined && !this.#find.hasSetting) return { rows: 0, values: 0 };
    const ranges = await this.#find.execute(request);
    const subject = request.stations?.join(', ') ?? null;
    return await this.#erase.execute(ranges, { action: 'observations-expire', subject, caller }, watch);
  }
}
