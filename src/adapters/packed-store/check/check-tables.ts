import type { VerifyWatch } from '#application/ports/data-verifier.js';
import { withUnusualMethods } from '#domain/weather/computation/cell-methods.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { type DailyAggregates, SEVERAL_INTERVALS } from '#domain/weather/summaries/daily-aggregate.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { SEVERAL_POSITIONS } from '#domain/weather/summaries/position-code.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { isVariable, variableNumbered } from '#domain/weather/variables.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import {
  type DailyAggregatesKey,
  encodeDailyAggregates,
} from '#adapters/formats/packed/daily-aggregate-codec.js';
import { decodeDailyAggregates } from '#adapters/formats/packed/packed-days.js';
import type { CheckedTable } from './stored-block.js';

/** Daily aggregates that wait for the rows of their month. */
interface OpenTable {
  readonly month: DailyAggregatesKey;
  readonly table: DailyAggregates;
  readonly days: readonly Bucket[];
  /** The summaries that are computed from the rows; undefined before the first rows are added. */
  summaries: Summaries | undefined;
}

/** Reports a difference. Called with the start and the end of the month. */
type Report = (table: Bucket, reason: string) => void;

/**
 * Compares the daily aggregates of a station with its rows, bit by bit. The rows arrive in order of time:
 *
 *     rows       |---- add ----|---- add ----|---- add ----|   time ->
 *     months         | January    | February   | March    |
 *                                 ^ January is compared when the rows up to its end, included, have arrived
 */
export class TableCheck {
  readonly #report: Report;
  /** The months that were not compared yet, in their order. */
  readonly #open: OpenTable[] = [];

  constructor(
    station: number,
    tables: readonly CheckedTable[],
    daysOf: VerifyWatch['daysOf'],
    report: Report,
  ) {
    this.#report = report;
    for (const { start, end, zone, data, isRemoved } of tables) {
      const month = { station, start, end, zone };
      try {
        const table = decodeDailyAggregates({ ...month, data });
        const days = daysOf(zone, start, end);
        // Stored daily aggregates that summaries do not use are not compared. Summaries do not use them in these cases:
        // - Their days begin or end at other times than now, because the rules of the time zone have changed since.
        // - They were computed by an earlier version of the computation rules.
        // - The reporting interval or the position of the station changed within the month.
        const isUsed = days.length === table.days && days[0]?.start === start && days.at(-1)?.end === end;
        const isOfOneInterval = table.reportingInterval !== SEVERAL_INTERVALS;
        const isCurrent = table.rules === COMPUTATION_RULES;
        const isOfOnePosition = table.positionCode !== SEVERAL_POSITIONS;
        if (isUsed && isCurrent && isOfOneInterval && isOfOnePosition && !isRemoved)
          this.#open.push({ month, table, days, summaries: undefined });
      } catch (error) {
        if (!(error instanceof DamagedBlobError)) throw error;
        const what = isRemoved
          ? 'the table of daily aggregates of an expired month'
          : 'the table of daily aggregates';
        report({ start, end }, `${what} cannot be read: ${error.message}`);
      }
    }
  }

  /** Adds rows. @param until after this call, all rows before this time have been added */
  add(series: Series, until: number): void {
    for (const one of this.#open) {
      const { start, end } = one.table;
      if (start >= until) break;
      const [from, to] = [lowerBound(series.times, start), lowerBound(series.times, end + 1)];
      one.summaries ??= summariesFor(one);
      if (from < to) one.summaries.add(sliceSeries(series, from, to));
    }
    while (this.#open[0] !== undefined && this.#open[0].table.end < until)
      this.#compare(this.#open.shift() as OpenTable);
  }

  #compare({ month, table, days, summaries }: OpenTable): void {
    const sums = summaries?.sums(0, days.length) ?? new Map<number, readonly Float64Array[]>();
    // The stored format has no infinite numbers, such as the minimum of a day without values. Encoding may therefore change
    // statistics. The expected statistics are encoded and decoded too, so that both sides of the comparison have been changed.
    const expected = decodeDailyAggregates({
      ...month,
      data: encodeDailyAggregates(month, { ...table, sums }),
    });
    for (const variable of new Set([...expected.sums.keys(), ...table.sums.keys()])) {
      const day = firstDifference(expected.sums.get(variable), table.sums.get(variable));
      if (day === undefined) continue;
      const name = isVariable(variable) ? variableNumbered(variable).name : `variable ${variable}`;
      const place = day < 0 ? name : `${name} of day ${day + 1} of the month`;
      this.#report(table, `the daily aggregates differ from the rows: ${place}`);
      return;
    }
  }
}

/** Creates an object that computes the statistics of days from rows, with the settings that the stored daily aggregates had. */
function summariesFor({ days, table }: OpenTable): Summaries {
  const { reportingInterval, unusualMethods, routine, positionCode } = table;
  const station = withUnusualMethods(unusualMethods);
  const routineOf = (_start: number, variable: number) => routine.get(variable);
  return new Summaries(days, {
    reportingInterval,
    station,
    routine: routineOf,
    positionCode: () => positionCode,
  });
}

/**
 * Compares the sums (statistics of days) of one variable that were computed from the rows with the stored sums. Returns the index
 * of the first day with a difference; -1 if the sums were only computed or are only stored; undefined if all sums are equal.
 */
function firstDifference(
  expected: readonly Float64Array[] | undefined,
  found: readonly Float64Array[] | undefined,
): number | undefined {
  if (expected === undefined || found === undefined) return -1;
  for (const [index, field] of expected.entries()) {
    const day = field.findIndex((value, place) => !Object.is(value, found[index]?.[place]));
    if (day >= 0) return day;
  }
  return undefined;
}
