import type { Rows } from './rows.js';
import type { ClimateDays, DayQuantity } from './climate-days.js';
import { HOT_DAY, WET_DAY } from './elements.js';
import { type NumberSource, type Provenance, sourceIn } from './provenance.js';
import { MAX_TIES } from './records.js';

/** A kind of days whose longest run is a record, for example dry days. */
export interface StreakElement {
  readonly name: string;
  /** The description in the documentation. */
  readonly description: string;
  readonly quantity: DayQuantity;
  readonly meets: (value: number) => boolean;
}

export const STREAKS: readonly StreakElement[] = [
  {
    name: 'dry_days',
    description: 'days below 1 mm',
    quantity: 'precipitation',
    meets: (amount) => amount < WET_DAY,
  },
  {
    name: 'wet_days',
    description: 'days of at least 1 mm',
    quantity: 'precipitation',
    meets: (amount) => amount >= WET_DAY,
  },
  {
    name: 'frost_days',
    description: 'days with a minimum below 0 °C',
    quantity: 'minimum',
    meets: (value) => value < 0,
  },
  {
    name: 'hot_days',
    description: 'days with a maximum of at least 30 °C',
    quantity: 'maximum',
    meets: (value) => value >= HOT_DAY,
  },
];

/** The longest run of days of a kind. Dates are days from 1970-01-01. `source` is the source of its days, `dailyDays` counts searched days. */
export interface Streak extends NumberSource {
  /** Number of days; 0 if no day is of the kind. */
  readonly days: number;
  /** The first and the last day of the run; of several longest runs, of the first run. NaN without a run. */
  readonly from: number;
  readonly to: number;
  /** Whether the day before or after the run is unknown, so that the true run may be longer. */
  readonly mayBeLonger: boolean;
  /** The first days of the later runs of the same length, at most `MAX_TIES`. */
  readonly ties: readonly number[];
  /** Number of all later runs of the same length. */
  readonly tieCount: number;
  /** Number of days that were searched. */
  readonly searched: number;
}

/** Finds the longest run of days of each kind. Only complete days count, and a day without a complete value ends a run. */
export function streaksOf(days: ClimateDays, elements: readonly StreakElement[]): readonly Streak[] {
  return elements.map(({ quantity, meets }) =>
    longestRun(days.dates, days.known(quantity), days.provenance(quantity), meets),
  );
}

function longestRun(
  dates: Int32Array,
  values: Float64Array,
  { origins }: Provenance,
  meets: (value: number) => boolean,
): Streak {
  let [longest, begin, searched, tieCount] = [0, -1, 0, 0];
  let ties: number[] = [];
  let length = 0;
  for (let row = 0; row <= values.length; row += 1) {
    const value = values[row] ?? Number.NaN;
    if (!Number.isNaN(value)) searched += 1;
    if (meets(value)) {
      length += 1;
      continue;
    }
    if (length > longest) [longest, begin, tieCount, ties] = [length, row - length, 0, []];
    else if (length > 0 && length === longest) {
      tieCount += 1;
      if (ties.length < MAX_TIES) ties.push(dates[row - length] as number);
    }
    length = 0;
  }
  const isUnknown = (row: number) => Number.isNaN(values[row] ?? Number.NaN);
  return {
    days: longest,
    from: dates[begin] ?? Number.NaN,
    to: longest === 0 ? Number.NaN : (dates[begin + longest - 1] as number),
    mayBeLonger: longest > 0 && (isUnknown(begin - 1) || isUnknown(begin + longest)),
    ties,
    tieCount,
    searched,
    ...sourceOfRun(origins, values, { from: begin, to: begin + longest }),
  };
}

function sourceOfRun(origins: Uint8Array | undefined, values: Float64Array, run: Rows): NumberSource {
  const { source } = sourceIn(origins, values, run);
  const { dailyDays } = sourceIn(origins, values, { from: 0, to: values.length });
  return source === undefined || dailyDays === undefined ? {} : { source, dailyDays };
}
