import { MILLISECONDS } from '#domain/time.js';
import { lastRainSpell } from '#domain/weather/current/rain-spell.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { COMPLETE_SHARE } from '#domain/weather/summaries/completeness.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { Permit } from '../read/gate/permit.js';
import type { Summarize } from '../read/summarize.js';

/** Numbers of days that are searched: few at first, because it usually rained in the last month. */
const SEARCHED_DAYS = [31, 400] as const;

/** Finds the end of the last rain of a station from its days, backwards. Complete months come from daily aggregates. */
export class FindLastRain {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #summarize: Summarize;

  constructor(calendar: Calendar, observations: ObservationStore, summarize: Summarize) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#summarize = summarize;
  }

  /**
   * @param before a midnight of the station
   * @returns the end of the last wet interval before `before`; undefined if there is none in the searched days, or if the amounts
   *   of a later day are not known
   * @throws DomainError as `Summarize`
   */
  async execute(described: StationSnapshot, before: number, permit: Permit): Promise<number | undefined> {
    let end = before;
    for (const count of SEARCHED_DAYS) {
      const start = this.#dayAt(described, before - count * MILLISECONDS.day);
      // oxlint-disable-next-line no-await-in-loop -- more days are read only if the first ones were dry
      const days = await this.#read(described, start, end, permit);
      if (days.at(-1)?.end !== end) return undefined;
      const last = days.findLast(({ rain, isKnown }) => rain > 0 || !isKnown);
      if (last?.isKnown === false) return undefined;
      // oxlint-disable-next-line no-await-in-loop -- the loop ends here
      if (last !== undefined) return await this.#endOfRain(described, last);
      end = start;
    }
    return undefined;
  }

  #dayAt({ station }: StationSnapshot, time: number): number {
    const date = this.#calendar.format(time, station.timeZone).slice(0, 10);
    return this.#calendar.startOfDay(date, station.timeZone, 0);
  }

  async #read(described: StationSnapshot, from: number, to: number, permit: Permit): Promise<RainDay[]> {
    const { rows } = await this.#summarize.execute(
      described,
      {
        interval: 'day',
        timeZone: 'station',
        dayStart: 0,
        from,
        to,
        variables: [variableNumbered(V.precipitation).name],
        quality: 'pass',
      },
      permit,
    );
    return Array.from(rows, ({ start, end, statistics }) => {
      const { count = 0, sum = 0, covered = 0 } = statistics[0] ?? {};
      const isKnown = count > 0 && covered >= COMPLETE_SHARE * (end - start);
      return { start, end, rain: count > 0 ? sum : 0, isKnown };
    });
  }

  async #endOfRain({ station }: StationSnapshot, { start, end }: Bucket): Promise<number | undefined> {
    const range = { stations: [station.number], from: start + 1, to: end + 1 };
    let found: number | undefined;
    for await (const series of this.#observations.read({ ...range, variables: [V.precipitation] }))
      found = lastRainSpell(series, 0)?.to ?? found;
    return found;
  }
}

interface RainDay extends Bucket {
  /** The amount in mm. */
  readonly rain: number;
  /** Whether the amounts cover enough of the day. */
  readonly isKnown: boolean;
}
