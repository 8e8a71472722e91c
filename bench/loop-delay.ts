import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Measures the delays of the event loop of a server. The file is loaded into the server with `--import`. At each signal SIGUSR2
 * the program writes the 99th percentile and the maximum of the delays since the previous signal, in milliseconds, to the file
 * that LOOP_DELAY_FILE names.
 */
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
process.on('SIGUSR2', () => {
  const [p99, max] = [delays.percentile(99) / 1e6, delays.max / 1e6];
  writeFileSync(process.env['LOOP_DELAY_FILE'] as string, JSON.stringify({ p99, max }));
  delays.reset();
});
