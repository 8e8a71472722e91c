import type { Text } from '../text/en.js';
import type { DisplayUnit } from '../format/units.js';
import { type Ahead, drawingAt } from './model/ahead.js';
import { type Drawing, extremesOf, isValue, nearest, readLine, rowAt, totalOf } from './model/drawing.js';
import type { Ink } from './model/quantities.js';
import type { ShownRange } from './model/span.js';
import type { ShownChart } from './shown-chart.js';
import type { ChartFormat } from './chart-format.js';

/** Describes a chart in words: for each line its lowest and highest values with their times; for amounts the total. */
export function describeChart(
  { drawing, unit, ahead }: ShownChart,
  range: ShownRange,
  format: ChartFormat,
  text: Text,
): string {
  const { charts } = text;
  if (drawing === undefined) return '';
  const ofLines = drawing.lines.map((line) => {
    const name = format.name(line.variable);
    const extremes = extremesOf(drawing, line, range).map(({ kind, value, time }) => {
      const words = charts.at(format.value(value, unit), format.time(time, range));
      return `${kind === 'low' ? charts.minimum : charts.maximum} ${words}`;
    });
    const total = totalOf(line.values);
    if (total === undefined) return `${name}: ${charts.none}.`;
    if (line.shape === 'bars') extremes.unshift(`${charts.total} ${format.value(total, unit)}`);
    if (line.doubtful.length > 0) extremes.push(charts.suspectCount(format.number(line.doubtful.length, 0)));
    return `${name}: ${extremes.join(', ')}.`;
  });
  const ofForecast = ahead && describeAhead(ahead, unit, range, format, text);
  return [...ofLines, ...(ofForecast ? [ofForecast] : [])].join(' ');
}

/** Describes the forecast of a chart; an empty text if it has none. */
function describeAhead(
  { drawing }: Ahead,
  unit: DisplayUnit,
  range: ShownRange,
  format: ChartFormat,
  { charts, forecast }: Text,
): string {
  const ofLines = drawing.lines.flatMap((line) => {
    const total = totalOf(line.values);
    if (total === undefined) return [];
    const name = format.name(line.variable);
    if (line.shape === 'bars') return [`${name}: ${charts.total} ${format.value(total, unit)}`];
    // The extremes are those of the line, and not of its bounds.
    const { lows: _lows, highs: _highs, ...middle } = line;
    const extremes = extremesOf(drawing, middle, range).map(({ kind, value, time }) => {
      const words = charts.at(format.value(value, unit), format.time(time, range));
      return `${kind === 'low' ? charts.minimum : charts.maximum} ${words}`;
    });
    return [`${name}: ${extremes.join(', ')}`];
  });
  return ofLines.length === 0 ? '' : `${forecast.title}: ${ofLines.join('; ')}.`;
}

/** A line of the tooltip. */
export interface TooltipRow {
  /** Color of the key; absent for a row that adds to the row above. */
  readonly ink?: Ink;
  readonly name: string;
  readonly value: string;
}

/** What a chart shows at a time: each line, and the usual range and the earlier years of the same date. */
export function rowsAt(chart: ShownChart, time: number, format: ChartFormat, { charts }: Text): TooltipRow[] {
  const { unit, title, quantity, ahead } = chart;
  const drawing = drawingAt(chart, time);
  if (drawing === undefined) return [];
  const rows: TooltipRow[] = [];
  for (const [number, line] of drawing.lines.entries()) {
    if (number === 1) rows.push(...comparisonsAt(chart, time, format, charts));
    const ink = quantity.lines[number]?.ink ?? 'ink';
    const reading = readLine(drawing, line, time);
    const name = drawing.lines.length === 1 ? title : format.name(line.variable);
    if (reading === undefined) continue;
    if (reading.kind === 'gap') {
      rows.push({ ink, name, value: charts.gap(format.interval(reading, drawing.step)) });
      continue;
    }
    if (reading.kind === 'doubtful') {
      rows.push({
        ink,
        name,
        value: `${format.value(reading.value, unit)}, ${doubt(reading.checks, format, charts)}`,
      });
      continue;
    }
    const { row, value } = reading;
    const [low, high, interval] = [line.lows?.[row], line.highs?.[row], drawing.intervals?.[row]];
    if (drawing === ahead?.drawing) {
      const part = interval === undefined ? name : `${name}, ${format.interval(interval, drawing.step)}`;
      rows.push({ ink, name: part, value: format.value(value, unit) });
      if (isValue(low) && isValue(high))
        rows.push({ name: charts.outcomes, value: format.values(low, high, unit) });
      continue;
    }
    // Only the range of the first line is drawn.
    if (
      number === 0 &&
      isValue(low) &&
      isValue(high) &&
      drawing.lines.every(({ shape }) => shape === 'line')
    ) {
      rows.push({ ink, name, value: format.values(low, high, unit) });
      rows.push({ name: charts.mean, value: format.value(value, unit) });
    } else if (line.shape === 'bars' && interval !== undefined) {
      const part = `${name}, ${format.interval(interval, drawing.step)}`;
      rows.push({ ink, name: part, value: format.value(value, unit) });
    } else rows.push({ ink, name, value: format.value(value, unit) });
    const daySum = drawing.daySums?.[row];
    if (isValue(daySum)) rows.push({ name: charts.sinceMidnight, value: format.value(daySum, unit) });
  }
  if (drawing.lines.length === 1) rows.push(...comparisonsAt(chart, time, format, charts));
  return rows;
}

/** The usual range and the range of the earlier years at a time. */
function comparisonsAt(
  { drawing, unit, usual, years = [] }: ShownChart,
  time: number,
  format: ChartFormat,
  charts: Text['charts'],
): TooltipRow[] {
  const rows: TooltipRow[] = [];
  if (usual !== undefined) {
    const row = nearest(usual.times, time);
    const [low, high] = [usual.lows[row], usual.highs[row]];
    if (isValue(low) && isValue(high))
      rows.push({
        name: drawing?.step === 'value' ? charts.usual : charts.usualMean,
        value: format.values(low, high, unit),
      });
  }
  const earlier = years.flatMap(({ times, values }) => {
    const value = values[nearest(times, time)];
    return isValue(value) ? [value] : [];
  });
  if (earlier.length > 0)
    rows.push({
      name: charts.earlierMeans,
      value: format.values(Math.min(...earlier), Math.max(...earlier), unit),
    });
  return rows;
}

export function doubt(checks: readonly string[], format: ChartFormat, charts: Text['charts']): string {
  return checks.length === 0 ? charts.doubtful : charts.suspect(format.checks(checks));
}

/** The date or time to which the rows of a chart belong. Behind now, it says that they are a forecast. */
export function titleAt(chart: ShownChart, time: number, format: ChartFormat, text: Text): string {
  const drawing = drawingAt(chart, time);
  if (drawing === undefined) return '';
  if (drawing === chart.ahead?.drawing) return `${rowTitle(drawing, time, format)}, ${text.charts.forecast}`;
  return rowTitle(drawing, time, format);
}

function rowTitle(drawing: Drawing, time: number, format: ChartFormat): string {
  const isGap = drawing.lines.every((line) => readLine(drawing, line, time)?.kind === 'gap');
  const row = rowAt(drawing, time);
  if (row < 0 || (isGap && drawing.intervals === undefined))
    return format.row({ step: 'value', times: [time] }, 0);
  return format.row(drawing, row);
}
