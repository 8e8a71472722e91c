import { getTimes } from 'suncalc';
import { MILLISECONDS } from '#domain/time.js';
import { DRY_TIME } from '#domain/weather/current/dry-time.js';
import { addDays, localTime, startOfDay, startsOfDays } from '../charts/model/zone.js';
import { convertDifference, type DisplayUnit } from '../format/units.js';
import { windBarb } from '../format/wind.js';
import type { SparkValues } from '../now/model/spark.js';
import { doubtfulMark } from '../parts/doubtful-mark.js';
import { barWithin, linePath, type Point, round } from '../parts/pixels.js';
import { groundOf, type Stop } from './ground.js';
import { type Area, overlaps, placeLabel, type PlacedLabel, textWidth } from './labels.js';

/** Rain and wind of one hour. */
export interface RibbonHour {
  /** Start of the hour in ms since 1970. */
  readonly start: number;
  /** Rain in mm. */
  readonly rain?: number | null;
  /** Mean speed in m/s, and mean direction in degrees. */
  readonly speed?: number | null;
  readonly direction?: number | null;
}

/** The usual or forecast temperatures at a time: percentiles 10, 50 and 90, in °C. Without known bounds, all three are equal. */
export interface Percentiles {
  readonly time: number;
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}

export interface RibbonData {
  /** The shown span in ms since 1970. */
  readonly from: number;
  readonly to: number;
  /** The current time; undefined if the span lies in the past. The span may go on after it, for a forecast. */
  readonly now: number | undefined;
  readonly latitude: number;
  readonly longitude: number;
  readonly zone: string;
  /** Temperatures in °C. */
  readonly temperature: SparkValues | undefined;
  /** Largest time in seconds between two connected temperatures. */
  readonly longest: number;
  readonly hours: readonly RibbonHour[];
  readonly usual: readonly Percentiles[];
  /** The temperatures of the same hours of the last year, moved to the shown span. */
  readonly lastYear: SparkValues | undefined;
  /** The forecast from `now` on; undefined if there is none, or if the span lies in the past. */
  readonly forecast: RibbonForecast | undefined;
}

export interface RibbonForecast {
  readonly temperature: readonly Percentiles[];
  readonly hours: readonly RibbonHour[];
}

/** Size of a picture in px. The unit of all distances is the size of the type. */
export interface RibbonBox {
  readonly width: number;
  readonly height: number;
  /** Space for the names of the axes at the left; 0 without them. */
  readonly gutter: number;
  /** Size of the type: 14 on pages. */
  readonly type: number;
}

/** How numbers and times are written. Values are in metric units, times in ms since 1970. */
export interface RibbonFormat {
  readonly degrees: DisplayUnit;
  readonly temperature: (celsius: number) => string;
  /** A whole number of the degrees of the visitor. */
  readonly wholeDegrees: (degrees: number) => string;
  readonly rain: (millimeters: number) => string;
  readonly rainUnit: string;
  readonly speed: (metersPerSecond: number) => string;
  readonly speedUnit: string;
  readonly time: (time: number) => string;
  /** A day: `Mon 23 Nov`, and a short form: `Mon`. */
  readonly day: (time: number) => string;
  readonly weekday: (time: number) => string;
  readonly words: {
    readonly rain: string;
    readonly wind: string;
    readonly usual: string;
    readonly lastYear: string;
    readonly now: (time: string) => string;
    readonly nowOnly: string;
  };
}

/** Attributes `d` of paths. */
interface Curve {
  readonly line: string;
  readonly band: string;
}

interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface RibbonModel {
  readonly box: RibbonBox;
  /** The area with the ground. Barbs and hours stand below it. */
  readonly plot: Area;
  readonly ground: { readonly dusk: readonly Stop[]; readonly day: readonly Stop[] };
  readonly midnights: readonly number[];
  readonly grid: readonly { readonly y: number; readonly label: string; readonly isFreezing: boolean }[];
  readonly usual: Curve | undefined;
  /** Attributes `d` of paths. */
  readonly lastYear: string | undefined;
  readonly temperature: string;
  readonly forecast: Curve | undefined;
  readonly extremes: readonly Point[];
  /** Marks of doubtful values, which have the height of their value, or are carets at the edge of the picture. */
  readonly doubtful: readonly string[];
  readonly newest: Point | undefined;
  readonly bars: readonly Bar[];
  readonly forecastBars: readonly Bar[];
  readonly barbs: readonly {
    readonly x: number;
    readonly path: string | undefined;
    readonly isCalm: boolean;
    readonly direction: number;
    readonly speed: string;
    readonly isForecast: boolean;
  }[];
  /** Baselines and centers of the rows below the ground. */
  readonly rows: { readonly barb: number; readonly speed: number; readonly hour: number };
  readonly hours: readonly { readonly x: number; readonly text: string }[];
  readonly days: readonly PlacedLabel[];
  readonly suns: readonly { readonly x: number; readonly isRise: boolean; readonly text: string }[];
  readonly headBaseline: number;
  readonly now: { readonly x: number; readonly label: PlacedLabel; readonly area: Area } | undefined;
  readonly labels: readonly PlacedLabel[];
  readonly rainLabels: readonly PlacedLabel[];
  readonly words: readonly PlacedLabel[];
  readonly axisNames: readonly { readonly y: number; readonly text: string }[];
  readonly xOf: (time: number) => number;
  readonly timeAt: (x: number) => number;
  readonly yOf: (celsius: number) => number;
}

/** Rain in mm in an hour that fills the height of the bars, unless an hour has more. */
export const FULL_RAIN = 4;
/** Largest time in seconds between two connected values of the last year. An imported record may have only one value an hour. */
const LAST_YEAR_GAP = 9000;
/** Width of a picture, in sizes of its type, in which labels have times and units, and in which the mark of the current time has its time. */
const [WIDE, NAMES_ONLY] = [43.2, 30];
/** Distances in hours of a local extreme of the forecast that has a label: to other extremes, to now, and to the end of the picture. */
const [AROUND, AFTER_NOW, BEFORE_END] = [7.5, 5, 4];
/** Steps between hours that have a label or a barb. */
const LABEL_HOURS = [1, 2, 3, 6, 12, 24];
/** The disk at the end of a barb, and the ring of a calm, in the coordinates of `windBarb`. */
const STATION = 'M-1.5 0A1.5 1.5 0 1 0 1.5 0A1.5 1.5 0 1 0 -1.5 0Z';
const CALM = 'M-3 -10A3 3 0 1 0 3 -10A3 3 0 1 0 -3 -10Z';

/** Smallest height, in sizes of the type, with room for the wind below the temperature. */
const LINES_WITH_WIND = 14;

