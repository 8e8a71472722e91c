import { pauseFor } from '#application/pause.js';
import type { MetricSeries } from '#adapters/formats/openmetrics/exposition.js';
import type { CollectedFamily, Registry } from './registry.js';

/** Longest time in milliseconds that a report waits for a worker process. A healthy process answers in a few milliseconds. */
const ANSWER_TIMEOUT = 1000;

type Families = readonly CollectedFamily[];

/**
 * The metrics of a worker process and of its predecessors. A worker process that has ended is replaced by a new process with the
 * same number.
 */
interface Known {
  /** Sums of the counters and histograms of the predecessors, so that no counter decreases. */
  readonly ended: Families;
  /** The last answer of the current process. */
  last: Families;
  asking: Promise<void> | undefined;
}

/** The metrics of the worker processes, for the report of the main process. */
export class WorkerMetrics {
  readonly #ask: (number: number) => Promise<unknown>;
  readonly #timeout: number;
  readonly #known: Known[];

  /**
   * @param ask requests the result of `Registry.collectForMain` from the process with this number; the first number is 1
   * @param timeout longest time in milliseconds that a report waits for the processes
   */
  constructor(count: number, ask: (number: number) => Promise<unknown>, timeout = ANSWER_TIMEOUT) {
    this.#ask = ask;
    this.#timeout = timeout;
    this.#known = Array.from({ length: count }, () => ({ ended: [], last: [], asking: undefined }));
  }

  /** Combines the metrics of the main process and of the workers. A worker that does not answer in time counts with its last values. */
  async collectWith(main: Pick<Registry, 'collect'>): Promise<Families> {
    const [ofMain] = await Promise.all([main.collect(), this.#askAll()]);
    const ofWorkers = this.#known.map(({ ended, last }, index) =>
      sumFamilies([...ended, ...last]).map((family) => labeled(family, index + 1)),
    );
    return sumFamilies([...ofMain, ...ofWorkers.flat()]);
  }

  /** Call this method when a worker process has ended. Values that the process has counted since its last answer are lost. */
  ended(number: number): void {
    const known = this.#known[number - 1];
    if (known === undefined) return;
    const counts = sumFamilies([...known.ended, ...known.last]).filter(({ type }) => type !== 'gauge');
    this.#known[number - 1] = { ended: counts, last: [], asking: undefined };
  }

  async #askAll(): Promise<void> {
    const over = new AbortController();
    const answers = Promise.all(this.#known.map((known, index) => this.#askOne(known, index + 1)));
    await Promise.race([answers, pauseFor(this.#timeout, over.signal)]);
    over.abort();
  }

  /**
   * Asks a process for its metrics. Only one request is open at a time: reports share a pending answer, so that an older answer
   * cannot replace a newer one.
   */
  #askOne(known: Known, number: number): Promise<void> {
    const ask = async () => {
      try {
        known.last = ((await this.#ask(number)) as Families | undefined) ?? known.last;
      } catch {
        // The process has ended, so its last answer stays in use.
      }
    };
    return (known.asking ??= ask().finally(() => (known.asking = undefined)));
  }
}

function labeled(family: CollectedFamily, number: number): CollectedFamily {
  if (family.processes !== 'each') return family;
  const series = family.series.map((one) => ({
    ...one,
    labels: { ...one.labels, process: String(number) },
  }));
  return { ...family, series };
}

/**
 * Merges metric families (all series of the metric with one name) of the same name, and adds the values of series with the same
 * labels.
 */
function sumFamilies(families: Families): Families {
  const sums = new Map<
    string,
    { readonly family: CollectedFamily; readonly series: Map<string, MetricSeries> }
  >();
  for (const family of families) {
    const sum = sums.get(family.name) ?? { family, series: new Map<string, MetricSeries>() };
    sums.set(family.name, sum);
    const { series } = sum;
    for (const one of family.series) {
      const key = JSON.stringify(one.labels);
      const known = series.get(key);
      series.set(key, known === undefined ? one : sumOf(known, one));
    }
  }
  return [...sums.values()].map(({ family, series }) => ({ ...family, series: [...series.values()] }));
}

function sumOf(one: MetricSeries, other: MetricSeries): MetricSeries {
  const value = one.value + other.value;
  if (one.buckets === undefined) return { labels: one.labels, value };
  const buckets = one.buckets.map(
    ([bound, count], index) => [bound, count + (other.buckets?.[index]?.[1] ?? 0)] as const,
  );
  return { labels: one.labels, value, buckets };
}
