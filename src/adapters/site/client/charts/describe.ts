import type { DisplayUnit } from '../format/units.js';
import type { Text } from '../text/en.js';
import { type Drawing, extremesOf, isValue } from './model/drawing.js';
import type { ShownRange } from './model/span.js';
import { totalOf } from './readout.js';
import type { ChartFormat } from './use-format.js';

/** A chart in words: for each line its lowest and highest value with their times, of amounts the total. */
export function describeChart(
  { times, starts, lines }: Drawing,
  range: ShownRange,
  unit: DisplayUnit,
  format: ChartFormat,
  { charts }: Text,
): string {
  const ofLines = lines.map(({ variable, values, suspects }) => {
    const name = format.name(variable);
    const extremes = extremesOf(starts ?? times, values);
    if (extremes === undefined) return `${name}: ${charts.none}.`;
    const at = (value: number, time: number) =>
      charts.at(format.value(value, unit), format.time(time, range));
    const highest = `${charts.maximum} ${at(extremes.max, extremes.maxTime)}`;
    if (starts !== undefined) {
      return `${name}: ${charts.total} ${format.value(totalOf(values) ?? 0, unit)}, ${highest}.`;
    }
    const lowest = `${charts.minimum} ${at(extremes.min, extremes.minTime)}`;
    const doubtful = suspects.size > 0 ? `, ${charts.someDoubtful(format.number(suspects.size, 0))}` : '';
    return `${name}: ${lowest}, ${highest}${doubtful}.`;
  });
  return ofLines.join(' ');
}

/** The values of a row in words, for the cursor that the keyboard moves. */
export function describeRow(
  { times, starts, lines, daySums }: Drawing,
  row: number,
  range: ShownRange,
  unit: DisplayUnit,
  format: ChartFormat,
  { charts, value: words }: Text,
): string {
  const ofLines = lines.map(({ variable, values, suspects }) => {
    const value = values[row];
    const checks = suspects.get(row);
    const doubt = checks === undefined ? '' : `, ${charts.doubtful(format.checks(checks))}`;
    return `${format.name(variable)} ${isValue(value) ? format.value(value, unit) : words.missing}${doubt}`;
  });
  const daySum = daySums?.[row];
  if (isValue(daySum)) ofLines.push(`${charts.sinceMidnight} ${format.value(daySum, unit)}`);
  return `${format.time(starts?.[row] ?? times[row] ?? 0, range)}: ${ofLines.join('; ')}`;
}
