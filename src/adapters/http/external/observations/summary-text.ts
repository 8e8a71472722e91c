import type { SummaryPage, SummaryRow } from '../../../../application/observations/read/summarize.js';
import type { Statistics } from '../../../../domain/weather/summaries.js';
import { converter, unitIn, type UnitSystem } from '../../../../domain/weather/units.js';
import type { Variable } from '../../../../domain/weather/variables.js';

type StatisticsText = (statistics: Statistics) => string;

/**
 * The reply to `GET /v1/stations/{id}/summaries`, a text for each row. Objects and JSON.stringify would take twice as long.
 *
 * @param fields those before the rows
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

/** The fields of a variable in a summary depend on its aggregation. */
function measuresOf(
  variable: Variable,
  system: UnitSystem,
  timeText: (time: number) => string,
): StatisticsText {
  const convert = converter(variable, unitIn(system, variable), 'unit');
  const valueText = (value: number) => {
    const shown = tidy(convert(value));
    // JSON has no NaN, and no infinity, which conversion and adding can give.
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

/** Means have more digits than anybody has measured, and sums have the rounding errors of adding. */
function tidy(value: number): number {
  // Fewer than ten digits already, as the extremes have that sensors give. `toPrecision` takes 0.5 µs.
  if (Math.abs(value) < 1e6 && Math.round(value * 1000) / 1000 === value) return value;
  return Number(value.toPrecision(10));
}
