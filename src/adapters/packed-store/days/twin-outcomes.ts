import { ROW_OUTCOME } from '#domain/weather/merge-series.js';
import { dailySeriesOf, seriesOf } from './daily-series.js';
import type { Twins } from './divided-rows.js';

/** Numbers of rows by their outcome; the index is the outcome (`ROW_OUTCOME`). */
export const OUTCOMES = ['unchanged', 'updated', 'inserted'] as const;

type Counts = { [K in (typeof OUTCOMES)[number]]: number };

/**
 * Counts each row of a write once, even if the row had values of both series and was divided into two rows. Such a row is
 * inserted or unchanged if both halves are, and otherwise updated.
 */
export class TwinOutcomes {
  readonly #twins: readonly (Twins | undefined)[];
  /** The outcome of each half, by number of the series and by time; undefined until it is known. */
  readonly #outcomes = new Map<number, Map<number, number | undefined>>();

  /** @param twins the divided rows of each write */
  constructor(twins: readonly (Twins | undefined)[]) {
    this.#twins = twins;
    for (const { stations, times } of twins.filter((one) => one !== undefined))
      for (const [row, station] of stations.entries())
        for (const series of seriesOf([station])) {
          const own = this.#outcomes.get(series) ?? new Map<number, undefined>();
          this.#outcomes.set(series, own.set(times[row] as number, undefined));
        }
  }

  /** Notes the outcomes of rows of a series. @param outcomeOf returns the outcome of a row of `times` */
  note(series: number, times: Float64Array, outcomeOf: (row: number) => number): void {
    const own = this.#outcomes.get(series);
    if (own === undefined) return;
    for (const [row, time] of times.entries()) if (own.has(time)) own.set(time, outcomeOf(row));
  }

  /** Corrects the counts of each write, in which every half is counted as a row. */
  settle(counts: readonly Counts[]): void {
    for (const [index, twins] of this.#twins.entries()) {
      const own = counts[index];
      if (twins === undefined || own === undefined) continue;
      const seen = new Map<number, Set<number>>();
      for (const [row, station] of twins.stations.entries()) {
        const time = twins.times[row] as number;
        const report = this.#outcomes.get(station)?.get(time);
        const day = this.#outcomes.get(dailySeriesOf(station))?.get(time);
        // The rows of a station that does not exist are not counted.
        if (report === undefined || day === undefined) continue;
        const times = seen.get(station) ?? new Set();
        // If several rows of a write have the same time, the first one is counted, and the others are unchanged in both series.
        const isRepeated = times.has(time);
        seen.set(station, times.add(time));
        const halves = isRepeated ? [ROW_OUTCOME.unchanged, ROW_OUTCOME.unchanged] : [report, day];
        for (const half of halves) own[OUTCOMES[half] as 'updated'] -= 1;
        own[OUTCOMES[halves[0] === halves[1] ? (halves[0] as number) : ROW_OUTCOME.updated] as 'updated'] +=
          1;
      }
    }
  }
}
