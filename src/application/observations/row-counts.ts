import type { WriteCounts } from '#domain/weather/merge-series.js';
import type { Counter, Telemetry } from '../ports/telemetry.js';

/** How rows reach the service. */
const SOURCES = ['external_api', 'internal_api', 'uploads', 'mqtt'] as const;
export type RowSource = (typeof SOURCES)[number];

const FATES = ['inserted', 'updated', 'unchanged', 'rejected'] as const;
type Fate = (typeof FATES)[number];

/** Counts the rows that were sent, by what became of them. */
export class RowCounts {
  readonly #counters = new Map<RowSource, readonly (readonly [Fate, Counter])[]>();

  constructor(telemetry: Telemetry) {
    const counter = telemetry.counter({
      name: 'weatherd_rows_total',
      help: 'Rows of observations that were sent to the service.',
      labels: ['source', 'fate'],
    });
    for (const source of SOURCES)
      this.#counters.set(
        source,
        FATES.map((fate) => [fate, counter({ source, fate })] as const),
      );
  }

  add(source: RowSource, counts: Partial<WriteCounts & { readonly rejected: number }>): void {
    for (const [fate, counter] of this.#counters.get(source) ?? []) {
      const count = counts[fate];
      if (count !== undefined) counter.add(count);
    }
  }
}
