import { connect, type Socket } from 'node:net';

/**
 * A load generator that needs less CPU than the server. It uses raw sockets, sends one request at a time on each, and recognizes
 * a reply by its first bytes. Each reply must arrive in one segment, which is true for replies of a few hundred bytes on
 * loopback.
 */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Latencies in milliseconds, sorted. */
  readonly latencies: Float64Array;
}

export async function load(
  url: string,
  request: string,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const { port } = new URL(url);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(Number(port))));
  const latencies: number[] = [];
  const awake = stayAwake();
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let requests = 0;
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          let sentAt = performance.now();
          socket.on('error', reject);
          socket.on('data', (chunk: Buffer) => {
            if (chunk[0] !== 0x48) return reject(new Error(`not the start of a reply: ${chunk.toString()}`));
            const now = performance.now();
            requests += 1;
            latencies.push(now - sentAt);
            if (now >= end) {
              socket.destroy();
              return resolve();
            }
            sentAt = now;
            socket.write(request);
          });
          socket.write(request);
        }),
    ),
  );
  awake.stop();
  const sorted = Float64Array.from(latencies).sort();
  return { requests, seconds: (performance.now() - startedAt) / 1000, latencies: sorted };
}

/**
 * Keeps the event loop running without a pause. Otherwise this core would sleep whenever the server replies faster than the load
 * sends, and the server would need a system call to wake this core. On a virtual machine that call takes as long as the rest of a
 * request.
 */
function stayAwake(): { stop: () => void } {
  let running = true;
  const turn = () => void (running && setImmediate(turn));
  turn();
  return { stop: () => void (running = false) };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
