import { MILLISECONDS } from '#domain/time.js';
import { converter, decimalsIn } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import type { AlarmWords } from './alarm-words.js';

/** Units whose sign for people differs from the name in the API. */
const SIGNS: Readonly<Record<string, string>> = { '1': '', degree: '°', kt: 'kn' };
/** Signs that follow a number without a space in all languages. */
const WITHOUT_SPACE = new Set(['°']);

/**
 * A value with its unit, as people of the language write it: `−0,3 °C`.
 *
 * @param value in the stored unit of the variable
 * @param unit a unit of the variable
 * @param isGiven whether a person has given the value. It then has the decimals that this person has given, up to three.
 */
export function quantityText(
  words: AlarmWords,
  variable: Variable,
  value: number,
  unit: string = variable.unit,
  isGiven = false,
): string {
  const decimals = decimalsIn(variable, unit, 'usual') ?? 1;
  const number = new Intl.NumberFormat(words.locale, {
    minimumFractionDigits: isGiven ? 0 : decimals,
    maximumFractionDigits: isGiven ? 3 : decimals,
    useGrouping: 'min2',
  }).format(converter(variable, unit, 'unit')(value) + 0);
  const sign = SIGNS[unit] ?? unit;
  const text = number.replace('-', '−');
  if (sign === '%') return `${text}${words.percent}`;
  return sign === '' || WITHOUT_SPACE.has(sign) ? `${text}${sign}` : `${text} ${sign}`;
}

/** A date with the time of day at a station: `Mon 23 Nov, 05:20`. @param timeZone undefined means UTC, which is then named */
export function timeText(words: AlarmWords, time: number, timeZone: string | undefined): string {
  const text = new Intl.DateTimeFormat(words.locale, {
    timeZone: timeZone ?? 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(time);
  return timeZone === undefined ? `${text} ${words.utc}` : text;
}

/** A duration in days or hours if it fits without a rest, otherwise in minutes with one decimal: `2,5 min`. */
export function durationText(words: AlarmWords, milliseconds: number): string {
  if (milliseconds > 0 && milliseconds % MILLISECONDS.day === 0)
    return words.days(milliseconds / MILLISECONDS.day);
  if (milliseconds > 0 && milliseconds % MILLISECONDS.hour === 0)
    return words.hours(milliseconds / MILLISECONDS.hour);
  const minutes = new Intl.NumberFormat(words.locale, { maximumFractionDigits: 1, useGrouping: 'min2' });
  return words.minutes(minutes.format(milliseconds / MILLISECONDS.minute));
}
