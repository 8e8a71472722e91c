import type {
  Counter,
  GaugeDefinition,
  GaugeProcesses,
  Histogram,
  Labels,
  MetricDefinition,
  Readings,
  Telemetry,
} from '#application/ports/telemetry.js';
import type { MetricFamily, MetricSeries } from '#adapters/formats/openmetrics/exposition.js';
import { Cells, CounterCell, HistogramCells } from './cells.js';

/** Longest time in milliseconds that a report waits for a value. Prometheus waits 10 s for the whole report. */
const READ_TIMEOUT = 3000;

const NAME = /^[a-z][a-z0-9_]*$/;
const HELP = /^[^"\\\n]+\.$/;

type AnyLabels = Labels<string>;
type Type = MetricFamily['type'];

/**
 * A metric family (all series of the metric with one name) with its current values. `processes` is the rule that combines the
 * values of several processes.
 */
export interface CollectedFamily extends MetricFamily {
  readonly processes: GaugeProcesses;
}

type Read = () => readonly MetricSeries[] | Promise<readonly MetricSeries[]>;
type Defined = Omit<CollectedFamily, 'series'> & { readonly read: Read };

/** The metrics of a process. The values are in typed arrays, so that recording a sample takes only one access and one addition. */
export class Registry implements Telemetry {
  readonly #cells = new Cells();
  readonly #families = new Map<string, Defined>();
  readonly #timeout: number;

  /** @param timeout longest time in milliseconds that a report waits for a value */
  constructor(timeout = READ_TIMEOUT) {
    this.#timeout = timeout;
  }

  counter<Label extends string = never>(
    definition: MetricDefinition<Label>,
  ): (labels: Labels<Label>) => Counter {
    const make = () => new CounterCell(this.#cells.allocate(1));
    return this.#recorded(definition, 'counter', make, (cell) => ({ value: cell.value }));
  }

  histogram<Label extends string = never>(
    definition: MetricDefinition<Label>,
    bounds: readonly number[],
  ): (labels: Labels<Label>) => Histogram {
    if (bounds.some((bound, index) => !(bound > (bounds[index - 1] ?? -Infinity)) || bound === Infinity))
      throw new Error(`${definition.name}: the bounds must be finite and in ascending order`);
    const make = () => new HistogramCells(this.#cells.allocate(bounds.length + 2), bounds);
    return this.#recorded(definition, 'histogram', make, (cells) => cells.series());
  }

  gauge<Label extends string = never>(
    definition: GaugeDefinition<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void {
    this.#observed(definition, 'gauge', read);
  }

  /** Defines a counter whose value is read at each report, for example from the operating system. */
  observedCounter<Label extends string = never>(
    definition: GaugeDefinition<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void {
    this.#observed(definition, 'counter', read);
  }

  /**
   * All metric families with their current values, without the families that cannot be read in time. A family is all series of
   * the metric with one name.
   */
  collect(): Promise<readonly CollectedFamily[]> {
    return this.#collect([...this.#families.values()]);
  }

  /**
   * Collects the same metric families as `collect`, without the families that the main process reports itself. A worker process
   * sends the result to the main process.
   */
  collectForMain(): Promise<readonly CollectedFamily[]> {
    return this.#collect([...this.#families.values()].filter(({ processes }) => processes !== 'main'));
  }

  async #collect(wanted: readonly Defined[]): Promise<readonly CollectedFamily[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#timeout);
    });
    const families = await Promise.all(
      wanted.map(async ({ read, ...family }) => {
        const reading = Promise.resolve(read()).catch(() => undefined);
        const series = await Promise.race([reading, late]);
        return series === undefined ? [] : [{ ...family, series }];
      }),
    );
    clearTimeout(timer);
    return families.flat();
  }

  #recorded<Label extends string, Cell>(
    definition: MetricDefinition<Label>,
    type: Type,
    make: () => Cell,
    read: (cell: Cell) => Omit<MetricSeries, 'labels'>,
  ): (labels: Labels<Label>) => Cell {
    const names = definition.labels ?? [];
    const series = new Map<string, { readonly labels: AnyLabels; readonly cell: Cell }>();
    this.#add({ ...definition, processes: 'sum' }, type, () =>
      [...series.values()].map(({ labels, cell }) => ({ labels, ...read(cell) })),
    );
    return (unordered) => {
      // The labels are sorted as in the definition, so that equal labels always give the same key.
      const labels = Object.fromEntries(names.map((name) => [name, unordered[name]]));
      const key = JSON.stringify(Object.values(labels));
      const known = series.get(key)?.cell;
      if (known !== undefined) return known;
      const cell = make();
      series.set(key, { labels, cell });
      return cell;
    };
  }

  #observed<Label extends string>(
    definition: GaugeDefinition<Label>,
    type: Type,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void {
    // Reports at the same time share one read of the values. While a read hangs, no further read begins.
    let pending: Promise<readonly MetricSeries[]> | undefined;
    const begin = async () => {
      try {
        const readings: number | Iterable<MetricSeries> = await read();
        return typeof readings === 'number' ? [{ labels: {}, value: readings }] : [...readings];
      } finally {
        pending = undefined;
      }
    };
    this.#add(definition, type, () => (pending ??= begin()));
  }

  #add({ name, help, processes = 'main' }: GaugeDefinition<string>, type: Type, read: Read): void {
    if (!NAME.test(name) || name.endsWith('_total') !== (type === 'counter'))
      throw new Error(`${name} is not a valid name of a ${type}`);
    if (!HELP.test(help)) throw new Error(`The help of ${name} is not one sentence.`);
    if (this.#families.has(name)) throw new Error(`The metric ${name} is defined twice.`);
    this.#families.set(name, { name, type, help, processes, read });
  }
}
