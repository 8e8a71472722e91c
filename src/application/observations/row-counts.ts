import type { WriteCounts } from '#domain/weather/merge-series.js';
import type { Counter, Telemetry } from '../ports/telemetry.js';

/** The sources of rows: the interfaces through which rows reach the service. */
const SOURCES = ['external_api', 'internal_api', 'uploads', 'mqtt', 'sources'] as const;
export type RowSource = (typeof SOURCES)[number];

const ROW_OUTCOMES = ['inserted', 'updated', 'unchanged', 'rejected'] as const;
type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** Counts the received rows by source and outcome, for the metric `weatherd_rows_total`. */
export class RowCounts {
  readonly #counters = new Map<RowSource, readonly (readonly [RowOutcome, Counter])[]>();

  constructor(telemetry: Telemetry) {
    const counter = telemetry.counter({
      name: 'weatherd_rows_total',
      help: 'Rows of observations that were sent to the service.',
      // The label `fate` is the former name of `outcome`. The former name is written for one more version.
      labels: ['source', 'outcome', 'fate'],
    });
    for (const source of SOURCES)
      this.#counters.set(
        source,
        ROW_OUTCOMES.map((outcome) => [outcome, counter({ source, outcome, fate: outcome })] as const),
      );
  }

  add(source: RowSource, counts: Partial<WriteCounts & { readonly rejected: number }>): void {
    for (const [outcome, counter] of this.#counters.get(source) ?? []) {
      const count = counts[outcome];
      if (count !== undefined) counter.add(count);
    }
  }
}
