import type { DisplayUnit } from '../format/units.js';
import type { Text } from '../text/en.js';
import { type Drawing, extremesOf, isValue } from './model/drawing.js';
import type { ShownRange } from './model/span.js';
import { totalOf } from './readout.js';
import type { ChartFormat } from './use-format.js';

/** Describes a chart in words: for each line its lowest and highest values with their times; for amounts the total. */
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
    const suspectText = suspects.size > 0 ? `, ${charts.suspectCount(format.number(suspects.size, 0))}` : '';
    return `${name}: ${lowest}, ${highest}${suspectText}.`;
  });
  return ofLines.join(' ');
}

/** Describes the values of one row in words. Screen readers read this text when the keyboard moves the cursor. */
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
    const doubt = checks === undefined ? '' : `, ${charts.suspect(format.checks(checks))}`;
    return `${format.name(variable)} ${isValue(value) ? format.value(value, unit) : words.missing}${doubt}`;
  });
  const daySum = daySums?.[row];
  if (isValue(daySum)) ofLines.push(`${charts.sinceMidnight} ${format.value(daySum, unit)}`);
  return `${format.time(starts?.[row] ?? times[row] ?? 0, range)}: ${ofLines.join('; ')}`;
}
