import { dateText } from '#domain/weather/climate/climate-days.js';
import { usualDecimals } from '#domain/weather/usual-decimals.js';
import type { MonthExtreme } from '#domain/weather/climate/noaa/noaa-report.js';

/** The units of a report, as its headings name them, and the number of decimals of rain. */
export const NOAA_UNITS = {
  imperial: { temperature: 'F', rain: 'in', wind: 'mph', rainDecimals: usualDecimals('', 'mm', 'in') },
  metric: { temperature: 'C', rain: 'mm', wind: 'm/s', rainDecimals: usualDecimals('', 'mm', 'mm') },
} as const;

/** Width of most cells. */
const WIDTH = 6;
const NOTHING = 'N/A';

export const MONTH_NAMES = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];

/** Writes a number with fixed decimals, or `N/A` for NaN. */
export function numberCell(value: number, decimals: number): string {
  if (Number.isNaN(value)) return NOTHING.padStart(WIDTH);
  const text = value.toFixed(decimals);
  return (Number(text) === 0 ? text.replace('-', '') : text).padStart(WIDTH);
}

export function textCell(text: string | undefined, width = WIDTH): string {
  return (text ?? NOTHING).padStart(width);
}

/** The day of the month on which an extreme occurred: `07`. */
export function dayCell({ date }: MonthExtreme): string | undefined {
  return Number.isNaN(date) ? undefined : dateText(date).slice(8);
}

/** The month in which an extreme occurred: `Jul`. */
export function monthOf({ date }: MonthExtreme): string | undefined {
  return Number.isNaN(date) ? undefined : MONTH_NAMES[Number(dateText(date).slice(5, 7)) - 1];
}
