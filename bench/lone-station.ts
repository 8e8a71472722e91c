import { recheckRange, CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { FAULTS, seeded } from './planted-faults.js';
import { RULES } from './real-years.js';

const HOUR = 3_600_000;

/** The number of values of a variable, and the times of the correct values that are flagged. */
export interface Alarms {
  values: number;
  readonly flagged: string[];
}

/**
 * Checks the quality of a series without neighbors, which are other stations nearby.
 *
 * @param into the counts by number of the variable, to which the counts of the series are added
 */
export function countAlarms(
  series: Series,
  isDefect: (variable: number, row: number) => boolean,
  into: Map<number, Alarms>,
): void {
  const flags = recheckRange(series, { from: -Infinity, to: Infinity }, RULES, []);
  for (const [variable, column] of series.values) {
    const alarms = into.get(variable) ?? { values: 0, flagged: [] };
    into.set(variable, alarms);
    for (const [row, value] of column.entries()) {
      if (Number.isNaN(value)) continue;
      alarms.values += 1;
      if ((flags.get(variable)?.[row] ?? 0) !== 0 && !isDefect(variable, row))
        alarms.flagged.push(new Date(series.times[row] as number).toISOString());
    }
  }
}

/** The change of a variable from one hour to the next that only one hour in 1,000 exceeds. */
export function naturalChange(stations: readonly Series[], variable: number): number {
  const changes = stations.flatMap(({ times, values }) => {
    const column = values.get(variable) ?? new Float64Array(0);
    return [...column.keys()].flatMap((row) => {
      const change = Math.abs((column[row] as number) - (column[row - 1] ?? Number.NaN));
      const isHour = (times[row] as number) - (times[row - 1] ?? Number.NaN) === HOUR;
      return isHour && !Number.isNaN(change) ? [change] : [];
    });
  });
  return Float64Array.from(changes).sort()[Math.floor(changes.length * 0.999)] ?? 0;
}

/**
 * The share, in percent, of planted faults of one kind that are found without comparing a station with other stations.
 *
 * @param natural result of `naturalChange`; the size of a fault is 1.5 to 3 times this change
 */
export function foundAlone(
  kind: 'spike' | 'step that stays',
  variable: number,
  stations: readonly Series[],
  natural: number,
  events: number,
): number {
  const fault = FAULTS.find(({ name }) => name === kind);
  const random = seeded(variable);
  let [planted, found] = [0, 0];
  while (planted < events) {
    const { times, values, flags } = stations[Math.floor(random() * stations.length)] as Series;
    const at = times[Math.floor(random() * times.length)] as number;
    const part = sliceSeries(
      { times, values, flags },
      lowerBound(times, at - CHECK_REACH),
      lowerBound(times, at + CHECK_REACH),
    );
    const copies = [...part.values].map(([one, column]) => [one, column.slice()] as const);
    const piece = { ...part, values: new Map(copies) };
    const row = lowerBound(piece.times, at);
    const column = piece.values.get(variable) as Float64Array;
    const isUsable = [row - 1, row, row + 1].every(
      (other) => piece.times[other] === at + (other - row) * HOUR && !Number.isNaN(column[other]),
    );
    if (!isUsable) continue;
    planted += 1;
    fault?.plant({ ...piece, row, variable, size: natural * (1.5 + 1.5 * random()), random });
    const checked = recheckRange(piece, { from: at, to: at + 1 }, RULES, []);
    if ((checked.get(variable)?.[row] ?? 0) !== 0) found += 1;
  }
  return (100 * found) / events;
}
