import type { Rows } from '../rows.js';
import { ClimateDays, type ClimateQuantity, type DayColumn, type DayQuantity } from '../climate-days.js';
import { ORIGIN, originOf } from '../provenance.js';

/**
 * Days of a report with published values. The mean of a day is its published mean. Without it, the mean is (maximum + minimum) / 2 of
 * published extremes, as the US National Weather Service computes it, so that the mean is never beyond the extremes of its line. Without
 * published extremes, the mean is the mean of the observations, or (maximum + minimum) / 2 if the observations are incomplete.
 */
export interface ReportDays {
  readonly days: ClimateDays;
  /** 1 for each day whose mean is (maximum + minimum) / 2. */
  readonly midranges: Uint8Array;
}

export function withMidranges(days: ClimateDays): ReportDays {
  const means = days.column('mean');
  const known = days.known('midrange');
  const [ofMean, ofMidrange] = [originsOf(days, 'mean'), originsOf(days, 'midrange')];
  const midranges = Uint8Array.from(known, (midrange, row) => {
    if (Number.isNaN(midrange)) return 0;
    const isBetter = ofMidrange(row) === ORIGIN.daily && ofMean(row) !== ORIGIN.daily;
    return isBetter || means.complete[row] === 0 ? 1 : 0;
  });
  const filled: DayColumn = {
    ...means,
    values: means.values.map((mean, row) => (midranges[row] === 1 ? (known[row] as number) : mean)),
    complete: means.complete.map((complete, row) => (midranges[row] === 1 ? 1 : complete)),
  };
  return { days: new ClimateDays(days.dates, new Map([...days.columns, ['mean', filled]])), midranges };
}

/** Returns a function with the bits of `ORIGIN` of the value of a quantity in a row. */
function originsOf(days: ClimateDays, quantity: ClimateQuantity): (row: number) => number {
  const { source, origins } = days.provenance(quantity);
  return (row) => origins?.[row] ?? originOf(source);
}

/**
 * The means of periods over the values of their days: temperature and wind, and the direction of the resultant wind. A direction has the
 * weight of the wind of its day; if no wind is known, all directions have the same weight.
 */
export function meansOfPeriods(days: ClimateDays, periods: readonly Rows[]): ClimateDays {
  const means = (['mean', 'wind'] as const).map((quantity): [DayQuantity, DayColumn] => [
    quantity,
    columnOf(periods.map((period) => meanOf(days.column(quantity).values, period))),
  ]);
  const directions = columnOf(periods.map((period) => resultantOf(days, period)));
  const dates = Int32Array.from(periods, ({ from }) => days.dates[from] ?? 0);
  return new ClimateDays(dates, new Map([...means, ['windDirection', directions]]));
}

function columnOf(numbers: readonly number[]): DayColumn {
  const values = Float64Array.from(numbers);
  return { values, times: values.map(() => Number.NaN), complete: new Uint8Array(values.length) };
}

function meanOf(values: Float64Array, { from, to }: Rows): number {
  const known = values.subarray(from, to).filter((value) => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Smallest length of a resultant wind, in the unit of the wind times the number of days. Below it, the winds cancel each other out. */
const MIN_RESULTANT = 1e-9;

function resultantOf(days: ClimateDays, { from, to }: Rows): number {
  const [directions, winds] = [days.column('windDirection').values, days.column('wind').values];
  const rows = Array.from({ length: to - from }, (_, index) => from + index).filter(
    (row) => !Number.isNaN(directions[row]),
  );
  const hasWinds = rows.some((row) => !Number.isNaN(winds[row]));
  let [east, north] = [0, 0];
  for (const row of rows) {
    const speed = hasWinds ? (winds[row] as number) : 1;
    if (Number.isNaN(speed)) continue;
    const angle = ((directions[row] as number) * Math.PI) / 180;
    east += speed * Math.sin(angle);
    north += speed * Math.cos(angle);
  }
  if (Math.hypot(east, north) < MIN_RESULTANT) return Number.NaN;
  const degrees = (Math.atan2(east, north) * 180) / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** The columns of a report, with the quantities of their values. */
const COLUMNS = {
  'MEAN TEMP': 'mean',
  'HIGH TEMP': 'maximum',
  'LOW TEMP': 'minimum',
  RAIN: 'precipitation',
  'AVG WIND SPEED': 'wind',
  'HIGH WIND SPEED': 'peakWind',
  'DOM DIR': 'windDirection',
} as const;

/** Where the values of a column come from: numbers of days. */
export interface ColumnSources {
  /** The heading of the column. */
  readonly column: string;
  readonly daily: number;
  readonly observations: number;
  /** Number of days with (maximum + minimum) / 2; undefined for other columns than the mean. */
  readonly midranges: number | undefined;
}

/** Where the values of the columns come from in the days of a period. */
export function sourcesOfColumns(
  { days, midranges }: ReportDays,
  { from, to }: Rows,
): readonly ColumnSources[] {
  return Object.entries(COLUMNS).map(([column, quantity]) => {
    const originIn = originsOf(days, quantity);
    const parts = quantity === 'peakWind' ? (['highestWind', 'gust'] as const) : [quantity];
    const counts = { daily: 0, observations: 0, midranges: 0 };
    for (let row = from; row < to; row += 1) {
      if (parts.every((part) => Number.isNaN(days.column(part).values[row]))) continue;
      const isDaily = originIn(row) === ORIGIN.daily;
      if (quantity === 'mean' && midranges[row] === 1) counts.midranges += 1;
      else counts[isDaily ? 'daily' : 'observations'] += 1;
    }
    return { column, ...counts, midranges: quantity === 'mean' ? counts.midranges : undefined };
  });
}