/** Computes the shapes and the labels of the picture. */
export function ribbonModel(data: RibbonData, box: RibbonBox, format: RibbonFormat): RibbonModel {
  const { from, to, zone, now = to, lastYear } = data;
  const ahead = {
    temperature: data.forecast?.temperature ?? [],
    hours: (data.forecast?.hours ?? []).filter(({ start }) => start < to),
  };
  const allHours = [...data.hours, ...ahead.hours];
  const em = box.type;
  const gutter = gutterOf(box, format);
  const hasWind =
    box.height >= em * LINES_WITH_WIND && allHours.some(({ speed }) => typeof speed === 'number');
  const hasRain = allHours.some(({ rain }) => (rain ?? 0) > 0);
  const head = em * 2.3;
  const foot = em * 1.75 + (hasWind ? em * 4.25 : em * 0.5);
  const plot: Area = { left: gutter, right: box.width, top: 0, bottom: Math.round(box.height - foot) };
  const hourWidth = ((plot.right - plot.left) / (to - from)) * MILLISECONDS.hour;
  const xOf = (time: number) => plot.left + ((time - from) / (to - from)) * (plot.right - plot.left);
  const timeAt = (x: number) => from + ((x - plot.left) / (plot.right - plot.left)) * (to - from);

  const rainHeight = hasRain ? Math.min(em * 4.5, (plot.bottom - head) * 0.4) : em * 0.6;
  const scale = temperatureScale(data, format.degrees);
  // Above the highest value, below the names of days, and below the lowest value is room for a label.
  const highest = head + em * 1.65;
  const lowest = Math.max(highest, plot.bottom - Math.max(rainHeight, em * 1.9));
  const yOf = (celsius: number) =>
    highest + ((scale.top - celsius) / (scale.top - scale.bottom)) * (lowest - highest);
  const point = (seconds: number, celsius: number): Point => [
    round(xOf(seconds * MILLISECONDS.second)),
    round(yOf(celsius)),
  ];

  const temperature = data.temperature ?? { times: [], values: [] };
  const points = temperature.times.map((time, index) => point(time, temperature.values[index] as number));
  const { suspects = { times: [], values: [] } } = temperature;
  const doubtful = suspects.times.flatMap((time, index) => {
    const [x, y] = point(time, suspects.values[index] as number);
    return x < plot.left || x > plot.right
      ? []
      : doubtfulMark(x, y, { top: head, bottom: plot.bottom }, em / 4).path;
  });
  const usual = percentilesWithin(data.usual, from, to);
  const forecast = percentilesWithin(ahead.temperature, now, to);
  const forecastPoints = forecast.map(({ time, p50 }): Point => [round(xOf(time)), round(yOf(p50))]);
  const most = Math.max(FULL_RAIN, ...allHours.map(({ rain }) => rain ?? 0));
  const room = { bottom: plot.bottom, height: rainHeight - em * 0.6, most };
  const past = { from, to: now };
  const future = { from: now, to };
  const bars = barsOf(data.hours, past, xOf, room);
  const forecastBars = barsOf(ahead.hours, future, xOf, room);

  // Each area that labels must not cover: lines, bars, and the labels that already have a place.
  const taken: Area[] = [
    ...linesOf(points, em),
    ...linesOf(forecastPoints, em),
    ...[...bars, ...forecastBars].map(({ x, y, width }) => ({
      left: x,
      top: y,
      right: x + width,
      bottom: plot.bottom,
    })),
  ];
  const isNarrow = plot.right - plot.left < em * WIDE;
  const midnights = startsOfDays(from, to, zone);
  const header = headOf(data, { midnights, plot, em, xOf }, format);
  taken.push(...header.taken);
  for (const { celsius, isFreezing } of scale.ticks)
    if (isFreezing) taken.push({ ...plot, top: yOf(celsius) - 1, bottom: yOf(celsius) + 1 });
  const bounds = { ...plot, left: plot.left + em * 0.3, right: plot.right - em * 0.3, top: head * 0.8 };

  const spells = [...spellsOf(data.hours, past), ...spellsOf(ahead.hours, future)];
  const rainLabels = spells.flatMap(({ start, end, sum }) => {
    const inside = [...bars, ...forecastBars].filter(({ time }) => time >= start && time < end);
    const top = Math.min(...inside.map(({ y }) => y));
    const text =
      plot.right - plot.left < em * NAMES_ONLY ? format.rain(sum) : `${format.rain(sum)} ${format.rainUnit}`;
    const x = (xOf(Math.max(start, from)) + xOf(Math.min(end, to))) / 2;
    return placeLabel({ text, x, y: top + em * 0.3, isAbove: true }, em, bounds, taken) ?? [];
  });

  const extremes = extremesOf(temperature);
  const dots = extremes.map(({ time, value }) => point(time, value));
  const labels = extremes.flatMap(({ time, value, isHighest }, index) => {
    const [x = 0, y = 0] = dots[index] ?? [];
    const name = format.temperature(value);
    const text = isNarrow ? name : `${name} ${format.time(time * MILLISECONDS.second)}`;
    return placeLabel({ text, x, y, isAbove: isHighest, isBold: true }, em, bounds, taken) ?? [];
  });
  const outlook = localExtremes(ahead.temperature, data).map(({ time, p50, isHighest }) => {
    const [x, y] = [round(xOf(time)), round(yOf(p50))];
    const name = `${format.wholeDegrees(format.degrees.convert(p50))}°`;
    const text = isNarrow ? name : `${name} ${format.time(time)}`;
    const label = placeLabel({ text, x, y, isAbove: isHighest, isBold: true }, em, bounds, taken);
    return { dot: [x, y] as const, label };
  });
  labels.push(...outlook.flatMap(({ label }) => label ?? []));
  const words = wordsOf({ usual, lastYear }, { bounds, em, xOf, yOf, taken }, format);

  const step = (least: number) => LABEL_HOURS.find((hours) => hours * hourWidth >= least) ?? 24;
  // In three days of a narrow picture, barbs may stand closer.
  const barbStep = step(em * (isNarrow && data.forecast ? 2.1 : 3.1));
  const speedRow = plot.bottom + em * 4.1;
  return {
    box,
    plot,
    ground: groundOf(from, to, data.latitude, data.longitude),
    midnights: midnights.map((time) => round(xOf(time))),
    grid: spacedTicks(scale.ticks, yOf, em * 1.3).map(({ celsius, value, isFreezing }) => ({
      y: Math.round(yOf(celsius)),
      label: `${format.wholeDegrees(value)}°`,
      isFreezing,
    })),
    usual: curveOf(usual, xOf, yOf),
    lastYear:
      lastYear &&
      linePath(
        lastYear.times.map((time, index) => point(time, lastYear.values[index] as number)),
        lastYear.times,
        Math.max(data.longest, LAST_YEAR_GAP),
      ),
    temperature: linePath(points, temperature.times, data.longest),
    forecast: curveOf(forecast, xOf, yOf),
    extremes: [...dots, ...outlook.map(({ dot }) => dot)],
    doubtful,
    newest: points.at(-1),
    bars,
    forecastBars,
    barbs: hasWind
      ? [data.hours, ahead.hours].flatMap((hours, index) => {
          const span = index === 0 ? past : future;
          const barbs = barbsOf(hours, { ...span, zone, step: barbStep }, xOf, format);
          return barbs.map((barb) => ({ ...barb, isForecast: index > 0 }));
        })
      : [],
    rows: { barb: round(plot.bottom + em * 1.6), speed: round(speedRow), hour: round(box.height - em * 0.3) },
    hours: hoursWithin(from, to, zone)
      .filter(({ hour }) => hour % step(em * 4) === 0)
      .map(({ time, hour }) => ({ x: round(xOf(time)), text: String(hour).padStart(2, '0') }))
      .filter(({ x }) => x > em * 0.7 && x < plot.right - em * 0.7),
    days: header.days,
    suns: header.suns,
    headBaseline: round(em * 1.45),
    now: header.now,
    labels,
    rainLabels,
    words,
    axisNames:
      box.gutter === 0
        ? []
        : [
            ...(hasRain ? [{ y: plot.bottom - em * 0.3, text: format.words.rain }] : []),
            ...(hasWind
              ? [
                  { y: plot.bottom + em * 1.9, text: format.words.wind },
                  { y: speedRow, text: format.speedUnit },
                ]
              : []),
          ],
    xOf,
    timeAt,
    yOf,
  };
}

