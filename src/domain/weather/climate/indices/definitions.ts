import type { Rows } from '../rows.js';
import type { ClimateDays, ClimateQuantity } from '../climate-days.js';
import { type MeasuredElement, WET_DAY } from '../elements.js';
import type { Validity } from '../validity.js';
import { lengthsAtEnds, longestSpell } from './spells.js';

/** Periods for which an index is computed. Counts of days and spells are computed for years only. */
export const FREQUENCIES = ['year', 'season', 'month'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** An index of the ETCCDI. */
export interface ClimateIndex extends MeasuredElement {
  readonly title: string;
  /** The quantity whose missing days decide whether the index is valid. */
  readonly quantity: ClimateQuantity;
  readonly frequencies: readonly Frequency[];
  readonly isSpell?: true;
  /** The rule of validity, if it is not the rule of the frequency or of spells. */
  readonly rule?: Validity;
  /**
   * Called once for a table of days. Returns a function that computes the index of one period from the rows of the period. The
   * result of this function is NaN if the index is not defined for these rows.
   *
   * Only the index for the growing season has no `begin`, because its years may begin in July. It is computed by
   * `growingSeasonLength` instead.
   */
  readonly begin?: (days: ClimateDays, threshold: number) => (rows: Rows) => number;
}

const YEARS: readonly Frequency[] = ['year'];
const TEMPERATURE = 'air_temperature';
const PRECIPITATION = 'precipitation_amount';
const isWet = (amount: number) => amount >= WET_DAY;
const isDry = (amount: number) => amount < WET_DAY;

/** The indices without a base period as the ETCCDI defines them, in the order of its list. Missing values, spells and windows are as in climdex.pcic 1.2-0. */
export const INDICES: readonly ClimateIndex[] = [
  countOf('FD', 'frost days: minimum below 0 °C', 'minimum', (value) => value < 0),
  countOf('SU', 'summer days: maximum above 25 °C', 'maximum', (value) => value > 25),
  countOf('ID', 'icing days: maximum below 0 °C', 'maximum', (value) => value < 0),
  countOf('TR', 'tropical nights: minimum above 20 °C', 'minimum', (value) => value > 20),
  {
    name: 'GSL',
    title:
      'growing season: from the first 6 days in a row above 5 °C in the first half of the year to the day before the first 6 below ' +
      '5 °C in the second half; (maximum + minimum) / 2; from July to June in the southern hemisphere',
    quantity: 'midrange',
    frequencies: YEARS,
  },
  extremeOf('TXx', 'highest maximum', 'maximum', Math.max),
  extremeOf('TNx', 'highest minimum', 'minimum', Math.max),
  extremeOf('TXn', 'lowest maximum', 'maximum', Math.min),
  extremeOf('TNn', 'lowest minimum', 'minimum', Math.min),
  {
    name: 'DTR',
    title: 'mean of maximum - minimum',
    quantity: 'midrange',
    frequencies: FREQUENCIES,
    variable: TEMPERATURE,
    isDifference: true,
    begin: (days) => {
      const [maxima, minima] = [days.known('maximum'), days.known('minimum')];
      const ranges = maxima.map((maximum, row) => maximum - (minima[row] as number));
      return (rows) => {
        const known = knownIn(ranges, rows);
        return total(known) / known.length;
      };
    },
  },
  {
    ...extremeOf('Rx1day', 'largest amount of a day', 'precipitation', Math.max),
    variable: PRECIPITATION,
  },
  {
    name: 'Rx5day',
    title: 'largest amount of five days; the third of them is in the period, and a missing day counts as dry',
    quantity: 'precipitation',
    frequencies: FREQUENCIES,
    variable: PRECIPITATION,
    begin: (days) => {
      const sums = sumsOfFive(days.known('precipitation'));
      return ({ from, to }) => sums.subarray(from, to).reduce((most, sum) => Math.max(most, sum), 0);
    },
  },
  {
    name: 'SDII',
    title: 'mean amount of the wet days (at least 1 mm); 0 without any',
    quantity: 'precipitation',
    frequencies: YEARS,
    variable: PRECIPITATION,
    suffix: '/d',
    begin: (days) => {
      const amounts = days.known('precipitation');
      return (rows) => {
        const wet = knownIn(amounts, rows).filter(isWet);
        return wet.length === 0 ? 0 : total(wet) / wet.length;
      };
    },
  },
  countOf('R10mm', 'days of at least 10 mm', 'precipitation', (value) => value >= 10),
  countOf('R20mm', 'days of at least 20 mm', 'precipitation', (value) => value >= 20),
  countOf(
    'Rnnmm',
    'days of at least `threshold` mm',
    'precipitation',
    (value, threshold) => value >= threshold,
  ),
  spellOf('CDD', 'longest run of dry days (below 1 mm) that ends in the year', isDry),
  spellOf('CWD', 'longest run of wet days (at least 1 mm) that ends in the year', isWet),
  {
    name: 'PRCPTOT',
    title: 'amount of the wet days (at least 1 mm)',
    quantity: 'precipitation',
    frequencies: YEARS,
    variable: PRECIPITATION,
    begin: (days) => {
      const amounts = days.known('precipitation');
      return (rows) => total(knownIn(amounts, rows).filter(isWet));
    },
  },
];

function countOf(
  name: string,
  title: string,
  quantity: ClimateQuantity,
  meets: (value: number, threshold: number) => boolean,
): ClimateIndex {
  return {
    name,
    title,
    quantity,
    frequencies: YEARS,
    begin: (days, threshold) => {
      const values = days.known(quantity);
      return (rows) => knownIn(values, rows).filter((value) => meets(value, threshold)).length;
    },
  };
}

function extremeOf(
  name: string,
  title: string,
  quantity: ClimateQuantity,
  choose: (...values: number[]) => number,
): ClimateIndex {
  return {
    name,
    title,
    quantity,
    frequencies: FREQUENCIES,
    variable: TEMPERATURE,
    begin: (days) => {
      const values = days.known(quantity);
      return (rows) => {
        const known = knownIn(values, rows);
        return known.length === 0 ? Number.NaN : choose(...known);
      };
    },
  };
}

function spellOf(name: string, title: string, meets: (amount: number) => boolean): ClimateIndex {
  return {
    name,
    title,
    quantity: 'precipitation',
    frequencies: YEARS,
    isSpell: true,
    begin: (days) => {
      const amounts = days.known('precipitation');
      const lengths = lengthsAtEnds(amounts, meets);
      return ({ from, to }) => longestSpell(amounts, lengths, meets, from, to);
    },
  };
}

/**
 * For each day, the sum of five days: the two days before it, the day itself, and the two days after it. Missing days are left
 * out of the sum. The first two and the last two days of the table have the sum 0.
 */
function sumsOfFive(amounts: Float64Array): Float64Array {
  const sums = new Float64Array(amounts.length);
  for (let row = 2; row + 2 < amounts.length; row += 1)
    sums[row] = total(knownIn(amounts, { from: row - 2, to: row + 3 }));
  return sums;
}

function knownIn(values: Float64Array, { from, to }: Rows): number[] {
  const known: number[] = [];
  for (let row = from; row < to; row += 1) {
    const value = values[row] as number;
    if (!Number.isNaN(value)) known.push(value);
  }
  return known;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
