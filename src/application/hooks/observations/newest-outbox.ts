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

/** Least time in milliseconds between two uploads, as the services ask for it. */
const INTERVAL: Readonly<Record<UploadProtocol, number>> = {
  wunderground: MILLISECONDS.minute,
  pwsweather: MILLISECONDS.minute,
  'wow-be': 5 * MILLISECONDS.minute,
};
/** Age in milliseconds from which on a row is no present weather. The services show what they get as such. */
const OBSOLETE = 30 * MILLISECONDS.minute;

export interface NewestSource extends OutboxSource {
  readonly recent: ReadRecent;
}

/** The newest row of a station for a weather service, without values that have failed. Older rows are left out. */
export class NewestOutbox implements Outbox {
  readonly name: string;
  readonly target: UploadTarget;
  readonly #station: number;
  readonly #with: NewestSource;
  #isDue = true;
  /** `Clock.uptime` before which nothing is sent. */
  #notBefore = -Infinity;
  /** Time of the row that was delivered last, and of that which is on its way. */
  #delivered = -Infinity;
  #sending = -Infinity;

  constructor(hook: Hook, target: UploadTarget, station: number, source: NewestSource) {
    this.name = hook.name;
    this.target = target;
    this.#station = station;
    this.#with = source;
  }

  /** 1 while a row has not been taken. */
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

  /** Its caller asks again from time to time, because a row may have to wait. */
  async next(): Promise<Message | undefined> {
    const { clock, directory, observations } = this.#with;
    if (!this.#isDue || clock.uptime() < this.#notBefore) return undefined;
    this.#isDue = false;
    try {
      const station = (await directory.current()).byNumber.get(this.#station);
      const [newest] = await observations.newest([this.#station]);
      const time = newest?.lastSeen ?? -Infinity;
      if (station === undefined || time <= Math.max(this.#delivered, clock.now() - OBSOLETE))
        return undefined;
      const values: StationRow['values'][number][] = [];
      newest?.each((variable, at, value, flags) => {
        if (at === time && verdictOf(flags) !== 'fail') values.push({ variable, value, flags });
      });
      if (values.length === 0) return undefined;
      this.#sending = time;
      // Asked again if the attempt fails.
      this.#isDue = true;
      const origin = { hook: this.name, station: station.id, number: station.number };
      return rowMessage(origin, { time, values }, await this.#rain(station, time));
    } catch (error) {
      this.#isDue = true;
      throw error;
    }
  }

  /** The services want sums of rain, and a row has the amount since the row before it. */
  async #rain(station: Station, time: number): Promise<{ rain: RecentRain }> {
    const found = await this.#with.recent.execute([station], time, UNLIMITED);
    const { rain = null, rainOfHour = null } = found.get(station.number)?.today ?? {};
    return { rain: { hour: rainOfHour, day: rain } };
  }

  async done(): Promise<void> {
    this.#delivered = this.#sending;
    this.#notBefore = this.#with.clock.uptime() + INTERVAL[this.target.protocol];
  }
}
