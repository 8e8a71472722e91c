import { isDifference, isInUnit } from '#domain/weather/quality/notices/notice.js';
import type { Reply } from '../../api.js';
import { convertDifference, type DisplayUnit } from '../../format/units.js';
import type { NoticesText } from '../../text/en/notices.js';

export type Notice = Reply<'/v1/stations/{id}/notices', 'get'>['notices'][number];
type Finding = Pick<Notice, 'kind' | 'facts'>;
type SentenceName = keyof NoticesText['sentences'];

/** Facts that a sentence says with one name. The value of a daily sum is an amount. */
const ALSO: Readonly<Record<string, string>> = {
  change: 'difference',
  amount: 'value',
  deviation_of_neighbors: 'usual_deviation',
};
/** Facts whose sign is said by a word, such as "higher" or "fast". */
const WITHOUT_SIGN = /^(?:clock_minutes|change|difference)$/;

/**
 * What was found, as a part of a sentence.
 *
 * @param unit the unit in which the visitor sees the variable of the notice
 * @param number writes a number in the language of the visitor
 */
export function findingText(
  notice: Finding,
  unit: DisplayUnit,
  number: (value: number, decimals: number) => string,
  { sentences }: Pick<NoticesText, 'sentences'>,
): string {
  const texts = Object.entries(notice.facts).flatMap(([fact, value]) => {
    const text = factText(fact, WITHOUT_SIGN.test(fact) ? Math.abs(value) : value, unit, number);
    return [fact, ALSO[fact] ?? fact].map((name) => [name, text]);
  });
  return sentences[sentenceOf(notice)](Object.fromEntries(texts), isMoreIn(notice));
}

/** The sentence of a notice. A kind with two methods has two sentences. */
function sentenceOf({ kind, facts }: Finding): SentenceName {
  if (kind === 'stuck_calm' && !('mean_of_neighbors' in facts)) return 'calm_alone';
  if ('nearest_other' in facts) return 'day_gap';
  if ('percentile_95' in facts) return 'rain_day';
  if ('lowest_minimum_celsius' in facts) return 'snow_day';
  return kind;
}

/** Whether the level is higher than before, or the clock is fast. */
function isMoreIn({ facts: { clock_minutes: minutes, change, difference } }: Finding): boolean {
  return (minutes ?? change ?? difference ?? 0) > 0;
}

function factText(
  fact: string,
  value: number,
  unit: DisplayUnit,
  number: (value: number, decimals: number) => string,
): string {
  if (fact.endsWith('ratio')) return `${number(100 * value, 0)} %`;
  if (!isInUnit(fact)) return number(value, 0);
  if (!isDifference(fact)) return `${number(unit.convert(value), unit.decimals)} ${unit.unit}`;
  // A standard deviation is often smaller than the last shown digit of a value.
  const decimals = fact.includes('deviation') ? unit.decimals + 1 : unit.decimals;
  return `${number(convertDifference(unit, value), decimals)} ${unit.unit}`;
}
