import type { Caller } from '#domain/accounts/audit-event.js';
import type { CellCount } from '#domain/weather/undo/cell-changes.js';
import type { ProgressWatch } from './count-values.js';
import type { EraseRanges } from './erase-ranges.js';
import type { FindValues, RemovalRequest } from './find-values.js';

/** Removes values of one station permanently. */
export class RemoveValues {
  readonly #find: FindValues;
  readonly #erase: EraseRanges;

  constructor(find: FindValues, erase: EraseRanges) {
    this.#find = find;
    this.#erase = erase;
  }

  /**
   * @param watch its signal stops a long removal between two parts. The same request then removes the remaining values.
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for invalid times or variables; the reason of the signal
   */
  async execute(
    id: string,
    request: RemovalRequest,
    caller: Caller,
    watch: ProgressWatch,
  ): Promise<CellCount> {
    const { ranges } = await this.#find.execute(id, request);
    return await this.#erase.execute(ranges, { action: 'observations-remove', subject: id, caller }, watch);
  }
}
