import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { formatNumber } from '../format/numbers.js';
import { writeTime } from '../format/time-format.js';
import { displayUnit } from '../format/units.js';
import type { Now } from '../now/read-now.js';
import type { TitleContext } from '../page.js';
import { presentOf, writerOf } from '../ribbon/hero.js';
import { sentenceOf } from '../ribbon/sentence.js';

const TEMPERATURE = 'air_temperature';
const MOMENT = {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
/** A value of at least this age is shown with its year. */
const OLD = 180 * MILLISECONDS.day;

/** Whether a fact compares the weather with the usual weather of the date. */
const isComparison = (code: string) => code === 'unusual' || code === 'usual';

/** The words about a station that leave the site, in descriptions and pictures of links. */
export interface Summary {
  /** The temperature; undefined if there is none that passed quality control. */
  readonly value: string | undefined;
  readonly unit: string;
  /** Date and time of the temperature at the station. */
  readonly moment: string | undefined;
  /** The trend, and the comparison with the usual temperature of the date. */
  readonly main: string;
  /** Other facts, each a sentence. */
  readonly facts: readonly string[];
}

/**
 * Describes the newest values of a station, as they were at the time of the last value. Doubtful values are left out, because a link
 * is read without the marks of the page.
 *
 * @param time the current time in ms since 1970
 */
export function summaryOf(station: Station, now: Now, site: TitleContext, time: number): Summary {
  const { text, preferences } = site;
  const { language, units } = preferences;
  const { unit, decimals, convert } = displayUnit(TEMPERATURE, now.units[TEMPERATURE] ?? '°C', units);
  if (now.last_seen === null) return { value: undefined, unit, moment: undefined, main: '', facts: [] };
  const last = Date.parse(now.last_seen);
  const present = presentOf(station, now, last);
  const temperature = present.facts.find((fact) => fact.code === 'temperature');
  const isGood = temperature?.verdict === 'pass';
  const good = isGood ? temperature : present.lastGood;
  const writer = writerOf({ ...site, now: last }, station);
  const factsOf = (isWanted: (code: string) => boolean) =>
    sentenceOf({ ...present, facts: present.facts.filter(({ code }) => isWanted(code)) }, writer).facts;
  const trend = isGood && temperature.trend !== null ? [text.share.trend[temperature.trend]] : [];
  const other = present.other === undefined ? [] : [`${sentenceOf(present, writer).large}.`];
  const recorded = station.recorded === undefined ? [] : [text.share.recorded(station.recorded)];
  return {
    value: good && formatNumber(convert(good.value), decimals, language),
    unit,
    moment:
      good &&
      writeTime(Date.parse(good.time), language, station.time_zone, {
        ...MOMENT,
        ...(time - last > OLD && { year: 'numeric' }),
      }),
    main: [...other, ...trend, ...factsOf(isComparison)].join(' '),
    facts: [...recorded, ...factsOf((code) => !isComparison(code) && code !== 'temperature')],
  };
}

/** The description of a page of a station, for search engines and link previews. */
export function descriptionOfStation(
  station: Station,
  summary: Summary,
  { text }: Pick<TitleContext, 'text'>,
): string {
  const { value, unit, moment, main, facts } = summary;
  if (value === undefined || moment === undefined) return text.share.description(station.name);
  return [text.share.measured(`${value} ${unit}`, moment), main, ...facts]
    .filter((part) => part !== '')
    .join(' ');
}
