import { isDateAlone } from '#domain/time.js';
import type { Questions } from './questions.js';

/**
 * Patterns for headings of three kinds of columns: columns with a date, with a time of day, and with both. The tested headings
 * have no blanks and are in lower case.
 */
const DATE = /^(?:date|datum|fecha|data|dato|day|valid|simpledate)$|^date[([]/;
const TIME = /^(?:time|zeit|uhrzeit|hora|heure|ora|tid|hour)$|^time[([]/;
const BOTH =
  /^(?:date|datum|fecha)?[_/&-]*(?:and)?(?:time|zeit|uhrzeit)(?:stamp|stempel)?(?:[([].*)?$|^(?:time|date)stamp|^(?:when|zeitpunkt|zeitstempel|datetime|date_time|dateutc|datetimeutc|valid|obstime\w*|epoch|unix|last_changed|reference_timestamp)$/;

const DATES = [
  'YYYY-M-D',
  'YYYY/M/D',
  'YYYY.M.D',
  'D.M.YYYY',
  'D.M.YY',
  'D-MMM-YYYY',
  'D MMM YYYY',
  'D/MMM/YYYY',
  'MMM D YYYY',
  'MMM D, YYYY',
  'YYYYMMDD',
] as const;
/** Dates in which the order of day and month is unknown. */
const UNSURE = {
  DMY: ['D/M/YYYY', 'D-M-YYYY', 'D/M/YY', 'D-M-YY'],
  MDY: ['M/D/YYYY', 'M-D-YYYY', 'M/D/YY', 'M-D-YY'],
} as const;
const TIMES = [
  '',
  ' H:mm',
  ' H:mm:ss',
  ' h:mm A',
  ' h:mmA',
  ' h:mm:ss A',
  ' h:mm:ssA',
  'TH:mm',
  'TH:mm:ss',
  ' HHmm',
  ' HHmmss',
] as const;
const COMPACT = ['YYYYMMDDHHmm', 'YYYYMMDDHHmmss', 'YYYYMMDDHH'] as const;

/** Formats with a date and a time of day. */
const DATED = [...DATES, ...UNSURE.DMY, ...UNSURE.MDY].flatMap((date) =>
  TIMES.filter((time) => time !== '').map((time) => date + time),
);
const FORMATS = [
  'iso',
  ...COMPACT,
  'unix',
  ...[...DATES, ...UNSURE.DMY, ...UNSURE.MDY].flatMap((date) => TIMES.map((time) => date + time)),
];

/** Share of the samples that a format must fit. */
const FITTING = 0.5;
/** Start of the years 1990 and 2100, in seconds since 1970. */
const [EARLIEST, LATEST] = [631_152_000, 4_102_444_800];
/** Formats that count from 1970, with the first and the last plausible number. */
const UNIX = [
  { format: 'unix', from: EARLIEST, to: LATEST },
  { format: 'unix-ms', from: EARLIEST * 1000, to: LATEST * 1000 },
] as const;

/**
 * The positions of the columns with the time: one column, or a column with the date and a column with the time of day. Empty if
 * no heading means a time.
 */
export function timeColumnsOf(headings: readonly string[]): readonly number[] {
  const names = headings.map((heading) => heading.replace(/\s+/g, '').toLowerCase());
  const [both, date, time] = [BOTH, DATE, TIME].map((pattern) =>
    names.findIndex((name) => pattern.test(name)),
  );
  if (date !== -1 && time !== -1 && date !== time) return [date as number, time as number];
  const single = [both, date].find((at) => at !== -1);
  return single === undefined ? [] : [single];
}

/**
 * Of a date column and a time column, only the time column if its texts have a date of their own: together, the texts have no
 * format.
 *
 * @param samplesOf the texts of a column
 */
export function wholeTime(
  places: readonly number[],
  samplesOf: (at: number) => readonly string[],
  fits: (text: string, format: string) => boolean,
): readonly number[] {
  const [, time] = places;
  if (time === undefined) return places;
  const samples = samplesOf(time);
  const isWhole = (text: string) =>
    !isDateAlone(text) && ['iso', ...DATED].some((format) => fits(text, format));
  return samples.length > 0 && samples.every(isWhole) ? [time] : places;
}

/**
 * Returns one of the samples as an example for the message that the times have an unknown format. It is the first sample that
 * does not fit the format of the first sample, or the first sample itself if it has no known format.
 *
 * @param samples texts that no format fits well enough; at least one
 */
export function oddTime(samples: readonly string[], fits: (text: string, format: string) => boolean): string {
  const [first = ''] = samples;
  const format = FORMATS.find((known) => fits(first, known));
  return format === undefined ? first : (samples.find((text) => !fits(text, format)) ?? first);
}

/**
 * The formats that fit the texts of times. If the texts do not show which number is the day and which is the month, a question is
 * asked.
 *
 * @param fits whether a text is a time in a format
 * @returns the formats; empty if no format fits
 */
export function timeFormatsOf(
  samples: readonly string[],
  questions: Questions,
  fits: (text: string, format: string) => boolean,
): readonly string[] {
  const shareOf = (format: string) => samples.filter((text) => fits(text, format)).length / samples.length;
  const isFitting = (format: string) => shareOf(format) >= FITTING;
  if (samples.length === 0) return [];
  if (isFitting('iso')) return ['iso'];
  // Some numbers of seconds are dates too: 1704070800 is 2024-01-01T01:00:00Z, or an hour of 1704-07-08.
  const numeric = [
    ...COMPACT,
    ...UNIX.filter(({ from, to }) => samples.every(isWithin(from, to))).map(({ format }) => format),
  ];
  const [best] = numeric.filter(isFitting).toSorted((a, b) => shareOf(b) - shareOf(a));
  if (best !== undefined) return [best];
  const all = (dates: readonly string[]) => dates.flatMap((date) => TIMES.map((time) => date + time));
  const sure = all(DATES).find(isFitting);
  if (sure !== undefined) return [sure];
  const [dayFirst, monthFirst] = [all(UNSURE.DMY).find(isFitting), all(UNSURE.MDY).find(isFitting)];
  if (dayFirst === undefined || monthFirst === undefined) {
    const format = dayFirst ?? monthFirst;
    return format === undefined ? [] : [format];
  }
  return [questions.dateOrder(samples) === 'DMY' ? dayFirst : monthFirst];
}

const isWithin = (from: number, to: number) => (text: string) => Number(text) >= from && Number(text) <= to;

const OFFSET = /[+-]\d\d(?::?\d\d)?$/;

/** The zone that all texts of times in ISO 8601 name. An offset follows the date, which has ten characters. */
export function ownZoneOf(samples: readonly string[]): 'utc' | 'offset' | undefined {
  if (samples.length === 0) return undefined;
  if (samples.every((text) => /Z$/i.test(text))) return 'utc';
  return samples.every((text) => /Z$/i.test(text) || OFFSET.test(text.slice(10))) ? 'offset' : undefined;
}
