import { MIN_YEARS_OF_USUAL } from '#domain/weather/climate/usual.js';
import { useNumbers } from '../../site-context.js';
import {
  type Around,
  compareAround,
  compareDate,
  comparePeriod,
  hasUsual,
  medianOfOthers,
  rankOf,
  startOf,
  verdictOf,
} from './compare.js';
import { type DayRecord, isComplete, lastCompleteDay, lastRainDay, yearOf } from './day-record.js';
import type { Reference } from './reference.js';
import type { UsualText } from '../../text/en/usual.js';
import { useWords } from './use-words.js';
import { useUsualText } from './text.js';

/** A difference below this value in °C is not worth a word. */
const SAME = 0.5;
/** A difference of means of months below this value in °C is not worth a word. */
const SAME_MONTH = 0.05;

/** The verdict in one large sentence, the facts behind it, and the definition of the usual range. */
export function UsualVerdict({
  record,
  reference,
}: {
  readonly record: DayRecord;
  readonly reference: Reference | undefined;
}) {
  const usual = useUsualText();
  const facts = useFacts();
  if (reference === undefined) {
    const { alone, rainOnly } = usual.verdicts;
    return lastRainDay(record) === undefined ? (
      <p class="verdict-facts">{alone}</p>
    ) : (
      <p class="verdict">{rainOnly}</p>
    );
  }
  const { day, mean, firstDay } = reference;
  const around = compareAround(record, day, mean, firstDay);
  const { large, medium, small, isAlone } = facts(record, reference, around);
  return (
    <>
      <p class={isAlone ? 'verdict-facts' : 'verdict'}>{large}</p>
      {medium !== '' && <p class="verdict-facts">{medium}</p>}
      <p class="quiet">{small}</p>
    </>
  );
}

interface Facts {
  readonly large: string;
  readonly medium: string;
  readonly small: string;
  /** Whether there is no other year, so that the verdict is not a result. */
  readonly isAlone?: true;
}

function useFacts() {
  const texts = useUsualText();
  const number = useNumbers();
  const words = useWords();
  const needed = number(MIN_YEARS_OF_USUAL, 0);

  const shareText = ({ share, direction }: Around, date: string) => {
    if (share === 0) return texts.noDay[direction](date);
    if (share > 0.25) return texts.outOf[direction](number(share * 10, 0), date);
    return texts.oneIn[direction](number(1 / share, 0), date);
  };
  const monthText = (record: DayRecord, { end }: Reference) => {
    const to = lastCompleteDay(record);
    if (to === undefined) return '';
    const month = comparePeriod(record, { from: startOf(to, 'month'), to }, 'mean');
    const median = medianOfOthers(month);
    const isCompared = month.values.some(({ year }) => year === month.year);
    if (median === undefined || !isCompared || month.values.length < MIN_YEARS_OF_USUAL) return '';
    const difference = month.value - median;
    const name = periodName(words, texts, to, 'month', end !== undefined);
    if (Math.abs(difference) < SAME_MONTH) return texts.month.same(name);
    return texts.month[difference < 0 ? 'below' : 'above'](name, words.difference(difference));
  };

  return (record: DayRecord, reference: Reference, around: Around | undefined): Facts => {
    const { day, mean } = reference;
    const date = words.date(day, 'dateOfYear');
    const own = yearOf(day);
    const others = around?.years.filter((year) => year !== own) ?? [];
    if (around !== undefined && hasUsual(around)) {
      const rank = rankOf(compareDate(record, day, mean));
      const isFirst =
        rank?.place === 1 && !rank.isShared && (rank.end === 'lowest') === (around.direction === 'colder');
      const verdict = verdictOf(around.share, isFirst);
      const since = String(around.years[0]);
      const large = {
        usual: texts.verdicts.usual,
        uncommon: texts.verdicts[around.direction].uncommon,
        rare: texts.verdicts[around.direction].rare,
        never: texts.verdicts[around.direction].never(since),
      }[verdict];
      return {
        large,
        medium: [shareText(around, date), monthText(record, reference)].filter((one) => one !== '').join(' '),
        small: texts.usualMeans(words.date(firstDayOf(record), 'monthOfYear')),
      };
    }
    const compared = compareAround(record, day, mean, startOf(day, 'year'));
    if (compared === undefined || others.length === 0)
      return {
        large: texts.verdicts.alone,
        medium: '',
        isAlone: true,
        small: texts.aloneMeans(words.date(firstDayOf(record), 'fullDate'), needed),
      };
    const difference = mean - compared.mean;
    const { years } = compared;
    const span = years.length === 1 ? String(years[0]) : `${years[0]}–${years.at(-1)}`;
    const large =
      Math.abs(difference) < SAME
        ? texts.verdicts.few.same(span)
        : texts.verdicts.few[difference < 0 ? 'colder' : 'warmer'](words.difference(difference), span);
    const count = new Set([...years, own]).size;
    return {
      large,
      medium: '',
      small: texts.fewMeans(texts.years(number(count, 0), count === 1), needed, date),
    };
  };
}

/** The name of the month or year up to a day. @param isLive whether the station is still measuring in this month or year */
export function periodName(
  { date }: Pick<ReturnType<typeof useWords>, 'date'>,
  { soFar, until }: Pick<UsualText, 'soFar' | 'until'>,
  day: number,
  unit: 'month' | 'year',
  isLive: boolean,
): string {
  const name = unit === 'month' ? date(day, 'monthName') : String(yearOf(day));
  if (startOf(day + 1, unit) !== startOf(day, unit)) return name;
  return isLive ? soFar(name) : until(name, date(day, 'dateOfYear'));
}

/** The first day with a complete mean temperature. */
export function firstDayOf(record: DayRecord): number {
  for (let day = record.first; day <= record.last; day += 1) if (isComplete(record, day, 'mean')) return day;
  return record.first;
}
