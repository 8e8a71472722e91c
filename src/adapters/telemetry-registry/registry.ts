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

/** Milliseconds after which a report no longer waits for a value. Prometheus waits 10 s for the whole report. */
const PATIENCE = 3000;

const NAME = /^[a-z][a-z0-9_]*$/;
const HELP = /^[^"\\\n]+\.$/;

type AnyLabels = Labels<string>;
type Type = MetricFamily['type'];

/** A family with its present values, and how those of several processes become one report. */
export interface CollectedFamily extends MetricFamily {
  readonly processes: GaugeProcesses;
}

type Read = () => readonly MetricSeries[] | Promise<readonly MetricSeries[]>;
type Defined = Omit<CollectedFamily, 'series'> & { readonly read: Read };

/** The metrics of a process. The values are in typed arrays, so that recording a sample is an index and an addition. */
export class Registry implements Telemetry {
  readonly #cells = new Cells();
  readonly #families = new Map<string, Defined>();
  readonly #patience: number;

  constructor(patience = PATIENCE) {
    this.#patience = patience;
  }

  counter<Label extends string = never>(
    definition: MetricDefinition<Label>,
  ): (labels: Labels<Label>) => Counter {
    const make = () => new CounterCell(this.#cells.take(1));
    return this.#recorded(definition, 'counter', make, (cell) => ({ value: cell.value }));
  }

  histogram<Label extends string = never>(
    definition: MetricDefinition<Label>,
    bounds: readonly number[],
  ): (labels: Labels<Label>) => Histogram {
    if (bounds.some((bound, index) => !(bound > (bounds[index - 1] ?? -Infinity)) || bound === Infinity))
      throw new Error(`${definition.name}: the bounds do not rise`);
    const make = () => new HistogramCells(this.#cells.take(bounds.length + 2), bounds);
    return this.#recorded(definition, 'histogram', make, (cells) => cells.series());
  }

  gauge<Label extends string = never>(
    definition: GaugeDefinition<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void {
    this.#observed(definition, 'gauge', read);
  }

  /** A counter that something else counts, such as the system. */
  observedCounter<Label extends string = never>(
    definition: GaugeDefinition<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void {
    this.#observed(definition, 'counter', read);
  }

  /** All families with their present values, without those that cannot be read in time. */
  collect(): Promise<readonly CollectedFamily[]> {
    return this.#collect([...this.#families.values()]);
  }

  /** As `collect`, without the families that only the main process reports. */
  collectForMain(): Promise<readonly CollectedFamily[]> {
    return this.#collect([...this.#families.values()].filter(({ processes }) => processes !== 'main'));
  }

  async #collect(wanted: readonly Defined[]): Promise<readonly CollectedFamily[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), this.#patience);
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
    present: (cell: Cell) => Omit<MetricSeries, 'labels'>,
  ): (labels: Labels<Label>) => Cell {
    const names = definition.labels ?? [];
    const series = new Map<string, { readonly labels: AnyLabels; readonly cell: Cell }>();
    this.#add({ ...definition, processes: 'sum' }, type, () =>
      [...series.values()].map(({ labels, cell }) => ({ labels, ...present(cell) })),
    );
    return (given) => {
      const labels = Object.fromEntries(names.map((name) => [name, given[name]]));
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
    // Shared by reports that are made at the same time, and not begun again while it hangs.
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
      throw new Error(`${name}: not the name of a ${type}`);
    if (!HELP.test(help)) throw new Error(`${name}: its help is not one sentence`);
    if (this.#families.has(name)) throw new Error(`${name} is defined twice`);
    this.#families.set(name, { name, type, help, processes, read });
  }
}
