import { V, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { DescribeStation } from '../describe-station.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import type { Summarize } from '../summarize.js';

/** Sums of the amounts of precipitation that passed quality control, in mm; null if there is no value. */
export interface RainSums {
  readonly month: number | null;
  readonly year: number | null;
}

/** Sums the rain of the current month and year of a station. Past months come from daily aggregates. */
export class SumRain {
  readonly #calendar: Calendar;
  readonly #describe: DescribeStation;
  readonly #summarize: Summarize;

  constructor(calendar: Calendar, describe: DescribeStation, summarize: Summarize) {
    this.#calendar = calendar;
    this.#describe = describe;
    this.#summarize = summarize;
  }

  /**
   * The sums until now. The caller must have checked that the client may see the station.
   *
   * @param now in milliseconds since 1970-01-01T00:00:00Z
   * @throws DomainError as `Summarize`
   */
  async execute(id: string, now: number, permit: Permit = UNLIMITED): Promise<RainSums> {
    return await this.#sum(id, now, { interval: 'month', to: now + 1 }, permit);
  }

  /**
   * The sums of the days before a midnight, in its month and its year.
   *
   * @throws DomainError as `Summarize`
   */
  async before(id: string, midnight: number, permit: Permit = UNLIMITED): Promise<RainSums> {
    return await this.#sum(id, midnight, { interval: 'day', to: midnight }, permit);
  }

  async #sum(
    id: string,
    at: number,
    range: { readonly interval: 'day' | 'month'; readonly to: number },
    permit: Permit,
  ): Promise<RainSums> {
    const described = await this.#describe.execute(id, undefined, { audience: 'users' });
    const date = this.#calendar.format(at, described.station.timeZone).slice(0, 10);
    const periods = await this.#summarize.execute(
      described,
      {
        ...range,
        timeZone: 'station',
        dayStart: 0,
        from: `${date.slice(0, 4)}-01-01`,
        variables: [variableNumbered(V.precipitation).name],
        quality: 'pass',
      },
      permit,
    );
    let [month, year]: [number | null, number | null] = [null, null];
    for (const { start, statistics } of periods.rows) {
      const [rain] = statistics;
      if (rain === undefined || rain.count === 0) continue;
      year = (year ?? 0) + rain.sum;
      if (periods.format(start).startsWith(date.slice(0, 7))) month = (month ?? 0) + rain.sum;
    }
    return { month, year };
  }
}
