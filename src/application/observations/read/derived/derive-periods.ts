import { MILLISECONDS } from '#domain/time.js';
import { DERIVED_OF_PERIODS } from '#domain/weather/derived/period-quantities.js';
import type { Period, PeriodLength, PeriodQuantity } from '#domain/weather/derived/period-quantity.js';
import { periodsOf } from '#domain/weather/station-history.js';
import { type Variable, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { DerivedPage, DeriveInput } from './derive.js';
import { quantitiesNamed } from './derived-names.js';
import type { StationSnapshot } from '../describe-station.js';
import { rangeOf } from '../observation-query.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import type { Summarize } from '../summarize.js';
import type { SummaryRow } from '../summary-rows.js';

/**
 * Time before the range from which rows are read too, in ms, by length of the period. An hour at night needs the earlier rows to
 * know how clear the sky was at the last daylight.
 */
const LEAD_TIME: Readonly<Record<PeriodLength, number>> = { hour: MILLISECONDS.day, day: 0 };

/** Computes derived quantities of calendar hours or days, such as the reference evapotranspiration. */
export class DerivePeriods {
  readonly #calendar: Calendar;
  readonly #summarize: Summarize;

  constructor(calendar: Calendar, summarize: Summarize) {
    this.#calendar = calendar;
    this.#summarize = summarize;
  }

  /**
   * Computes the quantities of the periods that overlap `[from, to)`, for at most `limit` periods. The time of a row is the start
   * of its period.
   *
   * @param input.variables names of derived quantities
   * @throws DomainError as `Summarize`
   */
  async execute(
    described: StationSnapshot,
    input: DeriveInput & { readonly interval: PeriodLength },
    permit: Permit = UNLIMITED,
  ): Promise<DerivedPage> {
    const { interval, quality, limit, timeZone = 'station' } = input;
    const quantities = quantitiesNamed(DERIVED_OF_PERIODS, input.variables);
    const { station, inventory, asOf } = described;
    const { from, to } = rangeOf(this.#calendar, station, inventory, input, asOf);
    const begin = Math.min(input.cursor ?? from, to);
    const inputs = [...new Set(quantities.flatMap((quantity) => quantity.inputs))].map(variableNumbered);
    const page = await this.#summarize.execute(
      described,
      {
        interval,
        from: begin === to ? begin : begin - LEAD_TIME[interval],
        to,
        timeZone,
        dayStart: 0,
        variables: inputs.map(({ name }) => name),
        quality,
      },
      permit,
    );
    const configurations = periodsOf(station);
    let until = -Infinity;
    let compute: ReturnType<PeriodQuantity['begin']>[] = [];
    const times: number[] = [];
    const columns = quantities.map((): number[] => []);
    let next: number | null = null;
    for (const row of page.rows) {
      if (times.length === limit) {
        next = row.start;
        break;
      }
      if (row.start >= until) {
        const then = configurations.find((one) => row.start < (one.until ?? Infinity)) ?? station;
        until = ('until' in then ? then.until : null) ?? Infinity;
        compute = quantities.map((quantity) => quantity.begin(interval, then));
      }
      const results = compute.map((one) => one(periodOf(row, inputs)));
      if (row.end <= begin || begin >= to) continue;
      times.push(row.start);
      for (const [index, result] of results.entries()) columns[index]?.push(result);
    }
    const values = new Map(columns.map((column, index) => [index, Float64Array.from(column)]));
    const parts = [{ times: Float64Array.from(times), values, flags: new Map<number, Uint8Array>() }];
    const stored = quantities.map(() => undefined);
    return { station, from, to, next, quantities, parts, stored };
  }
}

function periodOf(
  { start, end, statistics, completeness }: SummaryRow,
  variables: readonly Variable[],
): Period {
  return {
    start,
    end,
    statistics: (number) => {
      const index = variables.findIndex((variable) => variable.number === number);
      return completeness[index]?.complete === true ? statistics[index] : undefined;
    },
  };
}
