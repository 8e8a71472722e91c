import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileLoad, type InternalServer, startWithStations } from './internal-load.js';
import { type Measure, oneAfterTheOther } from './pair-builds.js';

const STATIONS = 1000;
const STEPS = 500;
const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);
/** Milliseconds to wait until the deferred work of a service is finished. The CPU time of this work is included. */
const REST = 2500;

/**
 * Measures the CPU time of the service per row, while a program in C writes and reads rows of twelve variables over the internal
 * API. It also measures the time that a write takes, in which quality control checks the rows that are already written. A read
 * begins when quality control has ended.
 */
export async function pairInternal(root: string): Promise<Measure> {
  const load = compileLoad(root);
  return oneAfterTheOther(async (checkout, folder) => {
    const main = join(checkout, 'dist/service/main.js');
    const figures: Record<string, number> = {};
    const measure = async (name: string, { server }: InternalServer, work: () => number) => {
      if (name.startsWith('read')) await server.rest();
      const before = server.cpu();
      const started = performance.now();
      const rows = work();
      const elapsed = performance.now() - started;
      if (name.startsWith('write')) figures[`${name}: elapsed`] = (elapsed * 1e3) / rows;
      await sleep(REST);
      figures[name] = ((server.cpu() - before) * 1e6) / rows;
    };
    for (const [name, stations, steps, post, connections, order] of [
      ['write, time order, one connection', STATIONS, STEPS, 10_000, 1, 'time'],
      ['write, time order, posts of 1,000 over eight', STATIONS, STEPS, 1000, 8, 'time'],
      ['write, years of stations', 10, 52_560, 10_512, 1, 'station'],
    ] as const) {
      const started = await startWithStations(main, `${folder}-${order}-${post}`, STATIONS);
      const target = `${started.url}/v1/observations`;
      await measure(name, started, () => {
        load('frames', target, 1, stations, 0, steps, post, connections, order, '-');
        return stations * steps;
      });
      const read = (path: string, rounds: number) => load('read', target, path, rounds, '-');
      if (order === 'station')
        await measure('read, a year of a station', started, () => {
          read('?stations=1', 20);
          return 20 * 52_560;
        });
      else if (connections === 1)
        await measure('read, a day of a station', started, () => {
          read(`?stations=2&from=${START}&to=${START + DAY}`, 2000);
          return 2000 * 144;
        });
      await started.server.stop();
    }
    return figures;
  });
}
