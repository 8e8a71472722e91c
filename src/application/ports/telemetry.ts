/** A family of metrics: one name, and one series for each combination of its labels. */
export interface MetricDefinition<Label extends string = never> {
  /**
   * The name consists of `weatherd_`, the measured quantity and its base unit, for example `weatherd_commit_duration_seconds`.
   * The name of a counter ends in `_total`.
   */
  readonly name: string;
  /** Description of the metric: one sentence, without quotes and backslashes. */
  readonly help: string;
  /** Names of the labels. A label must have few different values, and no value may be a secret or an address. */
  readonly labels?: readonly Label[];
}

export interface GaugeDefinition<Label extends string = never> extends MetricDefinition<Label> {
  /** How a service of several processes reports the gauge; `main` by default. */
  readonly processes?: GaugeProcesses;
}

/**
 * How a service of several processes reports a gauge. (Counters and histograms are always added up.)
 *
 * - `main`: only the value of the main process. For values that all processes read from the same store.
 * - `sum`: the sum over all processes.
 * - `each`: one value for each process. The values of worker processes have the label `process`.
 */
export type GaugeProcesses = 'main' | 'sum' | 'each';

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** A number that only increases. */
export interface Counter {
  /** Increases the counter. @param amount number to add, not negative */
  add(amount: number): void;
}

/** The distribution of measured values. */
export interface Histogram {
  observe(value: number): void;
}

/** The current value of one series of a gauge. */
export interface GaugeReading<Label extends string> {
  readonly labels: Labels<Label>;
  readonly value: number;
}

/** The value of a gauge without labels, or the values of a gauge with labels: one for each combination of labels. */
export type Readings<Label extends string> = [Label] extends [never] ? number : Iterable<GaugeReading<Label>>;

/**
 * Defines the metrics of the service for an operator. Each name is defined once.
 *
 * `counter` and `histogram` return a function. This function returns the counter or histogram with the given labels, and creates
 * it with the value 0 at the first call with these labels. Callers keep the result, so that recording a sample needs no look-up.
 */
export interface Telemetry {
  /** @throws Error if the name is in use or breaks a rule of names */
  counter<Label extends string = never>(
    definition: MetricDefinition<Label>,
  ): (labels: Labels<Label>) => Counter;
  /**
   * @param bounds upper bounds of the buckets, in ascending order
   * @throws Error if the name is in use or breaks a rule of names
   */
  histogram<Label extends string = never>(
    definition: MetricDefinition<Label>,
    bounds: readonly number[],
  ): (labels: Labels<Label>) => Histogram;
  /**
   * Defines a value that can increase and decrease.
   *
   * @param read called for each report. If `read` fails or takes too long, the report has no value of this gauge.
   * @throws Error if the name is in use or breaks a rule of names
   */
  gauge<Label extends string = never>(
    definition: GaugeDefinition<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void;
}
