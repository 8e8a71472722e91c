import {
  labelText,
  metricHead,
  type MetricType,
  OPENMETRICS_END,
  type SampleLabels,
  sampleLine,
} from './metric.js';

/** Media type of the text format of Prometheus, which every version of Prometheus reads. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A family of metrics with its current values. */
export interface MetricFamily {
  /** The name of a counter ends in `_total`. */
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly series: readonly MetricSeries[];
}

export interface MetricSeries {
  readonly labels: SampleLabels;
  /** The value of the metric; for a histogram the sum of the observed values. */
  readonly value: number;
  /** For a histogram: the number of values up to each bound, in rising order. The last bound is infinite. */
  readonly buckets?: readonly (readonly [bound: number, count: number])[];
}

const UNIT = /_(seconds|bytes)$/;

/** Writes families in the text format of Prometheus or in OpenMetrics 1.0. */
export function expositionText(families: readonly MetricFamily[], isOpenMetrics: boolean): string {
  const text = families.map((family) => {
    const head = isOpenMetrics ? openMetricsHead(family) : prometheusHead(family);
    return head + family.series.map((series) => samples(family, series)).join('');
  });
  return text.join('') + (isOpenMetrics ? OPENMETRICS_END : '');
}

/** In OpenMetrics, the suffix `_total` belongs to the samples of a counter, and not to the name of the family. */
function openMetricsHead({ name: full, type, help }: MetricFamily): string {
  const name = type === 'counter' ? full.replace(/_total$/, '') : full;
  return metricHead({ name, unit: UNIT.exec(name)?.[1], help, type });
}

function prometheusHead({ name, type, help }: MetricFamily): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function samples({ name }: MetricFamily, { labels, value, buckets }: MetricSeries): string {
  const pairs = labelText(labels);
  if (buckets === undefined) return sampleLine(name, pairs, value);
  const others = pairs === '' ? '' : `${pairs},`;
  let text = '';
  let total = 0;
  for (const [bound, count] of buckets) {
    text += sampleLine(`${name}_bucket`, `${others}le="${boundText(bound)}"`, count);
    total = count;
  }
  return text + sampleLine(`${name}_sum`, pairs, value) + sampleLine(`${name}_count`, pairs, total);
}

/**
 * Writes the bound 1 as `1.0` in both formats. OpenMetrics requires `1.0`. If the formats had different texts, Prometheus would
 * take them for different series.
 */
function boundText(bound: number): string {
  if (bound === Infinity) return '+Inf';
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}
