import type { Station } from '../api.js';
import { displayUnit } from '../format/units.js';
import { writeTime } from '../format/time-format.js';
import { shownTrendOf, TEMPERATURE_STEADY, trendDirectionOf } from '../now/model/trend.js';
import type { Now } from '../now/read-now.js';
import type { Preferences } from '../preferences.js';
import { formatNumber } from '../format/numbers.js';
import type { Text } from '../text/en.js';

const TEMPERATURE = 'air_temperature';
const MOMENT: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};

/** The words about a station that leave the site: in the title, in the description and in the picture of a link. */
export interface Summary {
  /** The temperature; undefined if there is none that passed quality control. */
  readonly value: string | undefined;
  readonly unit: string;
  /** Date and time of the temperature at the station. */
  readonly moment: string | undefined;
  readonly sentence: string;
}

/** Describes the newest values of a station. Doubtful values are left out: a link may be read without the marks of the page. */
export function summaryOf(
  { time_zone: zone }: Pick<Station, 'time_zone'>,
  now: Now,
  text: Text,
  { language, units }: Preferences,
): Summary {
  const good = lastGood(now);
  const { unit, decimals, convert } = displayUnit(TEMPERATURE, now.units[TEMPERATURE] ?? '°C', units);
  const trend = shownTrendOf(now.trend?.[TEMPERATURE], now.latest[TEMPERATURE]);
  const facts =
    trend === undefined ? [] : [text.share.trend[trendDirectionOf(trend.change, TEMPERATURE_STEADY)]];
  const rain = now.today?.rain ?? null;
  if (rain !== null && 'precipitation_amount' in now.latest) {
    const amount = displayUnit('precipitation_amount', 'mm', units);
    facts.push(
      text.share.rain(`${formatNumber(amount.convert(rain), amount.decimals, language)} ${amount.unit}`),
    );
  }
  return {
    value: good && formatNumber(convert(good.value), decimals, language),
    unit,
    moment: good && writeTime(good.time, language, zone, MOMENT),
    sentence: facts.join(' '),
  };
}

/** The newest temperature that passed quality control. @returns its time in ms since 1970 */
function lastGood({ latest, lines }: Now): { readonly value: number; readonly time: number } | undefined {
  const newest = latest[TEMPERATURE];
  if (newest?.verdict === 'pass') return { value: newest.value, time: Date.parse(newest.time) };
  const { times = [], values = [] } = lines[TEMPERATURE] ?? {};
  const [time, value] = [times.at(-1), values.at(-1)];
  return time === undefined || value === undefined ? undefined : { value, time: time * 1000 };
}

/** The title of a page of a station: `3.5 °C · Garden`. */
export function titleOfStation(
  { name }: Pick<Station, 'name'>,
  { value, unit }: Summary,
  text: Text,
): string {
  return value === undefined ? `${name} · ${text.site.name}` : `${value} ${unit} · ${name}`;
}

/** The description of a page of a station, for search engines and link previews. */
export function descriptionOfStation({ name }: Pick<Station, 'name'>, summary: Summary, text: Text): string {
  const { value, unit, moment, sentence } = summary;
  if (value === undefined || moment === undefined) return text.share.description(name);
  return [text.share.measured(`${value} ${unit}`, moment), sentence].filter((part) => part !== '').join(' ');
}
