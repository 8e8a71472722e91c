import type { Hook } from '#domain/hooks/hook.js';
import type { UploadProtocol, UploadTarget } from '#domain/hooks/hook-target.js';
import { MILLISECONDS } from '#domain/time.js';
import { verdictOf } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import type { Message } from '../../ports/delivery.js';
import type { ReadRecent } from '../../observations/read/current/read-recent.js';
import { UNLIMITED } from '../../observations/read/gate/permit.js';
import type { Outbox } from '../outbox.js';
import { type RecentRain, rowMessage, type StationRow } from './row-message.js';
import type { RowChange, OutboxSource } from './row-outbox.js';

/** Minimum time in milliseconds between two uploads, as the services require. */
const MIN_INTERVAL: Readonly<Record<UploadProtocol, number>> = {
  wunderground: MILLISECONDS.minute,
  pwsweather: MILLISECONDS.minute,
  'wow-be': 5 * MILLISECONDS.minute,
};
/** Maximum age of a row in milliseconds. Weather services show every upload as current weather. */
const MAX_AGE = 30 * MILLISECONDS.minute;

export interface NewestSource extends OutboxSource {
  readonly recent: ReadRecent;
}

/** Sends the newest row of a station to a weather service, without values that failed quality control. Older rows are skipped. */
export class NewestOutbox implements Outbox {
  readonly name: string;
  readonly target: UploadTarget;
  readonly #station: number;
  readonly #with: NewestSource;
  #isDue = true;
  /** `Clock.uptime` of the earliest next upload. */
  #notBefore = -Infinity;
  /** Time of the row that was delivered last, and time of the row that is being sent. */
  #delivered = -Infinity;
  #sending = -Infinity;

  constructor(hook: Hook, target: UploadTarget, station: number, source: NewestSource) {
    this.name = hook.name;
    this.target = target;
    this.#station = station;
    this.#with = source;
  }

  /** Number of rows that were read and are not delivered yet: 1 or 0. */
  get waiting(): number {
    return this.#sending > this.#delivered ? 1 : 0;
  }

  async catchUp(): Promise<void> {
    this.#isDue = true;
  }

  note({ station }: Pick<RowChange, 'station'>): boolean {
    if (station !== this.#station) return false;
    this.#isDue = true;
    return true;
  }

  /**
   * Returns the newest row; undefined if no new row may be sent now. The caller must call again from time to time, because a row
   * may have to wait for the minimum interval.
   */
  async next(): Promise<Message | undefined> {
    const { clock, directory, observations } = this.#with;
    if (!this.#isDue || clock.uptime() < this.#notBefore) return undefined;
    this.#isDue = false;
    try {
      const station = (await directory.current()).byNumber.get(this.#station);
      const [newest] = await observations.newest([this.#station]);
      const time = newest?.lastSeen ?? -Infinity;
      if (station === undefined || time <= Math.max(this.#delivered, clock.now() - MAX_AGE)) return undefined;
      const values: StationRow['values'][number][] = [];
      newest?.each((variable, at, value, flags) => {
        if (at === time && verdictOf(flags) !== 'fail') values.push({ variable, value, flags });
      });
      if (values.length === 0) return undefined;
      this.#sending = time;
      // If the attempt fails, `next` must return a row again.
      this.#isDue = true;
      const origin = { hook: this.name, station: station.id, number: station.number };
      return rowMessage(origin, { time, values }, await this.#rain(station, time));
    } catch (error) {
      this.#isDue = true;
      throw error;
    }
  }

  /** Returns sums of rain, because a row has only the amount since the previous row. */
  async #rain(station: Station, time: number): Promise<{ rain: RecentRain }> {
    const found = await this.#with.recent.execute([station], time, UNLIMITED);
    const { rain = null, rainOfHour = null } = found.get(station.number)?.today ?? {};
    return { rain: { hour: rainOfHour, day: rain } };
  }

  async done(): Promise<void> {
    this.#delivered = this.#sending;
    this.#notBefore = this.#with.clock.uptime() + MIN_INTERVAL[this.target.protocol];
  }
}