/** The space at the left, in which the names of the axes fit in every language. */
function gutterOf({ gutter, type }: RibbonBox, { words, speedUnit }: RibbonFormat): number {
  const widest = Math.max(...[words.rain, words.wind, speedUnit].map((name) => textWidth(name, type)));
  // The names end half a letter before the picture. Some fonts are wider than the estimate.
  return gutter && Math.max(gutter, Math.ceil(widest * 1.08 + type * 0.6));
}

/** The ticks whose labels do not touch each other: freezing point first, then from below. */
function spacedTicks<Tick extends { readonly celsius: number; readonly isFreezing: boolean }>(
  ticks: readonly Tick[],
  yOf: (celsius: number) => number,
  least: number,
): readonly Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks.toSorted((a, b) => Number(b.isFreezing) - Number(a.isFreezing)))
    if (kept.every(({ celsius }) => Math.abs(yOf(celsius) - yOf(tick.celsius)) >= least)) kept.push(tick);
  return kept;
}

/** The vertical scale: all that is drawn, with round numbers of the unit of the visitor at both ends. */
function temperatureScale(
  { temperature, usual, lastYear, forecast, from, to }: RibbonData,
  unit: DisplayUnit,
) {
  const drawn = [
    ...(temperature?.values ?? []),
    ...(lastYear?.values ?? []),
    ...[...usual, ...(forecast?.temperature ?? [])].flatMap(({ time, p10, p90 }) =>
      time >= from && time <= to ? [p10, p90] : [],
    ),
  ].map(unit.convert);
  const [low, high] = drawn.length === 0 ? [0, 10] : [Math.min(...drawn), Math.max(...drawn)];
  const step = [2, 5, 10, 20, 50].find((size) => (high - low) / size <= 3) ?? 100;
  // The ends are at halves of a step, so that a picture does not end in much empty space.
  const half = step / 2;
  const first = Math.floor(low / half) * half;
  const last = Math.max(Math.ceil(high / half) * half, first + step);
  const freezing = unit.convert(0);
  const degree = convertDifference(unit, 1);
  const toCelsius = (value: number) => (value - freezing) / degree;
  const values: number[] = [];
  for (let value = Math.ceil(first / step) * step; value <= last; value += step)
    if (value === freezing || Math.abs(value - freezing) >= step / 2 || freezing < first || freezing > last)
      values.push(value);
  if (freezing >= first && freezing <= last && !values.includes(freezing)) values.push(freezing);
  return {
    bottom: toCelsius(first),
    top: toCelsius(last),
    // Without a thermometer there is no scale.
    ticks: (drawn.length === 0 ? [] : values).map((value) => ({
      celsius: toCelsius(value),
      value,
      isFreezing: value === freezing,
    })),
  };
}

