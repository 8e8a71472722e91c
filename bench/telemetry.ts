import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expositionText } from '#adapters/formats/openmetrics/exposition.js';
import { RequestMetrics } from '#adapters/http/core/request-metrics.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { median } from './load.js';

/**
 * Measures the CPU time of one recorded sample in nanoseconds, and of a report with the series of 30 routes in milliseconds. The
 * registry of the service and prom-client are measured in alternating rounds. Prints medians.
 */
const ROUNDS = 9;
const SAMPLES = 2_000_000;
const REPORTS = 20;
const TURNS = 20;
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const ROUTES = Array.from({ length: 30 }, (_, route) => `/v1/routes/${route}`);

/** The part of prom-client that is used. */
interface Peer {
  readonly Registry: new () => { metrics(): Promise<string> };
  readonly Counter: new (options: object) => PeerMetric & { inc(labels: object): void };
  readonly Histogram: new (options: object) => PeerMetric & { observe(labels: object, value: number): void };
}
interface PeerMetric {
  labels(labels: object): { inc(): void; observe(value: number): void };
}

const load = createRequire(fileURLToPath(new URL('../../bench/peers/package.json', import.meta.url)));
let peer: Peer;
try {
  peer = load('prom-client') as Peer;
} catch {
  console.error('Run first: npm ci --prefix bench/peers');
  process.exit(1);
}

const registry = new Registry();
const counters = registry.counter({ name: 'counted_total', help: 'Counted.', labels: ['route', 'code'] });
const histograms = registry.histogram(
  { name: 'measured_seconds', help: 'Measured.', labels: ['route'] },
  BOUNDS,
);
const counter = counters({ route: '/', code: '200' });
const histogram = histograms({ route: '/' });
// `requests` has its own registry, so that its series are not in the measured report of `registry`. That report has the same
// series as the report of prom-client.
const requests = new RequestMetrics(new Registry()).of('external');

const peers = new peer.Registry();
const registers = [peers];
const peerCounter = new peer.Counter({
  name: 'counted_total',
  help: 'Counted.',
  labelNames: ['route', 'code'],
  registers,
});
const peerHistogram = new peer.Histogram({
  name: 'measured_seconds',
  help: 'Measured.',
  labelNames: ['route'],
  buckets: BOUNDS,
  registers,
});
const peerChild = peerCounter.labels({ route: '/', code: '200' });
const peerHistogramChild = peerHistogram.labels({ route: '/' });

/** Durations in seconds. Together they fall into all buckets, and most of them are short. */
const durations = Float64Array.from({ length: 1024 }, (_, index) => 0.00002 * 2 ** ((index * 7) % 20));
const durationOf = (sample: number) => durations[sample & 1023] as number;
const routeOf = (sample: number) => ROUTES[sample % ROUTES.length] as string;

const CASES: Readonly<Record<string, (sample: number) => void>> = {
  'nothing (the loop itself)': (sample) => void durationOf(sample),
  'weatherd, counter': () => counter.add(1),
  'weatherd, histogram': (sample) => histogram.observe(durationOf(sample)),
  'weatherd, a request (counter, histogram, look-up of 30 routes)': (sample) =>
    requests({
      method: 'GET',
      route: routeOf(sample),
      status: 200,
      milliseconds: durationOf(sample) * 1000,
    }),
  'prom-client, counter with its labels resolved': () => peerChild.inc(),
  'prom-client, histogram with its labels resolved': (sample) =>
    peerHistogramChild.observe(durationOf(sample)),
  'prom-client, counter': () => peerCounter.inc({ route: '/', code: '200' }),
  'prom-client, histogram': (sample) => peerHistogram.observe({ route: '/' }, durationOf(sample)),
};

/** CPU time of the process in milliseconds. Other processes affect the CPU time less than the elapsed time. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const samples = new Map<string, number[]>();
const note = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value]);
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, recordSample] of Object.entries(CASES)) {
    const count = name.startsWith('prom') ? SAMPLES / 20 : SAMPLES;
    const startedAt = cpuTime();
    for (let sample = 0; sample < count; sample += 1) recordSample(sample);
    const spent = cpuTime() - startedAt;
    // The first round is a warm-up and is not counted.
    if (round > 0) note(name, (spent * 1e6) / count);
  }
}

for (const route of ROUTES) {
  for (const code of ['200', '404']) {
    counters({ route, code }).add(1);
    peerCounter.inc({ route, code });
  }
  histograms({ route }).observe(0.1);
  peerHistogram.observe({ route }, 0.1);
}
const REPORTS_OF: Readonly<Record<string, () => Promise<unknown>>> = {
  'weatherd, report': async () => expositionText(await registry.collect(), false),
  'prom-client, report': () => peers.metrics(),
};
for (let round = 0; round <= REPORTS; round += 1)
  for (const [name, report] of Object.entries(REPORTS_OF)) {
    const startedAt = cpuTime();
    for (let turn = 0; turn < TURNS; turn += 1) await report();
    if (round > 0) note(name, (cpuTime() - startedAt) / TURNS);
  }

console.log(`Medians of ${ROUNDS} rounds of ${SAMPLES} samples, Node.js ${process.version}\n`);
console.log('| Recording | ns |\n| --- | ---: |');
for (const name of Object.keys(CASES))
  console.log(`| ${name} | ${median(samples.get(name) ?? []).toFixed(1)} |`);
console.log('\n| Report of 30 routes | ms |\n| --- | ---: |');
for (const name of Object.keys(REPORTS_OF))
  console.log(`| ${name} | ${median(samples.get(name) ?? []).toFixed(2)} |`);
