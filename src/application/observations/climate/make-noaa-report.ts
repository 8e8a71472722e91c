import { monthsOf } from '#domain/weather/climate/calendar-rows.js';
import type { Rows } from '#domain/weather/climate/rows.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import {
  inReportUnits,
  NoaaLines,
  type NoaaReport,
  type NoaaUnits,
  REPORTED,
} from '#domain/weather/climate/noaa/noaa-report.js';
import { defaultSource } from '#domain/weather/climate/day-sources.js';
import {
  meansOfPeriods,
  sourcesOfColumns,
  withMidranges,
} from '#domain/weather/climate/noaa/published-days.js';
import type { DaySource } from '#domain/weather/climate/provenance.js';
import type { Calendar } from '../../ports/calendar.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { usedZone } from '../../asked-zone.js';
import type { ReadClimateDays } from './read-climate-days.js';

export interface NoaaInput {
  readonly year: number;
  /** Month of the report, from 1 to 12; undefined for the report of the whole year. */
  readonly month: number | undefined;
  readonly units: NoaaUnits;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
  /** Time zone of the days, as in `ClimateInput`. */
  readonly timeZone?: string | undefined;
  /** Source of the values of days, as in `ClimateInput`. */
  readonly source?: DaySource | undefined;
}

export interface NoaaPage {
  readonly report: NoaaReport;
  /** Time zone of the days and times. */
  readonly timeZone: string;
  /** Formats an instant with the offset of the time zone. */
  readonly format: (time: number) => string;
}

/** Creates the climatological report of a month or a year, in the layout of the NOAA. */
export class MakeNoaaReport {
  readonly #calendar: Calendar;
  readonly #days: ReadClimateDays;

  constructor(calendar: Calendar, days: ReadClimateDays) {
    this.#calendar = calendar;
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(described: StationSnapshot, input: NoaaInput, permit: Permit = UNLIMITED): Promise<NoaaPage> {
    const report = await this.#report(described, input, permit);
    const timeZone = usedZone(described.station, input.timeZone);
    return { report, timeZone, format: (time) => this.#calendar.format(time, timeZone) };
  }

  async #report(described: StationSnapshot, input: NoaaInput, permit: Permit): Promise<NoaaReport> {
    const { year, month, units, dayStart, timeZone } = input;
    const source = input.source ?? defaultSource(described.inventory.variables);
    const read = async (interval: 'day' | 'month' | 'year') => {
      const years = { from: year, to: year };
      const asked = { years, dayStart, timeZone, interval, source, quantities: REPORTED };
      return inReportUnits(await this.#days.execute(described, asked, permit), units);
    };
    const published = source === 'observations' ? undefined : withMidranges(await read('day'));
    const days = published?.days ?? (await read('day'));
    const months = monthsOf(days.dates);
    const wholeYear = { from: 0, to: days.dates.length };
    // Without published values, the means of a month and a year are the means of all their observations.
    const totals = published === undefined ? await read('month') : meansOfPeriods(days, months);
    const lines = new NoaaLines(days, units);
    const notes = (rows: Rows) => ({
      gaps: lines.gaps(rows.from, rows.to),
      ...(published && {
        sources: sourcesOfColumns(published, rows),
        rainOfDays: lines.rainOfDays(rows.from, rows.to),
        ...(rows.to > rows.from && {
          observationTimes: this.#days.observationTimes(
            described.station,
            usedZone(described.station, timeZone),
            dateText(days.dates[rows.from] as number),
            dateText(days.dates[rows.to - 1] as number),
          ),
        }),
      }),
    });
    if (month !== undefined) {
      const { from, to } = months[month - 1] ?? { from: 0, to: 0 };
      const ofDays = Array.from(days.dates.subarray(from, to), (date, index) => ({
        number: Number(dateText(date).slice(8)),
        line: lines.day(from + index),
      }));
      const isEmpty = ofDays.every(({ line }) => line === undefined);
      const total = isEmpty ? undefined : lines.total(totals, month - 1, from, to);
      return { units, year, month, lines: ofDays, total, ...notes({ from, to }) };
    }
    const ofMonths = months.map(({ month: number, from, to }, row) => ({
      number,
      line: lines.total(totals, row, from, to),
    }));
    const ofYear = published === undefined ? await read('year') : meansOfPeriods(days, [wholeYear]);
    const total = lines.total(ofYear, 0, 0, days.dates.length);
    return { units, year, month, lines: ofMonths, total, ...notes(wholeYear) };
  }
}
