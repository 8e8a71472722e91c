import { pauseFor } from '#application/pause.js';
import type { MetricSeries } from '#adapters/formats/openmetrics/exposition.js';
import type { CollectedFamily, Registry } from './registry.js';

/** Milliseconds after which a report no longer waits for a worker process. One that works answers in a few. */
const PATIENCE = 1000;

type Families = readonly CollectedFamily[];

/** What is known of a worker process and of those that it has replaced. */
interface Known {
  /** The counters and histograms of those that have ended, so that no counter falls. */
  readonly ended: Families;
  /** The last answer of the present one. */
  last: Families;
  asking: Promise<void> | undefined;
}

/** The metrics of the worker processes, for the report of the main process. */
export class WorkerMetrics {
  readonly #ask: (number: number) => Promise<unknown>;
  readonly #patience: number;
  readonly #known: Known[];

  /** @param ask asks the process with this number, from 1 on, for `Registry.collectForMain` */
  constructor(count: number, ask: (number: number) => Promise<unknown>, patience = PATIENCE) {
    this.#ask = ask;
    this.#patience = patience;
    this.#known = Array.from({ length: count }, () => ({ ended: [], last: [], asking: undefined }));
  }

  /** The metrics of the main process with those of the workers. One that does not answer in time has its last values. */
  async collectWith(main: Pick<Registry, 'collect'>): Promise<Families> {
    const [ofMain] = await Promise.all([main.collect(), this.#askAll()]);
    const ofWorkers = this.#known.map(({ ended, last }, index) =>
      sumFamilies([...ended, ...last]).map((family) => labeled(family, index + 1)),
    );
    return sumFamilies([...ofMain, ...ofWorkers.flat()]);
  }

  /** To be called when a process has ended. What it has counted since its last answer is lost. */
  ended(number: number): void {
    const known = this.#known[number - 1];
    if (known === undefined) return;
    const counts = sumFamilies([...known.ended, ...known.last]).filter(({ type }) => type !== 'gauge');
    this.#known[number - 1] = { ended: counts, last: [], asking: undefined };
  }

  async #askAll(): Promise<void> {
    const over = new AbortController();
    const answers = Promise.all(this.#known.map((known, index) => this.#askOne(known, index + 1)));
    await Promise.race([answers, pauseFor(this.#patience, over.signal)]);
    over.abort();
  }

  /** Reports share an answer that is still awaited, so that answers cannot come in another order. */
  #askOne(known: Known, number: number): Promise<void> {
    const ask = async () => {
      try {
        known.last = ((await this.#ask(number)) as Families | undefined) ?? known.last;
      } catch {
        // It has ended.
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

/** Families of the same name become one, and so do series of the same labels. */
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
