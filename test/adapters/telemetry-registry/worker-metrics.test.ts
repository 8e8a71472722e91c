import { expect } from 'chai';
import fc from 'fast-check';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { WorkerMetrics } from '#adapters/telemetry-registry/worker-metrics.js';

const WORKERS = 2;

/** The metrics of one process. */
class Process {
  readonly registry = new Registry();
  readonly count;
  readonly observe;
  gauge = 0;

  constructor() {
    const { registry } = this;
    this.count = registry.counter({ name: 'a_total', help: 'A.', labels: ['x'] });
    this.observe = registry.histogram({ name: 'b_seconds', help: 'B.', labels: ['x'] }, [1, 2]);
    registry.gauge({ name: 'sum', help: 'C.', processes: 'sum' }, () => this.gauge);
    registry.gauge({ name: 'each', help: 'D.', processes: 'each' }, () => this.gauge);
    registry.gauge({ name: 'main', help: 'E.' }, () => this.gauge);
    registry.observedCounter({ name: 'each_total', help: 'F.', processes: 'each' }, () => this.gauge);
  }
}

/** The value of each sample of a report, by its name and labels. */
async function samplesOf(report: ReturnType<WorkerMetrics['collectWith']>): Promise<Map<string, number>> {
  const samples = new Map<string, number>();
  const add = (name: string, value: number) => {
    expect(samples.has(name), name).to.equal(false);
    samples.set(name, value);
  };
  for (const { name, series } of await report) {
    for (const { labels, value, buckets = [] } of series) {
      const key = [name, ...Object.entries(labels).flat()].join(' ');
      add(key, value);
      for (const [bound, count] of buckets) add(`${key} ${bound}`, count);
    }
  }
  return samples;
}

type Step =
  | { readonly kind: 'count'; readonly process: number; readonly x: string; readonly value: number }
  | { readonly kind: 'end'; readonly process: number }
  | { readonly kind: 'report'; readonly hanging: readonly number[] };

const worker = fc.integer({ min: 1, max: WORKERS });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('count' as const),
      process: fc.integer({ min: 0, max: WORKERS }),
      x: fc.constantFrom('p', 'q'),
      value: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), process: worker }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('report' as const), hanging: fc.uniqueArray(worker) }),
  },
);

describe('the metrics of worker processes', () => {
  it('are added up as they were last told, and no count falls, whatever processes hang and end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const processes = Array.from({ length: WORKERS + 1 }, () => new Process());
        const at = (number: number) => processes[number] as Process;
        let hanging: readonly number[] = [];
        const ask = (number: number) =>
          hanging.includes(number)
            ? new Promise((_, reject) => (hung[number] = reject))
            : at(number).registry.collectForMain();
        const hung: ((error: Error) => void)[] = [];
        const metrics = new WorkerMetrics(WORKERS, ask, 0);
        // The model: what was counted by each process number, and how much of it the main process knows.
        const counted = processes.map((): Record<string, number> => ({ p: 0, q: 0 }));
        const told = processes.map((): Record<string, number> => ({ p: 0, q: 0 }));
        let before = new Map<string, number>();
        const report = async (hangingNow: readonly number[]) => {
          hanging = hangingNow;
          const samples = await samplesOf(metrics.collectWith(at(0).registry));
          for (const [index, counts] of counted.entries())
            if (!hanging.includes(index)) told[index] = { ...counts };
          for (const x of ['p', 'q']) {
            const sum = told.reduce((total, counts) => total + (counts[x] ?? 0), 0);
            expect(samples.get(`a_total x ${x}`) ?? 0).to.equal(sum);
            expect(samples.get(`b_seconds x ${x}`) ?? 0).to.equal(sum);
          }
          for (const [name, value] of before)
            if (/^(?:\w+_total|b_seconds) /.test(name)) expect(samples.get(name), name).to.be.at.least(value);
          before = samples;
          // The answers that are late are lost here, as those of a process that ends.
          for (const reject of hung.splice(0)) reject?.(new Error('it has ended'));
          await new Promise((resolve) => setImmediate(resolve));
        };
        for (const one of steps) {
          if (one.kind === 'report') await report(one.hanging);
          else if (one.kind === 'count') {
            const { process: number, x, value } = one;
            at(number).count({ x }).add(value);
            at(number).observe({ x }).observe(value);
            at(number).gauge += 1;
            const counts = counted[number] as Record<string, number>;
            counts[x] = (counts[x] ?? 0) + value;
          } else {
            metrics.ended(one.process);
            processes[one.process] = new Process();
            // What it had not told is lost.
            counted[one.process] = { ...told[one.process] };
          }
        }
        await report([]);
      }),
      { numRuns: 60 },
    );
  });

  it('have gauges as their definitions say: of the main process, added up, or of each process', async () => {
    const processes = Array.from({ length: WORKERS + 1 }, () => new Process());
    for (const [index, process] of processes.entries()) process.gauge = 10 ** index;
    const ask = async (number: number) => await processes[number]?.registry.collectForMain();
    const metrics = new WorkerMetrics(WORKERS, ask);
    const report = async () =>
      Object.fromEntries(await samplesOf(metrics.collectWith((processes[0] as Process).registry)));
    const all = {
      sum: 111,
      each: 1,
      'each process 1': 10,
      'each process 2': 100,
      main: 1,
      each_total: 1,
      'each_total process 1': 10,
      'each_total process 2': 100,
    };
    expect(await report()).to.deep.equal(all);
    // A process that has ended has no state any more, but what it counted is kept.
    metrics.ended(1);
    processes[1] = undefined as never;
    const { 'each process 1': _ended, ...others } = all;
    expect(await report()).to.deep.equal({ ...others, sum: 101 });
  });

  it('share an answer that is awaited, and ignore one that comes after the end of its process', async () => {
    const old = new Process();
    old.count({ x: 'p' }).add(5);
    let asked = 0;
    let answer: () => void = () => undefined;
    const ask = () => {
      asked += 1;
      return new Promise((resolve) => (answer = () => resolve(old.registry.collectForMain())));
    };
    const metrics = new WorkerMetrics(1, ask, 0);
    const main = new Process();
    const report = () => samplesOf(metrics.collectWith(main.registry));
    await Promise.all([report(), report()]);
    expect(asked).to.equal(1);
    metrics.ended(1);
    answer();
    await new Promise((resolve) => setImmediate(resolve));
    expect((await report()).get('a_total x p')).to.equal(undefined);
    expect(asked).to.equal(2);
  });
});
