import { convertDifference, type DisplayUnit } from './units.js';

/**
 * The colors of temperatures, the same on light and on dark pages, for fills only. The hue turns every 5 °C. The lightness rises
 * from the cold end to 0 °C, falls by 0.3 at 0 °C, rises again to 20 °C, and falls to the warm end. So frost has an edge in grey
 * and for every kind of color vision. Between the anchors, colors are linear in OKLab (Ottosson 2020), in which equal distances
 * look equally large.
 */
type Anchor = readonly [celsius: number, color: string];
const FROST: readonly Anchor[] = [
  [-20, '#551a76'],
  [-15, '#5633a3'],
  [-10, '#495cc9'],
  [-5, '#4892e1'],
  [0, '#80c8ee'],
];
const ABOVE: readonly Anchor[] = [
  [0, '#04707c'],
  [5, '#01948a'],
  [10, '#40b385'],
  [15, '#85ce6c'],
  [20, '#ead745'],
  [25, '#f49f1e'],
  [30, '#e46309'],
  [35, '#c1291f'],
  [40, '#860f23'],
];

const colors = new Map<number, string>();

/** Returns the color of a temperature, rounded to 1 °C. @returns `#rrggbb` */
export function temperatureColor(celsius: number): string {
  // The key of a temperature between −0.5 and 0 °C is −0.25, because `Map` does not distinguish −0 and 0.
  const rounded = celsius < 0 ? Math.min(Math.round(celsius), -0.25) : Math.round(celsius);
  let color = colors.get(rounded);
  if (color === undefined) colors.set(rounded, (color = interpolate(rounded)));
  return color;
}

function interpolate(celsius: number): string {
  const anchors = celsius < 0 ? FROST : ABOVE;
  const next = anchors.findIndex(([anchor]) => celsius <= anchor);
  if (next === 0) return anchors[0]?.[1] ?? '';
  const [upper, lower] = [anchors[next], anchors[next - 1]];
  if (upper === undefined || lower === undefined) return anchors.at(-1)?.[1] ?? '';
  if (celsius === -0.25) return upper[1];
  const share = (celsius - lower[0]) / (upper[0] - lower[0]);
  const [from, to] = [toOklab(lower[1]), toOklab(upper[1])];
  return toHex(from.map((value, index) => value + ((to[index] ?? 0) - value) * share));
}

/** A mark of a legend. */
export interface TemperatureMark {
  readonly celsius: number;
  /** The temperature in the unit of the visitor. */
  readonly value: number;
  readonly isFreezing: boolean;
}

/**
 * The marks of a legend for temperatures from `coldest` to `warmest` °C. The first and the last mark are round numbers in the unit
 * of the visitor and enclose the span. The freezing point always has a mark if the legend contains it.
 */
export function temperatureMarks(coldest: number, warmest: number, unit: DisplayUnit): TemperatureMark[] {
  const degree = convertDifference(unit, 1);
  const freezing = unit.convert(0);
  const [low, high] = [unit.convert(coldest), unit.convert(warmest)];
  const step = [5, 10, 20, 50].find((size) => (high - low) / size <= 7) ?? 100;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  const values = Array.from({ length: last - first + 1 }, (_value, index) => (first + index) * step);
  const isInside = (first * step < freezing && freezing < last * step) || values.includes(freezing);
  // A mark too near to the freezing point gives way, unless it is an end of the legend.
  const kept = values.filter(
    (value, index) =>
      !isInside ||
      index === 0 ||
      index === values.length - 1 ||
      Math.abs(value - freezing) >= 0.35 * step ||
      value === freezing,
  );
  const marks = isInside && !kept.includes(freezing) ? [...kept, freezing] : kept;
  return marks
    .toSorted((a, b) => a - b)
    .map((value) => ({ celsius: (value - freezing) / degree, value, isFreezing: value === freezing }));
}

/** Converts `#rrggbb` to OKLab: https://bottosson.github.io/posts/oklab/ */
function toOklab(color: string): number[] {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const encoded = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
  });
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

function toHex([lightness = 0, a = 0, b = 0]: readonly number[]): string {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return `#${channels.map((linear) => channelText(linear)).join('')}`;
}

function channelText(linear: number): string {
  const bounded = Math.min(Math.max(linear, 0), 1);
  const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
}
