import { RECENT_NOTICE, touches } from '#domain/weather/quality/notices/notice.js';
import type { Station } from '#domain/weather/station.js';
import type { RecheckProgress } from '../recheck/recheck-progress.js';
import type { NoticeRecords } from './notice-records.js';

/** What a reader of the newest values should know about the work of quality control. */
export interface QualityState {
  /** Number of notices that have not ended, or that ended within `RECENT_NOTICE`. */
  readonly notices: number;
  /** Share of the rows with final flags, as `RecheckProgress.checkedShare`. */
  readonly checked: number;
}

/** Reads whether quality control has notices of a station, and whether it still checks the values of the station. */
export class ReadQualityState {
  readonly #records: NoticeRecords;
  readonly #progress: RecheckProgress;

  constructor(records: NoticeRecords, progress: RecheckProgress) {
    this.#records = records;
    this.#progress = progress;
  }

  /** @param now milliseconds since 1970-01-01T00:00:00Z */
  async execute({ number }: Pick<Station, 'number'>, now: number): Promise<QualityState> {
    const [{ notices }, checked] = await Promise.all([
      this.#records.find(number),
      this.#progress.checkedShare(number),
    ]);
    const recent = { from: now - RECENT_NOTICE, to: Infinity };
    return { notices: notices.filter((notice) => touches(notice, recent)).length, checked };
  }
}