/** The line of the medians, and the band between the percentiles 10 and 90. */
function curveOf(
  percentiles: readonly Percentiles[],
  xOf: (time: number) => number,
  yOf: (celsius: number) => number,
): Curve | undefined {
  if (percentiles.length < 2) return undefined;
  const points = (name: 'p10' | 'p50' | 'p90') =>
    percentiles.map((hour): Point => [round(xOf(hour.time)), round(yOf(hour[name]))]);
  return {
    line: linePath(points('p50')),
    band: `${linePath([...points('p90'), ...points('p10').toReversed()])}Z`,
  };
}

/** The values within a span, with interpolated values at both ends of it. */
export function percentilesWithin(
  usual: readonly Percentiles[],
  from: number,
  to: number,
): readonly Percentiles[] {
  const at = (time: number): Percentiles[] => {
    const next = usual.findIndex((hour) => hour.time >= time);
    const [before, after] = [usual[next - 1], usual[next]];
    if (before === undefined || after === undefined) return [];
    const share = (time - before.time) / (after.time - before.time);
    const between = (name: 'p10' | 'p50' | 'p90') => before[name] + share * (after[name] - before[name]);
    return [{ time, p10: between('p10'), p50: between('p50'), p90: between('p90') }];
  };
  return [...at(from), ...usual.filter(({ time }) => time > from && time < to), ...at(to)];
}

function barsOf(
  hours: readonly RibbonHour[],
  { from, to }: { readonly from: number; readonly to: number },
  xOf: (time: number) => number,
  { bottom, height, most }: { readonly bottom: number; readonly height: number; readonly most: number },
) {
  return hours.flatMap(({ start, rain }) => {
    if (!rain || start > to || start + MILLISECONDS.hour <= from) return [];
    const [left, right] = barWithin(
      xOf(start) + 0.5,
      xOf(start + MILLISECONDS.hour) - 0.5,
      xOf(from) + 0.5,
      xOf(to) - 0.5,
    );
    // Even a small amount is visible.
    const length = Math.max(1.5, (rain / most) * height);
    return [
      {
        time: start,
        x: round(left),
        y: round(bottom - length),
        width: round(right - left),
        height: round(length),
      },
    ];
  });
}

/** The spells of rain, each with its sum in mm. A dry hour ends a spell, as in the sentence about the present weather. */
function spellsOf(
  hours: readonly RibbonHour[],
  { from, to }: { readonly from: number; readonly to: number },
) {
  const spells: { start: number; end: number; sum: number }[] = [];
  for (const { start, rain } of hours) {
    if (!rain || start + MILLISECONDS.hour <= from || start > to) continue;
    const last = spells.at(-1);
    if (last !== undefined && start - last.end < DRY_TIME) {
      last.end = start + MILLISECONDS.hour;
      last.sum += rain;
    } else spells.push({ start, end: start + MILLISECONDS.hour, sum: rain });
  }
  return spells;
}

