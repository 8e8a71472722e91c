import { MIN_YEARS_OF_USUAL } from '#domain/weather/climate/usual.js';
import type { Station } from '../../api.js';
import { useTimeFormat } from '../../now/times.js';
import { useSite } from '../../site-context.js';
import {
  type Comparison,
  compareDate,
  comparePeriod,
  findRuns,
  halfYearOf,
  HOT,
  medianOfOthers,
  rankOf,
  type Run,
  type RunKind,
  startOf,
} from './compare.js';
import { type DayRecord, lastCompleteDay, lastRainDay, yearsOf } from './day-record.js';
import type { Reference } from './reference.js';
import { useWords } from './use-words.js';
import { firstDayOf, periodName } from './verdict.js';
import { useUsualText } from './text.js';

/** A shorter run of days is not worth a sentence. */
const MIN_RUN = 2;

interface Chip {
  readonly id: 'date' | 'month' | 'year' | 'rain' | 'frost';
  readonly label: string;
  readonly headline: string;
  readonly detail: string;
  readonly comparison: Comparison;
  /** Writes a value of the strip. */
  readonly write: (value: number) => string;
}

/** How this year compares with the same dates of the other years: the date, the month, the year, the rain, frost or heat. */
export function Chips({
  station,
  record,
  reference,
}: {
  readonly station: Station;
  readonly record: DayRecord;
  readonly reference: Reference | undefined;
}) {
  const chips = useChips(station, record, reference);
  return (
    <>
      <ul class="chips">
        {chips.map(({ id, label, headline, detail, comparison, write }) => (
          <li key={id} class="card">
            <h3>{label}</h3>
            <p class="chip-value">{headline}</p>
            <p class="quiet">{detail}</p>
            <YearStrip id={id} comparison={comparison} write={write} />
          </li>
        ))}
      </ul>
      <Runs record={record} />
      <ChipTable chips={chips} />
    </>
  );
}

function useChips(station: Station, record: DayRecord, reference: Reference | undefined): Chip[] {
  const texts = useUsualText();
  const { value: values } = useSite().text;
  const words = useWords();
  const time = useTimeFormat(station.time_zone);
  const rankText = (comparison: Comparison, kind: 'mean' | 'rain') => {
    const rank = rankOf(comparison);
    if (rank === undefined) return undefined;
    const text = texts.ranks[kind][rank.end](rank.place, words.whole(rank.of));
    return rank.isShared ? texts.shared(text) : text;
  };
  const othersText = (comparison: Comparison, write: (value: number) => string) => {
    const { values: all, year } = comparison;
    const before = all.findLast((one) => one.year !== year);
    return before === undefined ? undefined : `${before.year}: ${write(before.value)}`;
  };
  const hasMedian = ({ values: all }: Comparison) => all.length >= MIN_YEARS_OF_USUAL;
  const begin = firstDayOf(record);
  /** What is not known of a period: its days before the record, or days without values. */
  const missingText = ({ missing }: Comparison, from: number) => {
    if (from < begin) return texts.since(words.date(begin, 'dateOfYear'));
    return missing === 0 ? undefined : texts.missing(missing);
  };
  const noOther = yearsOf(record).length > 1 ? texts.noOther : undefined;
  const joined = (parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined && part !== '').join(', ');

  const temperatureChip = (
    id: Chip['id'],
    label: string,
    comparison: Comparison,
    from: number,
    detail?: string,
  ): Chip => {
    const median = medianOfOthers(comparison);
    const rank = rankText(comparison, 'mean');
    const value = words.temperature(comparison.value);
    const shown = rank === undefined ? undefined : value;
    const compared =
      median !== undefined && hasMedian(comparison)
        ? texts.withUsual(value, words.plain(median))
        : joined([shown, othersText(comparison, words.plain) ?? noOther]);
    return {
      id,
      label,
      headline: rank ?? value,
      detail:
        detail === undefined
          ? joined([compared, missingText(comparison, from)])
          : [shown, detail].filter(Boolean).join(' '),
      comparison,
      write: words.plain,
    };
  };

  const chips: Chip[] = [];
  const to = reference === undefined ? undefined : lastCompleteDay(record);
  if (reference !== undefined) {
    const { day, mean, end } = reference;
    const detail = end === undefined ? undefined : texts.lastHours(time(end, 'time'));
    const label = texts.dateMean(words.date(day, 'dateOfYear'));
    chips.push(temperatureChip('date', label, compareDate(record, day, mean), day, detail));
  }
  if (to !== undefined)
    for (const unit of ['month', 'year'] as const) {
      const from = startOf(to, unit);
      const name = periodName(words, texts, to, unit, reference?.end !== undefined);
      chips.push(temperatureChip(unit, name, comparePeriod(record, { from, to }, 'mean'), from));
    }
  const rainTo = lastRainDay(record);
  if (rainTo !== undefined) {
    const from = Math.max(startOf(rainTo, 'year'), record.first);
    const comparison = comparePeriod(record, { from, to: rainTo }, 'rain');
    const median = medianOfOthers(comparison);
    const rank = rankText(comparison, 'rain');
    const value = words.sum(comparison.value);
    const isPercent = rank !== undefined && hasMedian(comparison) && median !== undefined && median > 0;
    chips.push({
      id: 'rain',
      label: texts.rainSince(words.date(from, 'dateOfYear')),
      headline: isPercent ? texts.ofMedian(words.whole((100 * comparison.value) / median)) : value,
      detail: joined([
        isPercent ? value : undefined,
        rank ?? othersText(comparison, words.sum) ?? noOther,
        missingText(comparison, from),
      ]),
      comparison,
      write: words.plainSum,
    });
  }
  const days = to === undefined ? undefined : daysChip(record, to, station.latitude);
  if (days !== undefined) {
    const { kind, from, comparison } = days;
    const median = medianOfOthers(comparison);
    const since = words.date(from, 'dateOfYear');
    const { degree } = words;
    const limit = `${words.whole(degree.convert(HOT))} ${degree.unit}`;
    const { value } = comparison;
    const before = comparison.values.findLast(({ year }) => year !== comparison.year);
    const others =
      median !== undefined && hasMedian(comparison)
        ? texts.usualCount(words.whole(median))
        : before && texts.yearCount(String(before.year), words.whole(before.value));
    chips.push({
      id: 'frost',
      label: kind === 'frost' ? texts.frostSince(since) : texts.hotSince(limit, since),
      headline: Number.isNaN(value)
        ? values.none
        : value === 0
          ? texts.countNone
          : texts.count(words.whole(value)),
      detail: joined([others ?? noOther, missingText(comparison, from)]),
      comparison,
      write: words.whole,
    });
  }
  return chips;
}

