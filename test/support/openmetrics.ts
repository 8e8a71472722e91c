export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly unit: string | undefined;
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  /** `_bucket`, `_sum` or `_count` in a histogram; missing if the sample has the name of the family. */
  readonly suffix?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const OPENMETRICS_HEAD = new RegExp(
  `^# TYPE (?<name>${NAME}) (?<type>\\w+)\\n(?:# UNIT \\1 (?<unit>\\w+)\\n)?# HELP \\1 (?<help>[^\\n]*)\\n`,
);
const PROMETHEUS_HEAD = new RegExp(
  `^# HELP (?<name>${NAME}) (?<help>[^\\n]*)\\n# TYPE \\1 (?<type>counter|gauge|histogram)\\n`,
);
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{((?:${LABEL}(?:,(?=[a-z])|(?=\\})))+)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|[+-]Inf|NaN)\\n`,
);
const RESERVED = /_(?:total|created|count|sum|bucket|gcount|gsum)$/;
/**
 * Matches a bound of a bucket in the form that OpenMetrics requires: `1.0`, and not `1`. The text format of Prometheus allows
 * both, but must have this form here too, so that a series has the same labels in both formats.
 */
const BOUND = /^-?\d+(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)$/;

/**
 * Parses gauges, counters and histograms without timestamps by the strict grammar of OpenMetrics 1.0: the text ends with `# EOF`,
 * the samples of a family are consecutive, and the name of a family ends with its unit.
 *
 * @throws Error with the text that cannot be parsed
 */
export function parseOpenMetrics(text: string): MetricFamily[] {
  const families = parse(text, OPENMETRICS_HEAD, '# EOF\n');
  for (const { name, unit } of families) {
    if (unit !== undefined && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end in ${unit}`);
    if (RESERVED.test(name)) throw new Error(`${name}: reserved`);
  }
  return families;
}

/**
 * Parses the text format 0.0.4 of Prometheus with the same strictness. In this format the names of counters end with `_total`.
 * The result contains the names without `_total`, as in OpenMetrics.
 *
 * @throws Error with the text that cannot be parsed
 */
export function parsePrometheus(text: string): MetricFamily[] {
  return parse(text, PROMETHEUS_HEAD, '').map((family) => {
    if ((family.type === 'counter') !== family.name.endsWith('_total'))
      throw new Error(`${family.name}: not the name of a ${family.type}`);
    return { ...family, name: family.name.replace(/_total$/, '') };
  });
}

function parse(text: string, headPattern: RegExp, end: string): MetricFamily[] {
  const families: MetricFamily[] = [];
  let remaining = text;
  while (remaining !== end) {
    const head = headPattern.exec(remaining);
    if (head === null) throw new Error(`This is not the head of a family: ${remaining.slice(0, 200)}`);
    const { name = '', type = '', unit, help = '' } = head.groups ?? {};
    if (families.some((family) => family.name === name)) throw new Error(`The family ${name} occurs twice.`);
    remaining = remaining.slice(head[0].length);
    const samples: MetricSample[] = [];
    const seen = new Set<string>();
    for (let found = SAMPLE.exec(remaining); found !== null; found = SAMPLE.exec(remaining)) {
      const [line, ofSample = '', labels = '', value = ''] = found;
      const suffix = suffixOf(ofSample, name, type);
      if (seen.has(`${ofSample} ${labels}`)) throw new Error(`This sample occurs twice: ${line}`);
      seen.add(`${ofSample} ${labels}`);
      samples.push({
        ...(suffix !== '' && { suffix }),
        labels: labelsOf(labels),
        value: Number(value.replace('Inf', 'Infinity')),
      });
      remaining = remaining.slice(line.length);
    }
    if (type === 'histogram') assertHistogram(name, samples);
    if (type === 'counter' && samples.some((one) => !(one.value >= 0)))
      throw new Error(`${name}: not a counter`);
    families.push({ name, type, unit, help, samples });
  }
  return families;
}

function suffixOf(sample: string, family: string, type: string): string {
  const suffix = sample.slice(family.length);
  const allowed = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  const isCounter = type === 'counter' && (suffix === '_total' || family.endsWith('_total'));
  if (!sample.startsWith(family) || (!allowed.includes(suffix) && !isCounter))
    throw new Error(`${sample} among samples of ${family}`);
  if (type === 'counter' && !sample.endsWith('_total'))
    throw new Error(`${sample}: a counter without _total`);
  return isCounter ? '' : suffix;
}

/** Checks that bounds and counts of the buckets of each series increase, and that the last bucket counts all values. */
function assertHistogram(name: string, samples: readonly MetricSample[]): void {
  const series = new Map<string, MetricSample[]>();
  for (const sample of samples) {
    const { le: _le, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [labels, parts] of series) {
    const valueOf = (suffix: string) => parts.filter((part) => part.suffix === suffix);
    const buckets = valueOf('_bucket');
    const [counts, sums] = [valueOf('_count'), valueOf('_sum')];
    const bounds = buckets.map((bucket) => bucket.labels['le'] ?? '');
    const numbers = bounds.map((bound) => Number(bound.replace('Inf', 'Infinity')));
    const rises = (list: readonly number[], mayStay: boolean) =>
      list.every((number, index) => {
        const before = list[index - 1] ?? -Infinity;
        return mayStay ? number >= before : number > before;
      });
    const isValid =
      counts.length === 1 &&
      sums.length === 1 &&
      bounds.at(-1) === '+Inf' &&
      bounds.slice(0, -1).every((bound) => BOUND.test(bound)) &&
      rises(numbers, false) &&
      rises([0, ...buckets.map(({ value }) => value)], true) &&
      buckets.at(-1)?.value === counts[0]?.value;
    if (!isValid) throw new Error(`${name} ${labels} is not a valid histogram.`);
  }
}

function labelsOf(text: string): Record<string, string> {
  const pairs = text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, next: string) => (next === 'n' ? '\n' : next)),
    ]),
  );
}
