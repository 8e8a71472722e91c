import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { PutStations } from '#application/stations/put-stations.js';
import { loadConfig } from '#composition/config.js';
import { startService } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { sharedNow } from './clock.js';
import { makeBatch, makeStations } from './weather-data.js';

/** A service that writes rows itself, for `events.ts`: `node events-case.js STATIONS`. Its settings are in the environment. */
export interface EventsTask {
  /** Duration of the task in milliseconds. During this time the service writes 1,000 rows/s. */
  readonly milliseconds: number;
}

export interface EventsOutcome {
  /** For each commit: the time of its rows in milliseconds since 1970, and the time of the reply to the write, as `sharedNow`. */
  readonly commits: readonly (readonly [time: number, committedAt: number])[];
  readonly rows: number;
  /** Mean duration of a write in milliseconds. */
  readonly write: number;
  /** Mean CPU time of all threads during a write in milliseconds. Other programs change it less than the duration. */
  readonly writeCpu: number;
  /** CPU time of all threads in milliseconds. */
  readonly cpu: number;
  /** Bytes of resident memory. */
  readonly memory: number;
}

/** Number of rows in a commit, and milliseconds between two commits. */
const ROWS = 20;
const INTERVAL = 20;

const log = { logger: silent(), requestWriter: () => () => undefined } as never;
const service = await startService(loadConfig(undefined, process.env), log);
const { container } = service.application;
const made = await container.get(PutStations).execute(makeStations(Number(process.argv[2])), COMMAND_LINE);
const numbers = Array.from(made, (_, index) => index + 1);
const queue = container.get(CommitQueue);
let written = 0;

process.on('message', (task: EventsTask) => void write(task).then((outcome) => process.send?.(outcome)));
process.on('disconnect', () => void service.stop());
process.send?.(service.externalUrl);

async function write({ milliseconds }: EventsTask): Promise<EventsOutcome> {
  const commits: [number, number][] = [];
  let [spent, spentCpu] = [0, 0];
  const before = process.cpuUsage();
  const startedAt = performance.now();
  for (let due = startedAt; due < startedAt + milliseconds; due += INTERVAL) {
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    const stations = Array.from(
      { length: ROWS },
      (_, at) => numbers[(written + at) % numbers.length] as number,
    );
    const batch = makeBatch(
      stations.toSorted((a, b) => a - b),
      0,
      1,
      'station',
    );
    const time = Math.max(Date.now(), (commits.at(-1)?.[0] ?? 0) + 1);
    batch.times.fill(time);
    written += ROWS;
    const [began, beganCpu] = [performance.now(), process.cpuUsage()];
    await queue.write({ batch });
    spent += performance.now() - began;
    spentCpu += millisecondsOf(process.cpuUsage(beganCpu));
    commits.push([time, sharedNow()]);
  }
  const cpu = millisecondsOf(process.cpuUsage(before));
  // Waits for the last events, which are still being sent.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    commits,
    rows: commits.length * ROWS,
    write: spent / commits.length,
    writeCpu: spentCpu / commits.length,
    cpu,
    memory: process.memoryUsage.rss(),
  };
}

function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

function silent() {
  const nothing = () => undefined;
  const logger = { info: nothing, warn: nothing, error: nothing, isLevelEnabled: () => false };
  return { ...logger, child: () => logger };
}
