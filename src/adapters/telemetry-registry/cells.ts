import type { Counter, Histogram } from '#application/ports/telemetry.js';
import type { MetricSeries } from '#adapters/formats/openmetrics/exposition.js';

/**
 * Number of cells in a page. A cell is a number of a metric, for example the value of a counter. A page is the array from which
 * cells are allocated.
 */
const PAGE = 1024;

/** Allocated cells: consecutive numbers in the array `page`, from index `at` on. */
export interface Slot {
  readonly page: Float64Array;
  readonly at: number;
}

/**
 * Allocates cells, which are numbers in an array (the page), with the value 0. The array is never moved, so that a metric can
 * keep a reference to the array.
 */
export class Cells {
  #page = new Float64Array(PAGE);
  #used = 0;

  allocate(count: number): Slot {
    if (this.#used + count > this.#page.length) {
      this.#page = new Float64Array(Math.max(PAGE, count));
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += count;
    return { page: this.#page, at };
  }
}

export class CounterCell implements Counter {
  readonly #page: Float64Array;
  readonly #at: number;

  constructor({ page, at }: Slot) {
    this.#page = page;
    this.#at = at;
  }

  get value(): number {
    return this.#page[this.#at] as number;
  }

  add(amount: number): void {
    (this.#page[this.#at] as number) += amount;
  }
}

/**
 * The cells of a histogram, each of which is one number. For each bound, a cell counts the values up to this bound and above the
 * previous bound. The next cell counts the values above all bounds, and the last cell is the sum of the values.
 */
export class HistogramCells implements Histogram {
  readonly #page: Float64Array;
  readonly #at: number;
  readonly #bounds: Float64Array;

  constructor({ page, at }: Slot, bounds: readonly number[]) {
    this.#page = page;
    this.#at = at;
    this.#bounds = Float64Array.from(bounds);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    const { length } = bounds;
    let bucket = 0;
    while (bucket < length && value > (bounds[bucket] as number)) bucket += 1;
    const page = this.#page;
    const at = this.#at;
    (page[at + bucket] as number) += 1;
    (page[at + length + 1] as number) += value;
  }

  series(): Required<Pick<MetricSeries, 'value' | 'buckets'>> {
    let count = 0;
    const buckets = [...this.#bounds, Infinity].map((bound, index) => {
      count += this.#page[this.#at + index] as number;
      return [bound, count] as const;
    });
    return { value: this.#page[this.#at + buckets.length] as number, buckets };
  }
}