/** The largest and the smallest value. Both are left out if they are equal. */
function extremesOf({ times, values }: SparkValues) {
  const [highest, lowest] = [Math.max(...values), Math.min(...values)];
  if (values.length < 2 || highest === lowest) return [];
  return [highest, lowest].map((value) => ({
    time: times[values.indexOf(value)] as number,
    value,
    isHighest: value === highest,
  }));
}

/** The local extremes of the forecast that have a label. */
function localExtremes(forecast: readonly Percentiles[], { now = 0, to }: RibbonData) {
  return forecast.flatMap((hour, index) => {
    const { time, p50 } = hour;
    const isInside =
      time >= now + AFTER_NOW * MILLISECONDS.hour && time <= to - BEFORE_END * MILLISECONDS.hour;
    if (!isInside) return [];
    const near = forecast.filter((other) => Math.abs(other.time - time) <= AROUND * MILLISECONDS.hour);
    const before = forecast.slice(0, index).filter((other) => near.includes(other));
    // Of equal values the first one counts.
    const isFirst = before.every((other) => other.p50 !== p50);
    const [isHighest, isLowest] = [
      near.every((other) => other.p50 <= p50),
      near.every((other) => other.p50 >= p50),
    ];
    return isFirst && isHighest !== isLowest ? [{ ...hour, isHighest }] : [];
  });
}

/** Areas along a line, which labels must not cover. */
function linesOf(points: readonly Point[], em: number): Area[] {
  const margin = em * 0.15;
  return points.slice(1).map(([x, y], index) => {
    const [earlierX, earlierY] = points[index] as Point;
    return {
      left: earlierX,
      right: x,
      top: Math.min(y, earlierY) - margin,
      bottom: Math.max(y, earlierY) + margin,
    };
  });
}

/** The days, the sunrises and sunsets, and the current time above the picture. The days come first, and names that do not fit are left out. */
function headOf(
  { from, to, zone, now, latitude, longitude }: RibbonData,
  {
    midnights,
    plot,
    em,
    xOf,
  }: {
    readonly midnights: readonly number[];
    readonly plot: Area;
    readonly em: number;
    readonly xOf: (time: number) => number;
  },
  format: RibbonFormat,
) {
  const baseline = round(em * 1.45);
  const area = (left: number, width: number): Area => ({
    left,
    right: left + width,
    top: 0,
    bottom: em * 2.2,
  });
  const taken: Area[] = [];
  let nowMark: RibbonModel['now'];
  if (now !== undefined && now >= from && now <= to) {
    const text =
      plot.right - plot.left < em * NAMES_ONLY ? format.words.nowOnly : format.words.now(format.time(now));
    const width = textWidth(text, em, true) + em * 0.9;
    const x = round(xOf(now));
    const left = Math.min(Math.max(x - width / 2, plot.left), plot.right - width);
    const boxArea = { left: round(left), right: round(left + width), top: em * 0.45, bottom: em * 1.95 };
    nowMark = { x, label: { text, x: round(left + width / 2), y: baseline }, area: boxArea };
    if (now < to) taken.push({ left: x - em * 0.1, right: x + em * 0.1, top: 0, bottom: plot.bottom });
    taken.push({ ...boxArea, left: boxArea.left - em * 0.4, right: boxArea.right + em * 0.4, top: 0 });
  }
  const place = (text: string, x: number, isBold: boolean, extra = 0): boolean => {
    const wanted = area(x, textWidth(text, em, isBold) + extra);
    if (wanted.right > plot.right - em * 0.3 || taken.some((other) => overlaps(wanted, other))) return false;
    taken.push({ ...wanted, right: wanted.right + em * 0.8 });
    return true;
  };
  const days = [...midnights, from].flatMap((time) => {
    const isFirst = time === from;
    const x = round(xOf(time) + em * 0.5);
    const room = isFirst && midnights[0] !== undefined ? xOf(midnights[0]) - em * 0.5 : plot.right;
    const text = [format.day(time), format.weekday(time)].find(
      (name) => x + textWidth(name, em, true) <= room && place(name, x, true),
    );
    return text === undefined ? [] : [{ text, x, y: baseline }];
  });
  const suns = sunTimes(from, to, zone, latitude, longitude).flatMap(({ time, isRise }) => {
    const x = round(xOf(time));
    const text = format.time(time);
    return place(text, x - em * 0.5, false, em * 1.2) ? [{ x, isRise, text }] : [];
  });
  return { days, suns, now: nowMark, taken };
}

