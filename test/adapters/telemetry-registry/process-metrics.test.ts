import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { expositionText } from '#adapters/formats/openmetrics/exposition.js';
import { processMetrics } from '#adapters/telemetry-registry/process-metrics.js';
import { Registry } from '#adapters/telemetry-registry/registry.js';
import { parsePrometheus } from '../../support/openmetrics.js';
import { eventually } from '../../support/process.js';

describe('the metrics of the process', () => {
  it('tell of this process, under the names of other client libraries', async () => {
    const registry = new Registry();
    const metrics = processMetrics(registry);
    metrics.start();
    try {
      const read = async () => {
        const families = parsePrometheus(expositionText(await registry.collect(), false));
        return Object.fromEntries(families.map(({ name, samples }) => [name, samples[0]?.value ?? -1]));
      };
      const values = await eventually(read, ({ nodejs_eventloop_lag_max_seconds: max = 0 }) => max > 0);
      const { process_start_time_seconds: start = 0, ...others } = values;
      expect(Math.abs(Date.now() / 1000 - process.uptime() - start)).to.be.lessThan(1);
      expect(others['process_resident_memory_bytes']).to.be.within(2 ** 20, 2 ** 40);
      expect(others['process_cpu_seconds']).to.be.greaterThan(0);
      expect(others['nodejs_heap_size_used_bytes']).to.be.within(2 ** 20, 2 ** 34);
      expect(others['nodejs_external_memory_bytes']).to.be.greaterThan(0);
      expect(others['nodejs_eventloop_busy_seconds']).to.be.greaterThan(0);
      const { nodejs_eventloop_lag_mean_seconds: mean = -1, nodejs_eventloop_lag_max_seconds: max = -1 } =
        others;
      expect(mean).to.be.within(0, max);
      expect(others['nodejs_eventloop_lag_p99_seconds']).to.be.within(0, max);
      if (!existsSync('/proc/self/fd')) return;
      expect(others['process_open_fds']).to.be.within(3, others['process_max_fds'] ?? 0);
    } finally {
      await metrics.stop();
    }
  });
});
