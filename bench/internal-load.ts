import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endFrame } from '#adapters/formats/frames/small-frames.js';
import { stationsFrame } from '#adapters/formats/frames/stations-frame.js';
import { freePort } from './line-protocol-peers.js';
import { type ServerProcess, startServer } from './server-process.js';
import { makeStations } from './weather-data.js';

const SOURCES = fileURLToPath(new URL('../../', import.meta.url));

/** Runs the load program of `bench/internal/load.c`, and returns the numbers that it prints. */
export type Load = (...parameters: readonly (string | number)[]) => number[];

/** Compiles the load program into a folder. @throws Error without a C compiler and libcurl */
export function compileLoad(folder: string): Load {
  const program = join(folder, 'load');
  const source = `${SOURCES}bench/internal/load.c`;
  const libraries = ['-lcurl', '-lm', '-lpthread'];
  const parameters = ['-O2', `-I${SOURCES}clients/c`, source, '-o', program, ...libraries];
  if (spawnSync('cc', parameters, { stdio: 'inherit' }).status !== 0)
    throw new Error('The load program cannot be compiled. Install cc and libcurl.');
  return (...sent) => {
    const { stdout, stderr, status } = spawnSync(program, sent.map(String), { encoding: 'utf8' });
    if (status !== 0) throw new Error(`load ${sent.join(' ')}: ${stderr}`);
    return stdout.trim().split(' ').map(Number);
  };
}

export interface InternalServer {
  readonly server: ServerProcess;
  /** The URL of the internal API. */
  readonly url: string;
  /** The URL of the health request of the internal API. */
  readonly health: string;
}

/**
 * Starts a service with its own stations, on both cores.
 *
 * @param main path of the program of the service
 * @param folder folder for its data, which must not exist
 */
export async function startWithStations(
  main: string,
  folder: string,
  stations: number,
): Promise<InternalServer> {
  const port = await freePort();
  const settings = {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: String(port),
    WEATHERD_DATA_DIR: folder,
  };
  const server = await startServer([main], settings, `${folder}.log`, '0,1');
  const url = `http://127.0.0.1:${port}`;
  const unknown = { number: 0, first: null, last: null, count: 0 };
  const records = makeStations(stations).map((station) => ({ ...station, ...unknown }));
  const response = await fetch(`${url}/v1/stations`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.weatherd.frames' },
    body: Buffer.concat([stationsFrame(records), endFrame(stations, 1)]),
  });
  if (!response.ok) throw new Error(`stations: ${response.status}`);
  return { server, url, health: `${url}/v1/health/info` };
}
