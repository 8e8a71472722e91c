import { dateText } from '#domain/weather/climate/climate-days.js';
import { convertDifference, displayUnit } from '../../format/units.js';
import { useTimeFormat } from '../../now/times.js';
import { useNumbers, useSite } from '../../site-context.js';
import type { DayWords } from './day-figure.js';
import { type DayRecord, isComplete, valueOf } from './day-record.js';
import type { UsualMeans } from './year-line.js';
import { useUsualText } from './text.js';

/** Returns functions that write temperatures, amounts of rain and dates for the visitor. All values are in metric units. */
export function useWords() {
  const { preferences } = useSite();
  const number = useNumbers();
  const date = useTimeFormat('UTC');
  const degree = displayUnit('air_temperature', '°C', preferences.units);
  const rain = displayUnit('precipitation_amount', 'mm', preferences.units);
  return {
    degree,
    rainUnit: rain,
    date: (day: number, style: Parameters<typeof date>[1]) => date(dateText(day), style),
    plain: (celsius: number) => number(degree.convert(celsius), degree.decimals),
    temperature: (celsius: number) => `${number(degree.convert(celsius), degree.decimals)} ${degree.unit}`,
    difference: (celsius: number) =>
      `${number(Math.abs(convertDifference(degree, celsius)), degree.decimals)} ${degree.unit}`,
    /** An amount of a long time, with fewer decimals than the amount of a day. */
    sum: (millimeters: number) => `${number(rain.convert(millimeters), rain.decimals - 1)} ${rain.unit}`,
    plainSum: (millimeters: number) => number(rain.convert(millimeters), rain.decimals - 1),
    amount: (millimeters: number) => `${number(rain.convert(millimeters), rain.decimals)} ${rain.unit}`,
    whole: (value: number) => number(value, 0),
  };
}

/** Returns a function that describes a day of the record. */
export function useDayWords(record: DayRecord, usual: UsualMeans): (day: number) => DayWords {
  const { day: texts } = useUsualText();
  const { date, plain, temperature, amount } = useWords();
  return (day) => {
    const lines: string[] = [];
    const mean = valueOf(record, day, 'mean');
    if (!Number.isNaN(mean)) {
      const [low, high] = [valueOf(record, day, 'min'), valueOf(record, day, 'max')];
      lines.push(texts.range(plain(low), temperature(high), plain(mean)));
    }
    const range = usual.get(dateText(day).slice(-5));
    if (range !== undefined && !Number.isNaN(range.p10))
      lines.push(texts.usual(plain(range.p10), temperature(range.p90)));
    const rain = valueOf(record, day, 'rain');
    if (!Number.isNaN(rain)) lines.push(texts.rain(amount(rain)));
    if (Number.isNaN(mean) && Number.isNaN(rain)) lines.unshift(texts.missing);
    const isWhole = (['mean', 'rain'] as const).every(
      (name) => Number.isNaN(valueOf(record, day, name)) || isComplete(record, day, name),
    );
    if (!isWhole) lines.push(texts.incomplete);
    return { title: date(day, 'weekdayDate'), lines };
  };
}