/** The days of frost, or the hot days, of the half-year of a day; undefined if the record has none in any half-year like this. */
function daysChip(record: DayRecord, to: number, latitude: number) {
  const { kind, from: start } = halfYearOf(to, latitude);
  const from = Math.max(start, record.first);
  const isAny =
    kind === 'frost' ? record.min.some((value) => value < 0) : record.max.some((value) => value >= HOT);
  return isAny ? { kind, from, comparison: comparePeriod(record, { from, to }, kind) } : undefined;
}

/** Every year as a dot on a line, this year filled. The two ends are named. */
function YearStrip({ id, comparison: { year, values }, write }: Pick<Chip, 'id' | 'comparison' | 'write'>) {
  if (values.length < 2) return null;
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return null;
  const place = (value: number) =>
    first.value === last.value ? 50 : (100 * (value - first.value)) / (last.value - first.value);
  // This year is drawn last, so that no other year covers it.
  const drawn = [...sorted.filter((one) => one.year !== year), ...sorted.filter((one) => one.year === year)];
  return (
    <div class="year-strip" aria-hidden="true">
      <svg height="16">
        <line x1="0" x2="100%" y1="8" y2="8" />
        {drawn.map((one) => (
          <circle
            key={one.year}
            cx={`${place(one.value).toFixed(1)}%`}
            cy="8"
            r={one.year === year ? 5 : 4}
            class={one.year === year ? `own ${id}` : undefined}
          >
            <title>{`${one.year}: ${write(one.value)}`}</title>
          </circle>
        ))}
      </svg>
      <p>
        <span>{`${first.year} ${write(first.value)}`}</span>
        <span>{`${last.year} ${write(last.value)}`}</span>
      </p>
    </div>
  );
}

/** The days without rain and with frost up to now, and the longest such times. */
function Runs({ record }: { readonly record: DayRecord }) {
  const usual = useUsualText();
  const { date } = useWords();
  const { runs } = usual;
  const current = {
    dry: (run: Run) => (run.isAtLeast ? runs.dryAtLeast : runs.dry)(run.days),
    frost: (run: Run) => (run.isAtLeast ? runs.frostAtLeast : runs.frost)(run.days),
  };
  const longest = { dry: runs.longestDry, frost: runs.longestFrost };
  const sentences = (['dry', 'frost'] satisfies RunKind[]).flatMap((kind) => {
    const found = findRuns(record, kind);
    if (found.longest === undefined) return [];
    const isLongest = found.current?.days === found.longest.days;
    return [
      ...(found.current === undefined || found.current.days < MIN_RUN
        ? []
        : [`${current[kind](found.current)}${isLongest ? `, ${runs.isLongest}` : ''}.`]),
      ...(isLongest ? [] : [longest[kind](found.longest.days, date(found.longest.last, 'date'))]),
    ];
  });
  return sentences.length === 0 ? null : <p class="runs">{sentences.join(' ')}</p>;
}

function ChipTable({ chips }: { readonly chips: readonly Chip[] }) {
  const { text } = useSite();
  const { table } = useUsualText();
  const years = [
    ...new Set(chips.flatMap(({ comparison }) => comparison.values.map(({ year }) => year))),
  ].toSorted((a, b) => b - a);
  if (years.length < 2) return null;
  return (
    <details>
      <summary>{text.station.section.table}</summary>
      <div class="table-scroll" role="region" aria-label={table.caption} tabIndex={0}>
        <table class="numbers">
          <caption>{table.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{table.year}</th>
              {chips.map(({ id, label }) => (
                <th key={id} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {years.map((year) => (
              <tr key={year}>
                <th scope="row">{year}</th>
                {chips.map(({ id, comparison, write }) => {
                  const found = comparison.values.find((one) => one.year === year);
                  return <td key={id}>{found === undefined ? text.value.none : write(found.value)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
