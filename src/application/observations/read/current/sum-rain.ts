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
   * The caller must have checked that the client may see the station.
   *
   * @param now in milliseconds since 1970-01-01T00:00:00Z
   * @throws DomainError as `Summarize`
   */
  async execute(id: string, now: number, permit: Permit = UNLIMITED): Promise<RainSums> {
    const described = await this.#describe.execute(id, undefined, { audience: 'users' });
    const year = this.#calendar.format(now, described.station.timeZone).slice(0, 4);
    const months = await this.#summarize.execute(
      described,
      {
        interval: 'month',
        timeZone: 'station',
        dayStart: 0,
        from: `${year}-01-01`,
        to: now + 1,
        variables: [variableNumbered(V.precipitation).name],
        quality: 'pass',
      },
      permit,
    );
    let [month, sum]: [number | null, number | null] = [null, null];
    for (const { statistics } of months.rows) {
      const [rain] = statistics;
      month = rain === undefined || rain.count === 0 ? null : rain.sum;
      if (month !== null) sum = (sum ?? 0) + month;
    }
    return { month, year: sum };
  }
}
