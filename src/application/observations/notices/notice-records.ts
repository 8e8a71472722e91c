import type { Notice } from '#domain/weather/quality/notices/notice.js';
import type { RecordStore, StoredRecord } from '../../ports/record-store.js';
import { NOTICE_RECORDS, noticeRecordOf } from '../../record-forms.js';

/** A range of times `[from, to)`, in milliseconds since 1970-01-01T00:00:00Z. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** A range whose notices must be searched again. */
export interface DueRange extends TimeRange {
  /** How often values of the range were noted. A search that began earlier does not know values that were noted later. */
  readonly count: number;
  /** Whether the range is searched at once, because a person has changed verdicts in it. Absent means false. */
  readonly isUrgent?: boolean;
}

/** The notices of a station. */
export interface StationNotices {
  /** `Station.number`. */
  readonly station: number;
  /** Time at which the notices were last searched, in milliseconds since 1970-01-01T00:00:00Z; null if never. */
  readonly searchedAt: number | null;
  /** The range whose notices must be searched again, because values in it were checked; null if there is none. */
  readonly due: DueRange | null;
  /** In order of their begin. */
  readonly notices: readonly Notice[];
}

/** Maximum number of attempts to change a record while another process changes it. */
const ATTEMPTS = 5;

/** Stores the notices of stations as records, which have a name and a revision. */
export class NoticeRecords {
  readonly #store: RecordStore;

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async find(station: number): Promise<StationNotices> {
    return (await this.#read(station)).notices;
  }

  /** The notices of all stations that have some, or whose notices must be searched. */
  async list(): Promise<readonly StationNotices[]> {
    const records = await this.#store.records(NOTICE_RECORDS);
    return records.flatMap(({ name, text }) => noticesIn(Number(name.slice(NOTICE_RECORDS.length)), text));
  }

  /**
   * Changes the notices of a station.
   *
   * @param change returns the changed notices; it may be called several times. If it returns its parameter, nothing is written.
   * @param time milliseconds since 1970-01-01T00:00:00Z
   * @returns whether the change was written or is not needed
   */
  async change(
    station: number,
    change: (notices: StationNotices) => StationNotices,
    time: number,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { notices, revision } = await this.#read(station);
      const changed = change(notices);
      if (changed === notices) return true;
      const { station: _station, ...stored } = changed;
      const record: StoredRecord = {
        name: noticeRecordOf(station),
        key: null,
        revision,
        text: JSON.stringify(stored),
        time,
      };
      if ((await this.#store.put([record])).length === 0) return true;
    }
    return false;
  }

  async #read(station: number): Promise<{ notices: StationNotices; revision: number }> {
    const record = await this.#store.record(noticeRecordOf(station));
    const [notices] = record === undefined ? [] : noticesIn(station, record.text);
    const none = { station, searchedAt: null, due: null, notices: [] };
    return { notices: notices ?? none, revision: record?.revision ?? 0 };
  }
}

/** The stored notices; an empty list if the text is damaged. Then they are searched again. */
function noticesIn(station: number, text: string): StationNotices[] {
  try {
    return [{ station, ...(JSON.parse(text) as Omit<StationNotices, 'station'>) }];
  } catch {
    return [];
  }
}
