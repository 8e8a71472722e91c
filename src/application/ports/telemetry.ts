/** A family of metrics: one name, and one series for each combination of its labels. */
export interface MetricDefinition<Label extends string = never> {
  /**
   * `weatherd_` and the thing that is measured, then its base unit (`_seconds`, `_bytes`). The name of a counter ends in
   * `_total`.
   */
  readonly name: string;
  /** One sentence, without quotes and backslashes. */
  readonly help: string;
  /** The number of different values of a label must be small, and no value may be a secret or an address. */
  readonly labels?: readonly Label[];
}

export interface GaugeDefinition<Label extends string = never> extends MetricDefinition<Label> {
  /** `main` by default. */
  readonly processes?: GaugeProcesses;
}

/**
 * How a service of several processes reports a gauge: `main` only with the value of the main process, for what all processes
 * read from the same store; `sum` added up; `each` for each process, where worker processes have the label `process`. Counters
 * and histograms are added up.
 */
export type GaugeProcesses = 'main' | 'sum' | 'each';

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

/** A number that only rises. */
export interface Counter {
  /** @param amount not negative */
  add(amount: number): void;
}

/** The distribution of measured values. */
export interface Histogram {
  observe(value: number): void;
}

/** A value that is read when it is asked for. */
export interface GaugeReading<Label extends string> {
  readonly labels: Labels<Label>;
  readonly value: number;
}

/** One value of a family without labels, or the values of one with labels. */
export type Readings<Label extends string> = [Label] extends [never] ? number : Iterable<GaugeReading<Label>>;

/**
 * Metrics of the service for an operator. Each family is defined once. The functions that are returned look up a series by its
 * labels, and create it with the value 0; callers keep the series, so that recording a sample needs no look-up.
 */
export interface Telemetry {
  /** @throws Error if the name is in use or breaks a rule of names */
  counter<Label extends string = never>(
    definition: MetricDefinition<Label>,
  ): (labels: Labels<Label>) => Counter;
  /**
   * @param bounds upper bounds of the buckets, in rising order
   * @throws Error if the name is in use or breaks a rule of names
   */
  histogram<Label extends string = never>(
    definition: MetricDefinition<Label>,
    bounds: readonly number[],
  ): (labels: Labels<Label>) => Histogram;
  /**
   * A value that rises and falls.
   *
   * @param read called for each report. If it fails or takes too long, the report has no value of this family
   * @throws Error if the name is in use or breaks a rule of names
   */
  gauge<Label extends string = never>(
    definition: GaugeDefinition<Label>,
    read: () => Readings<Label> | Promise<Readings<Label>>,
  ): void;
}
