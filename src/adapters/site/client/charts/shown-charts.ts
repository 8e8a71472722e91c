import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import type { Forecast } from '../forecast/read-forecast.js';
import type { DisplayUnit } from '../format/units.js';
import type { DayRecord } from '../sections/usual/day-record.js';
import type { Text } from '../text/en.js';
import { drawAhead } from './model/ahead.js';
import { type Drawing, drawBars, drawLines, drawSteps, totalOf } from './model/drawing.js';
import type { Quantity } from './model/quantities.js';
import { type ChartReply, RAIN } from './model/read.js';
import { earlierYears, rainOfYear, usualBand, type UsualReply } from './model/record.js';
import type { ShownRange } from './model/span.js';
import { dotLengthOf, stepOf } from './model/steps.js';
import type { ShownChart } from './shown-chart.js';
import type { ChartFormat } from './chart-format.js';

const NO_UNITS: Readonly<Record<string, string>> = {};

export interface ChartContext {
  readonly station: Station;
  readonly range: ShownRange;
  /** The part of the range in which the station can have values. */
  readonly expected: ShownRange;
  readonly format: ChartFormat;
  readonly text: Text;
  readonly usual: UsualReply | undefined;
  readonly days: DayRecord | undefined;
  readonly showsYears: boolean;
  /** The forecast, and the current time, if the charts go on behind now. */
  readonly ahead: { readonly forecast: Forecast; readonly from: number } | undefined;
}

/** All charts of a page. Before the reply, they have no drawing. */
export function shownCharts(
  quantities: readonly Quantity[],
  reply: ChartReply | undefined,
  context: ChartContext,
): ShownChart[] {
  const { range, station, format, usual, days, showsYears, text, ahead } = context;
  const step = reply?.step ?? stepOf(range);
  return quantities.flatMap((quantity) => {
    const unit = format.unit(quantity, unitsOf(quantity, reply));
    const drawing = reply && drawingOf(quantity, reply, unit, context);
    const [variable = ''] = quantity.lines.map((line) => line.variable);
    const band =
      usual && quantity.hasUsual && step !== 'week'
        ? usualBand(usual, variable, range, station.time_zone, unit)
        : undefined;
    const years =
      showsYears && days && quantity.hasUsual
        ? earlierYears(days, range, station.time_zone, unit)
        : undefined;
    const isRain = variable === RAIN;
    const title =
      isRain && drawing !== undefined
        ? text.charts.rainBy(drawing.step, format.name(RAIN))
        : format.title(quantity);
    const chart: ShownChart = {
      quantity,
      title,
      unit,
      drawing,
      ...(ahead && {
        ahead: {
          from: ahead.from,
          drawing: drawAhead(quantity, ahead.forecast, unit, { from: ahead.from, to: range.to }),
        },
      }),
      ...(band && { usual: band }),
      ...(years && { years }),
      note: noteOf(quantity, drawing, band !== undefined, unit, context),
    };
    const ofYear = isRain && step === 'day' && days ? rainChart(days, unit, context) : undefined;
    return ofYear === undefined ? [chart] : [chart, ofYear];
  });
}

function unitsOf({ kind, lines }: Quantity, reply: ChartReply | undefined): Readonly<Record<string, string>> {
  if (reply === undefined) return NO_UNITS;
  const variable = lines[0]?.variable ?? '';
  const replies = [reply.observations, ...Object.values(reply.summaries)];
  return (
    (kind === 'bars' ? reply.summaries[reply.barStep]?.units : undefined) ??
    replies.find((one) => one !== undefined && variable in one.units)?.units ??
    NO_UNITS
  );
}

function drawingOf(
  quantity: Quantity,
  { range, step, barStep, points, observations, summaries }: ChartReply,
  unit: DisplayUnit,
  { station, expected }: ChartContext,
): Drawing | undefined {
  const { reporting_interval: reportingInterval, time_zone: zone } = station;
  const expectation = { expected, reportingInterval };
  if (quantity.kind === 'bars') {
    const bars = summaries[barStep];
    return bars && drawBars(quantity, bars, unit, { step: barStep, range, zone, ...expectation });
  }
  if (step !== 'value') {
    const steps = summaries[step];
    return steps && drawSteps(quantity, steps, unit, { step, ...expectation });
  }
  return (
    observations &&
    drawLines(quantity, observations, summaries[barStep], unit, {
      interval: (reportingInterval ?? 0) * MILLISECONDS.second,
      columnLength: (range.to - range.from) / points,
      expected,
    })
  );
}

/** What the lines, bands and dots of a chart mean. */
function noteOf(
  { lines, kind }: Quantity,
  drawing: Drawing | undefined,
  hasBand: boolean,
  unit: DisplayUnit,
  { range, format, text }: ChartContext,
): string {
  if (drawing === undefined) return '';
  const { charts } = text;
  const total = totalOf(drawing.lines[0]?.values ?? []);
  if (kind === 'bars') return total === undefined ? '' : `${charts.total} ${format.value(total, unit)}`;
  const notes: string[] = [];
  const [line] = drawing.lines;
  const { step } = drawing;
  if (step === 'hour' || step === 'day' || step === 'week') {
    if (line?.lows !== undefined && lines.some(({ shape }) => shape === 'dots'))
      notes.push(charts.notes.means[step]);
    else if (line?.lows !== undefined) notes.push(charts.notes.steps[step]);
    else if (line?.shape === 'line') notes.push(charts.notes.highs[step]);
  }
  if (lines.some(({ shape }) => shape === 'dots')) {
    const hours = dotLengthOf(range) / MILLISECONDS.hour;
    notes.push(charts.notes.gusts(step === 'day' ? 24 : step === 'week' ? 168 : hours));
  }
  if (hasBand) notes.push(step === 'value' ? charts.notes.usualHours : charts.notes.usual);
  return notes.join(', ');
}

/** The chart of the rain since 1 January. */
function rainChart(
  days: DayRecord,
  unit: DisplayUnit,
  { range, station, format, text }: ChartContext,
): ShownChart | undefined {
  const rain = rainOfYear(days, range, station.time_zone, unit);
  if (rain === undefined) return undefined;
  const last = rain.values.at(-1);
  const { rainOfYear: words } = text.charts;
  const note =
    last === undefined
      ? ''
      : words.note(
          rain.isAtLeast ? text.charts.facts.atLeast(format.value(last, unit)) : format.value(last, unit),
          rain.share === undefined ? undefined : format.number(100 * rain.share, 0),
          rain.years,
        );
  return {
    quantity: {
      id: 'rain-of-year',
      kind: 'line',
      lines: [{ variable: RAIN, ink: 'rain', shape: 'line' }],
      limits: { floor: 0, minLength: 1 },
    },
    title: words.title(rain.year),
    unit,
    drawing: {
      step: 'day',
      times: rain.times,
      intervals: rain.days,
      lines: [{ variable: RAIN, shape: 'line', values: rain.values, doubtful: [], gaps: [] }],
      arrows: [],
    },
    ...(rain.usual && { usual: rain.usual }),
    note,
  };
}
