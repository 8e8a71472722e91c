import { anemometerHeight } from '#domain/weather/derived/wind-profile.js';
import type { HourlyInput, IndexHours, IndexSite } from '#domain/weather/indices/station-index.js';
import { stationAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { dateOf } from '../../date-of.js';
import { MILLISECONDS, utcDate } from '#domain/time.js';
import type { Calendar } from '../../ports/calendar.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { Permit } from '../read/gate/permit.js';
import type { ObservationRange } from '../read/observation-query.js';
import type { Summarize, SummaryPage } from '../read/summarize.js';
import { MAX_SUMMARY_INTERVALS } from '../read/summary-parts.js';

export interface IndexHoursInput extends ObservationRange {
  readonly timeZone: string;
  readonly inputs: readonly HourlyInput[];
  readonly quality: 'all' | 'pass';
}

/** The number of the variable of each input. */
const VARIABLE_OF: Readonly<Record<HourlyInput, number>> = {
  temperature: V.temperature,
  dewPoint: V.dewPoint,
  humidity: V.humidity,
  pressure: V.pressure,
  seaLevelPressure: V.seaLevelPressure,
  windSpeed: V.windSpeed,
  precipitation: V.precipitation,
  radiation: V.radiation,
  pm2p5: V.pm2p5,
  pm10: V.pm10,
};

/** Reads the means and sums of the hours of a station. An hour with too few values has none. */
export class ReadIndexHours {
  readonly #calendar: Calendar;
  readonly #summarize: Summarize;

  constructor(calendar: Calendar, summarize: Summarize) {
    this.#calendar = calendar;
    this.#summarize = summarize;
  }

  /** Reads the hours of a range that are over. @throws DomainError as `Summarize` */
  async execute(described: StationSnapshot, input: IndexHoursInput, permit: Permit): Promise<IndexHours> {
    const { station, asOf } = described;
    const { timeZone, inputs } = input;
    const columns = new Map(inputs.map((one): [HourlyInput, number[]] => [one, []]));
    const [starts, dates]: [number[], number[]] = [[], []];
    for (let from: number | null = input.from; from !== null && from < asOf;) {
      // oxlint-disable-next-line no-await-in-loop -- only the sums of one page are in memory at a time
      const page: SummaryPage = await this.#page(described, { ...input, from }, permit);
      from = page.next;
      for (const { start, end, statistics, completeness } of page.rows) {
        if (end > asOf) break;
        starts.push(start);
        dates.push(dateOf(this.#calendar, start, page.timeZone));
        for (const [one, column] of columns) {
          const index = page.variables.findIndex(({ number }) => number === VARIABLE_OF[one]);
          const found = completeness[index]?.complete === true ? statistics[index] : undefined;
          const statistic = one === 'precipitation' ? found?.sum : found?.mean;
          column.push(statistic ?? Number.NaN);
        }
      }
      permit.charge(starts.length * (inputs.length + 2));
    }
    const values = new Map([...columns].map(([one, column]) => [one, Float64Array.from(column)]));
    return {
      siteAt: (hour) => siteOf(stationAt(station, starts[hour] as number)),
      standardOffset: this.#standardOffset(input.to, timeZone),
      starts: Float64Array.from(starts),
      dates: Int32Array.from(dates),
      of: (one) => {
        const column = values.get(one);
        if (column === undefined) throw new Error(`the hours have no ${one}`);
        return column;
      },
    };
  }

  #page(
    described: StationSnapshot,
    { from, to, timeZone, inputs, quality }: IndexHoursInput,
    permit: Permit,
  ): Promise<SummaryPage> {
    return this.#summarize.execute(
      described,
      {
        interval: 'hour',
        from,
        // More hours than a paged reply may have need several ranges. A page is shorter than such a range, so it names the next begin.
        to: Math.min(to, from + MAX_SUMMARY_INTERVALS * MILLISECONDS.hour),
        timeZone,
        dayStart: 0,
        variables: inputs.map((one) => variableNumbered(VARIABLE_OF[one]).name),
        quality,
        isPaged: true,
      },
      permit,
    );
  }

  /** Standard time is the earlier clock of January and July, because clocks are set forward in summer. */
  #standardOffset(time: number, timeZone: string): number {
    const year = new Date(time).getUTCFullYear();
    const offsets = [1, 7].map((month) => this.#calendar.offset(utcDate(year, month, 15), timeZone));
    return Math.min(...offsets);
  }
}

function siteOf({ latitude, longitude, elevation, sensorHeights }: Station): IndexSite {
  return {
    latitude,
    longitude,
    elevation: elevation ?? Number.NaN,
    windHeight: anemometerHeight(sensorHeights),
  };
}