/** The sunrises and sunsets within a span. */
function sunTimes(from: number, to: number, zone: string, latitude: number, longitude: number) {
  const found: { time: number; isRise: boolean }[] = [];
  const { date: last } = localTime(to, zone);
  for (let { date } = localTime(from, zone); date <= last; date = addDays(date, 1)) {
    const noon = startOfDay(date, zone) + MILLISECONDS.day / 2;
    const { sunrise, sunset } = getTimes(new Date(noon), latitude, longitude);
    for (const [event, isRise] of [
      [sunrise, true],
      [sunset, false],
    ] as const) {
      const time = event?.getTime() ?? NaN;
      if (time >= from && time <= to) found.push({ time, isRise });
    }
  }
  return found;
}

/** The whole local hours within a span. */
function hoursWithin(from: number, to: number, zone: string) {
  const hours: { time: number; hour: number }[] = [];
  const quarter = MILLISECONDS.hour / 4;
  // Offsets of zones are multiples of 15 min, but for historical ones.
  for (let time = Math.ceil(from / quarter) * quarter; time <= to; time += quarter) {
    const { hour, minute } = localTime(time, zone);
    if (minute === 0) hours.push({ time, hour });
  }
  return hours;
}

function barbsOf(
  hours: readonly RibbonHour[],
  {
    from,
    to,
    zone,
    step,
  }: { readonly from: number; readonly to: number; readonly zone: string; readonly step: number },
  xOf: (time: number) => number,
  format: RibbonFormat,
) {
  const margin = MILLISECONDS.hour / 4;
  return hours.flatMap(({ start, speed, direction }) => {
    const middle = start + MILLISECONDS.hour / 2;
    if (typeof speed !== 'number' || middle < from + margin || middle > to - margin) return [];
    if (localTime(start, zone).hour % step !== Math.floor(step / 2)) return [];
    const barb = windBarb(speed);
    const isCalm = barb === undefined;
    const path = isCalm ? CALM : typeof direction === 'number' ? STATION + barb : undefined;
    const turn = isCalm ? 0 : Math.round(direction ?? 0);
    return [{ x: round(xOf(middle)), path, isCalm, direction: turn, speed: format.speed(speed) }];
  });
}

/** Words in the picture: the name of the band, or of the line of the last year. */
function wordsOf(
  { usual, lastYear }: { readonly usual: readonly Percentiles[]; readonly lastYear: SparkValues | undefined },
  {
    bounds,
    em,
    xOf,
    yOf,
    taken,
  }: {
    readonly bounds: Area;
    readonly em: number;
    readonly xOf: (time: number) => number;
    readonly yOf: (celsius: number) => number;
    readonly taken: Area[];
  },
  format: RibbonFormat,
): PlacedLabel[] {
  const curves: [text: string, points: Point[]][] = [
    [format.words.usual, usual.map(({ time, p90 }) => [xOf(time), yOf(p90) + em * 0.2])],
    [
      format.words.lastYear,
      lastYear?.times.map((time, index) => [
        xOf(time * MILLISECONDS.second),
        yOf(lastYear.values[index] as number),
      ]) ?? [],
    ],
  ];
  for (const [text, points] of curves) {
    if (points.length < 2) continue;
    for (const share of [0.8, 0.65, 0.5, 0.35, 0.2]) {
      const [x, y] = points[Math.round(share * (points.length - 1))] as Point;
      const label = placeLabel({ text, x, y, isAbove: true }, em, bounds, taken);
      if (label !== undefined) return [label];
    }
  }
  return [];
}
