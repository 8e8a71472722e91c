import type { SummaryPage } from '../../../../application/observations/read/summarize.js';
import type { SummaryRow } from '../../../../application/observations/read/summary-parts.js';
import type { Statistics } from '../../../../domain/weather/summaries/accumulator.js';
import { converter, unitIn, type UnitSystem } from '../../../../domain/weather/units.js';
import type { Variable } from '../../../../domain/weather/variables.js';

type StatisticsText = (statistics: Statistics) => string;

/**
 * Writes the reply to `GET /v1/stations/{id}/summaries`, one text for each row. Making objects and JSON.stringify would
 * take twice as long.
 *
 * @param fields the fields before the rows
 */
export function* summaryTexts(fields: object, page: SummaryPage, system: UnitSystem): Generator<string> {
  const { rows, variables, format } = page;
  const timeText = (time: number) => (Number.isNaN(time) ? 'null' : `"${format(time)}"`);
  const columns = variables.map((variable) => {
    const text = measuresOf(variable, system, timeText);
    return { start: `,${JSON.stringify(variable.name)}:{"count":`, text };
  });
  const textOf = ({ start, end, complete, expected, statistics }: SummaryRow): string => {
    let row = `{"start":"${format(start)}","end":"${format(end)}","complete":${complete}`;
    for (const [index, column] of columns.entries()) {
      const one = statistics[index] as Statistics;
      row += `${column.start}${one.count},"expected":${expected}${column.text(one)}}`;
    }
    return `${row}}`;
  };
  yield `${JSON.stringify(fields).slice(0, -1)},"summaries":[`;
  let separator = '';
  for (const row of rows) {
    yield separator + textOf(row);
    separator = ',';
  }
  yield ']}';
}

/** Returns the function that writes the statistics of a variable. Its aggregation determines the fields. */
function measuresOf(
  variable: Variable,
  system: UnitSystem,
  timeText: (time: number) => string,
): StatisticsText {
  const convert = converter(variable, unitIn(system, variable), 'unit');
  const valueText = (value: number) => {
    const shown = rounded(convert(value));
    // JSON has no NaN and no infinity, which may result from a conversion or a sum.
    return Number.isFinite(shown) ? String(shown) : 'null';
  };
  const maximum = ({ max, maxTime }: Statistics) =>
    `,"max":${valueText(max)},"max_time":${timeText(maxTime)}`;
  switch (variable.aggregation) {
    case 'sum':
      return ({ sum }) => `,"sum":${valueText(sum)}`;
    case 'direction':
      return ({ mean }) => `,"mean":${valueText(mean)}`;
    case 'maximum':
      return maximum;
    case 'mean':
      return (one) =>
        `,"min":${valueText(one.min)},"min_time":${timeText(one.minTime)}${maximum(one)},"mean":${valueText(one.mean)}`;
  }
}

/** Rounds to ten digits: means have more digits than the measurements, and sums have rounding errors. */
function rounded(value: number): number {
  // The value has fewer than ten digits, as extremes usually have. This saves `toPrecision`, which takes 0.5 µs.
  if (Math.abs(value) < 1e6 && Math.round(value * 1000) / 1000 === value) return value;
  return Number(value.toPrecision(10));
}
