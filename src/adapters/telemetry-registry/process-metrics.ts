import { readdir, readFile } from 'node:fs/promises';
import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Registry } from './registry.js';

/** Milliseconds between two measurements of the delay of the event loop. Each measurement costs some microseconds. */
const RESOLUTION = 20;

/** Directory in which Linux describes the current process. */
const PROC = '/proc/self';

/**
 * Reports the metrics of the process, from `start` on. The metrics have the names that client libraries of Prometheus use. A
 * metric that the system does not provide is left out of the reports.
 */
export function processMetrics(registry: Registry) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  return {
    checks: [],
    start: () => {
      delay.enable();
      define(registry, delay);
    },
    stop: async () => {
      delay.disable();
      return undefined;
    },
  };
}

function define(registry: Registry, delay: IntervalHistogram): void {
  const startedAt = (Date.now() - performance.now()) / 1000;
  const { gauge, observedCounter } = bound(registry);
  observedCounter(
    'process_cpu_seconds_total',
    'CPU time of the process, of user and system together.',
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970-01-01.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Memory of the process in RAM.', () => process.memoryUsage.rss());
  gauge('process_open_fds', 'Open file descriptors.', async () => (await readdir(`${PROC}/fd`)).length);
  gauge('process_max_fds', 'Largest number of open file descriptors.', async () => {
    const limit = /^Max open files +(\d+|unlimited)/m.exec(await readFile(`${PROC}/limits`, 'utf8'))?.[1];
    return limit === 'unlimited' ? Infinity : Number(limit);
  });
  gauge('nodejs_heap_size_used_bytes', 'Used memory of the JavaScript heap of the main thread.', () => {
    return process.memoryUsage().heapUsed;
  });
  gauge('nodejs_external_memory_bytes', 'Memory of buffers outside of the heap.', () => {
    return process.memoryUsage().external;
  });
  observedCounter(
    'nodejs_eventloop_busy_seconds_total',
    'Time in which the event loop of the main thread was not idle.',
    () => performance.eventLoopUtilization().active / 1000,
  );
  let lag = lagsOf(delay);
  // A report reads the metrics in the order of their definition. Reading the mean ends a period of measurement and begins the
  // next period. The 99th percentile and the maximum are read after the mean, and belong to the period that has ended.
  gauge('nodejs_eventloop_lag_mean_seconds', 'Mean delay of timers since the last report.', () => {
    lag = lagsOf(delay);
    delay.reset();
    return lag.mean;
  });
  gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the delay of timers.', () => lag.p99);
  gauge('nodejs_eventloop_lag_max_seconds', 'Longest delay of a timer since the last report.', () => lag.max);
}

/**
 * Returns the delays of timers in seconds. The histogram measures whole intervals between timers, so the planned interval is
 * subtracted.
 */
function lagsOf(delay: IntervalHistogram): Readonly<Record<'mean' | 'p99' | 'max', number>> {
  const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION / 1000);
  // The delays are 0 if the histogram is empty: it then has no mean, and its maximum is not a measured value.
  if (delay.count === 0) return { mean: 0, p99: 0, max: 0 };
  return { mean: lag(delay.mean), p99: lag(delay.percentile(99)), max: lag(delay.max) };
}

function bound(registry: Registry) {
  type Read = () => number | Promise<number>;
  return {
    gauge: (name: string, help: string, read: Read) =>
      registry.gauge({ name, help, processes: 'each' }, read),
    observedCounter: (name: string, help: string, read: Read) =>
      registry.observedCounter({ name, help, processes: 'each' }, read),
  };
}
