import { converter, unitIn } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';

/** Media type of OpenMetrics 1.0, which Prometheus reads. */
export const OPENMETRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export const OPENMETRICS_END = '# EOF\n';

/** A family of gauges: one metric with a sample for each station. */
export interface Metric {
  readonly name: string;
  /** Base unit, which is the suffix of the name. Undefined means that the values have no dimension. */
  readonly unit: string | undefined;
  readonly help: string;
  /** Converts a stored value to the base unit. */
  readonly convert: (value: number) => number;
}

interface BaseUnit {
  readonly name: string;
  readonly factor?: number;
}

/** Names of base units (OpenMetrics, section 4.3.2) by SI unit of the service. OpenMetrics uses the gram as base unit of mass. */
const BASE_UNITS: Readonly<Record<string, BaseUnit>> = {
  '°C': { name: 'celsius' },
  Pa: { name: 'pascals' },
  'm/s': { name: 'meters_per_second' },
  m: { name: 'meters' },
  s: { name: 'seconds' },
  degree: { name: 'degrees' },
  'W/m²': { name: 'watts_per_square_meter' },
  'kg/m³': { name: 'grams_per_cubic_meter', factor: 1000 },
  '1': { name: 'ratio' },
};

/** @throws Error for a variable whose unit has no base unit */
export function metricOf(variable: Variable): Metric {
  const { name, unit: stored } = variable;
  // The base unit of temperature in OpenMetrics is the degree Celsius, and not the kelvin.
  const si = stored === '°C' ? stored : unitIn('si', variable);
  const base = BASE_UNITS[si];
  if (base === undefined) throw new Error(`There is no base unit of OpenMetrics for ${si}.`);
  const unit = stored === '1' ? undefined : base.name;
  const convert = converter(variable, si, 'unit');
  const { factor = 1 } = base;
  // The suffix `_count` is reserved for histograms, so that `lightning_strike_count` becomes `lightning_strikes`.
  const words = name.replace(/_count$/, 's');
  return {
    name: unit === undefined ? `weather_${words}` : `weather_${words}_${unit}`,
    unit,
    help: `Newest value of ${name}.`,
    convert: factor === 1 ? convert : (value) => Number((convert(value) * factor).toPrecision(12)),
  };
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** The lines before the samples of a metric. */
export function metricHead({
  name,
  unit,
  help,
  type = 'gauge',
}: Omit<Metric, 'convert'> & { readonly type?: MetricType }): string {
  const ofUnit = unit === undefined ? '' : `# UNIT ${name} ${unit}\n`;
  return `# TYPE ${name} ${type}\n${ofUnit}# HELP ${name} ${help}\n`;
}

export type SampleLabels = Readonly<Record<string, string>>;

/** Writes a sample without a timestamp: its value is the value at the time of the request. */
export function sample(name: string, labels: SampleLabels, value: number): string {
  return sampleLine(name, labelText(labels), value);
}

/** Writes labels as text, which several samples can use. */
export function labelText(labels: SampleLabels): string {
  return Object.entries(labels)
    .map(([label, text]) => `${label}="${escaped(text)}"`)
    .join(',');
}

/** @param labels the text of the labels from `labelText` */
export function sampleLine(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}\n`;
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value + 0);
  return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
}

function escaped(text: string): string {
  return /[\\"\n]/.test(text) ? text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n') : text;
}
