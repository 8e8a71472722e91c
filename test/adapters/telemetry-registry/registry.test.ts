import { expect } from 'chai';
import fc from 'fast-check';
import { expositionText } from '#adapters/formats/openmetrics/exposition.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { type MetricFamily, parseOpenMetrics, parsePrometheus } from '../../support/openmetrics.js';

/** Both texts, parsed; they must say the same. */
async function reportOf(registry: Registry): Promise<Map<string, MetricFamily>> {
  const families = await registry.collect();
  const [openMetrics, prometheus] = [
    parseOpenMetrics(expositionText(families, true)),
    parsePrometheus(expositionText(families, false)),
  ];
  expect(prometheus).to.deep.equal(openMetrics.map((family) => ({ ...family, unit: undefined })));
  return new Map(openMetrics.map((family) => [family.name, family]));
}

const valueOf = (family: MetricFamily | undefined, labels: object, suffix?: string) =>
  family?.samples.find(
    (sample) => sample.suffix === suffix && JSON.stringify(sample.labels) === JSON.stringify(labels),
  )?.value;

const text = fc.string({ unit: fc.constantFrom('a', 'é', '"', '\\', '\n', '{', '}', ',', '=', ' ', '#') });

describe('the registry of metrics', () => {
  it('reports what was counted and measured, in both formats, for any labels, bounds and values', async () => {
    const bounds = fc
      .uniqueArray(
        // 0 and -0 are one bound.
        fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }).map((bound) => bound + 0),
        { maxLength: 6 },
      )
      .map((list) => list.toSorted((a, b) => a - b));
    const samples = fc.array(fc.tuple(text, text, fc.double({ min: 0, max: 1e6, noNaN: true })), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(bounds, { maxLength: 1, minLength: 1 }),
        samples,
        async ([list = []], all) => {
          const registry = new Registry();
          const counter = registry.counter({ name: 'a_total', help: 'A.', labels: ['x', 'y'] });
          const histogram = registry.histogram({ name: 'b_seconds', help: 'B.', labels: ['x'] }, list);
          for (const [x, y, value] of all) {
            counter({ x, y }).add(value);
            histogram({ x }).observe(value);
          }
          const report = await reportOf(registry);
          expect(report.get('b_seconds')?.unit).to.equal('seconds');
          for (const [x, y] of all) {
            const same = all.filter((one) => one[0] === x);
            const sum = (part: typeof all) => part.reduce((total, [, , value]) => total + value, 0);
            expect(valueOf(report.get('a'), { x, y })).to.equal(sum(same.filter((one) => one[1] === y)));
            expect(valueOf(report.get('b_seconds'), { x }, '_sum')).to.equal(sum(same));
            const ofSeries = report.get('b_seconds')?.samples.filter(({ labels }) => labels['x'] === x) ?? [];
            const counts = ofSeries.filter(({ suffix }) => suffix === '_bucket').map(({ value }) => value);
            const upTo = (bound: number) => same.filter(([, , value]) => value <= bound).length;
            expect(counts).to.deep.equal([...list, Infinity].map(upTo));
          }
        },
      ),
    );
  });

  it('keeps hundreds of series apart', async () => {
    const registry = new Registry();
    const counter = registry.counter({ name: 'a_total', help: 'A.', labels: ['x'] });
    const histogram = registry.histogram({ name: 'b', help: 'B.', labels: ['x'] }, [1, 2, 3]);
    const series = Array.from({ length: 500 }, (_, x) => ({ labels: { x: String(x) }, x }));
    for (const { labels, x } of series) {
      counter(labels).add(x);
      histogram(labels).observe(x % 5);
    }
    const report = await reportOf(registry);
    for (const { labels, x } of series) {
      expect(report.get('a')?.samples[x]).to.deep.equal({ labels, value: x });
      const sum = { suffix: '_sum', labels, value: x % 5 };
      // Four buckets, the sum and the count of each series.
      expect(report.get('b')?.samples[6 * x + 4]).to.deep.equal(sum);
      expect(report.get('b')?.samples[6 * x + 5]).to.deep.equal({ ...sum, suffix: '_count', value: 1 });
    }
  });

  it('reads gauges for each report, and reports values that are no finite numbers', async () => {
    const registry = new Registry();
    let value = 1;
    registry.gauge({ name: 'a_bytes', help: 'A.' }, () => value);
    registry.observedCounter({ name: 'b_total', help: 'B.' }, async () => value + 1);
    registry.gauge({ name: 'c', help: 'C.', labels: ['x'] }, () => [{ labels: { x: '"' }, value: -value }]);
    const values = async () =>
      [...(await reportOf(registry)).values()].map(({ samples }) => samples[0]?.value);
    expect(await values()).to.deep.equal([1, 2, -1]);
    value = Infinity;
    expect(await values()).to.deep.equal([Infinity, Infinity, -Infinity]);
  });

  it('leaves out a gauge that fails, and one that does not answer, which is not asked again until it has answered', async () => {
    const registry = new Registry(1);
    let asked = 0;
    let answer: (value: number) => void = () => undefined;
    registry.gauge({ name: 'sound', help: 'A.' }, () => 1);
    registry.gauge({ name: 'throws', help: 'A.' }, () => {
      throw new Error('a failure');
    });
    registry.gauge({ name: 'rejects', help: 'A.' }, () => Promise.reject(new Error('a failure')));
    registry.gauge({ name: 'hangs', help: 'A.' }, () => {
      asked += 1;
      return new Promise((resolve) => (answer = resolve));
    });
    const names = async () => [...(await reportOf(registry)).keys()];
    expect(await Promise.all([names(), names()])).to.deep.equal([['sound'], ['sound']]);
    expect(await names()).to.deep.equal(['sound']);
    expect(asked).to.equal(1);
    const late = new Registry();
    late.gauge({ name: 'hangs', help: 'A.' }, () => new Promise((resolve) => (answer = resolve)));
    const report = Promise.all([reportOf(late), reportOf(late)]);
    setImmediate(() => answer(7));
    for (const one of await report) expect(valueOf(one.get('hangs'), {})).to.equal(7);
  });

  it('refuses names that break the rules of Prometheus, and a name that is in use', () => {
    const registry = new Registry();
    registry.gauge({ name: 'used', help: 'A.' }, () => 1);
    const refused: readonly (readonly [name: string, help: string, fault: RegExp])[] = [
      ['used', 'A.', /defined twice/],
      ['Upper', 'A.', /not a valid name/],
      ['a-b', 'A.', /not a valid name/],
      ['1a', 'A.', /not a valid name/],
      ['', 'A.', /not a valid name/],
      ['a_total', 'A.', /not a valid name of a gauge/],
      ['a', 'Without an end', /help/],
      ['a', 'Two\nlines.', /help/],
      ['a', 'With "quotes".', /help/],
    ];
    for (const [name, help, fault] of refused)
      expect(() => registry.gauge({ name, help }, () => 1), name).to.throw(fault);
    expect(() => registry.counter({ name: 'a', help: 'A.' })).to.throw(/not a valid name of a counter/);
    for (const bounds of [[1, 1], [2, 1], [Number.NaN], [Infinity]])
      expect(() => registry.histogram({ name: 'h', help: 'A.' }, bounds), String(bounds)).to.throw(
        /ascending order/,
      );
  });
});
