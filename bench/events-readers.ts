import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { sharedNow } from './clock.js';

/**
 * The program that reads the streams for `events.ts`, in its own process: `node events-readers.js STATIONS`. It replies to each
 * task.
 */
export type ReadersTask =
  /** Opens a stream for each path, from addresses in 127.0.0.0/8. */
  | { readonly name: 'open'; readonly port: number; readonly paths: readonly string[] }
  /** Discards the received events and starts to measure. */
  | { readonly name: 'begin' }
  /** @see EventsOutcome.commits */
  | { readonly name: 'end'; readonly commits: readonly (readonly [time: number, committedAt: number])[] }
  | { readonly name: 'close' };

export interface ReadersOutcome {
  /** Milliseconds from the commit to the reader, sorted. */
  readonly delays: Float64Array;
  /** CPU time in milliseconds since the task `begin`. */
  readonly cpu: number;
  /** Number of streams that the service has closed. */
  readonly cut: number;
}

const STREAMS_OF_ADDRESS = 50;
const HOUR = 3_600_000;
const STATION = Buffer.from('{"station":"station-');
/** Number of digits of the number in the id of a station. */
const DIGITS = 5;
const TO = Buffer.from('"to":"');
/** Length of `2026-11-22T12:34:56.789Z`. The fraction is missing if it is 0. */
const TIME_LENGTH = 24;
const POINT = 46;
/** Smallest number of bytes of an event. An event has the values of twelve variables. */
const MIN_LENGTH = 500;
/** All streams use one buffer, because the bytes of each read are processed before the next read. */
const buffer = Buffer.alloc(65_536);

const stations = Number(process.argv[2]);
let sockets: Socket[] = [];
let cpu = process.cpuUsage();
/** For each event: the time of its newest row in milliseconds after the full hour, and the time of its arrival. */
let times = new Float64Array(1 << 20);
let arrivals = new Float64Array(1 << 20);
let count = 0;

process.on('message', (task: ReadersTask) => void perform(task).then((result) => process.send?.(result)));
process.on('disconnect', () => process.exit());

async function perform(task: ReadersTask): Promise<ReadersOutcome | ReadersTask['name']> {
  if (task.name === 'end') return outcomeOf(task.commits);
  if (task.name === 'open') {
    sockets = [];
    for (const [index, path] of task.paths.entries()) sockets.push(await open(task.port, index, path));
  } else if (task.name === 'begin') {
    cpu = process.cpuUsage();
    count = 0;
  } else for (const socket of sockets) socket.destroy();
  return task.name;
}

async function open(port: number, index: number, path: string): Promise<Socket> {
  const address = Math.floor(index / STREAMS_OF_ADDRESS);
  const newest = new Float64Array(stations + 1).fill(Number.NaN);
  let head = '';
  const socket = connect({
    port,
    host: '127.0.0.1',
    localAddress: `127.1.${address >> 7}.${1 + (address & 127)}`,
    onread: {
      buffer,
      callback: (length) => {
        if (head === '') socket.emit('head', (head = buffer.toString('latin1', 0, length)));
        else note(buffer.subarray(0, length), newest, sharedNow());
        return true;
      },
    },
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await once(socket, 'head');
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head);
  return socket.on('error', () => undefined);
}

/**
 * Records the events in the received bytes that report a new row. Events that report new verdicts of older rows are not recorded.
 * An event that is divided between two reads is not counted.
 *
 * @param newest the time of the newest reported row of each station, by number of the station, in milliseconds after the full
 *   hour
 */
function note(bytes: Buffer, newest: Float64Array, now: number): void {
  for (let at = bytes.indexOf(STATION); at !== -1; at = bytes.indexOf(STATION, at + MIN_LENGTH)) {
    const begin = at + STATION.length;
    const label = bytes.indexOf(TO, begin + DIGITS);
    if (label === -1 || label + TO.length + TIME_LENGTH > bytes.length) return;
    const station = numberAt(bytes, begin, DIGITS);
    const to = label + TO.length;
    const fraction = bytes[to + 19] === POINT ? numberAt(bytes, to + 20, 3) : 0;
    const time = (numberAt(bytes, to + 14, 2) * 60 + numberAt(bytes, to + 17, 2)) * 1000 + fraction;
    const ahead = (time - (newest[station] as number) + HOUR) % HOUR;
    if (ahead === 0 || ahead > HOUR / 2) continue;
    newest[station] = time;
    if (count === times.length) [times, arrivals] = [twice(times), twice(arrivals)];
    times[count] = time;
    arrivals[count] = now;
    count += 1;
  }
}

function numberAt(bytes: Buffer, at: number, digits: number): number {
  let number = 0;
  for (let place = at; place < at + digits; place += 1) number = 10 * number + (bytes[place] as number) - 48;
  return number;
}

function twice(column: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(column.length * 2);
  longer.set(column);
  return longer;
}

function outcomeOf(commits: readonly (readonly [number, number])[]): ReadersOutcome {
  const { user, system } = process.cpuUsage(cpu);
  const committedAt = new Map(commits.map(([time, at]) => [time % HOUR, at]));
  const delays = arrivals
    .subarray(0, count)
    .map((at, index) => at - (committedAt.get(times[index] as number) ?? Number.NaN))
    .filter((delay) => !Number.isNaN(delay))
    .sort();
  return { delays, cpu: (user + system) / 1000, cut: sockets.filter(({ destroyed }) => destroyed).length };
}
