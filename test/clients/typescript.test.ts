import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Reply, WeatherdClient, WeatherdError } from '../../clients/typescript/src/client.js';
import { readBlocks } from '../../clients/typescript/src/event-blocks.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { loadConfig } from '#composition/config.js';
import { type Service, startService } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { silentLog } from '../support/place.js';
import { OPTIMIZE_LATER, Workplace } from '../support/process.js';
import { sentColumns } from '../support/weather-world.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = join(ROOT, 'clients/typescript');
const SCHEMA = join(FOLDER, 'src/schema.ts');
const COMPILERS = [
  join(FOLDER, 'node_modules/typescript/bin/tsc'),
  join(ROOT, 'node_modules/typescript/bin/tsc'),
] as const;

/** Runs a program in the folder of the client. Its output is the message of the error if it fails. */
async function run(file: string, ...parameters: string[]): Promise<string> {
  const finished = promisify(execFile)(process.execPath, [...OPTIMIZE_LATER, file, ...parameters], {
    cwd: FOLDER,
    maxBuffer: 16_777_216,
  });
  const { stdout } = await finished.catch(({ stdout: out, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(out + stderr);
  });
  return stdout;
}

const PASSWORD = 'correct horse battery staple';

describe('TypeScript client', () => {
  let workplace: Workplace;
  let service: Service;

  before(async () => {
    workplace = await Workplace.make();
    await workplace.makeDemo();
    const config = loadConfig(undefined, {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: workplace.dataDir,
    });
    service = await startService(config, silentLog);
  });
  after(async () => {
    await service.stop();
    await workplace.remove();
  });

  const make = (fetcher?: typeof fetch) => new WeatherdClient(service.externalUrl, fetcher);

  it('has the types that the generator makes from the document', async () => {
    const generator = join(FOLDER, 'node_modules/openapi-typescript/bin/cli.js');
    const text = await run(generator, join(ROOT, 'docs/openapi-external.json'));
    if (process.env['UPDATE_GOLDEN'] !== undefined) writeFileSync(SCHEMA, text);
    expect(text).to.equal(readFileSync(SCHEMA, 'utf8'));
  });

  it('compiles in a program, which gets the types of paths, queries and replies', async () => {
    for (const compiler of COMPILERS) await run(compiler, '-p', join(FOLDER, 'test'));
  });

  it('builds to modules with types', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weatherd-client-'));
    // The compiler of the package has checked these modules and their declarations above, and takes five times as long.
    await run(COMPILERS[1], '-p', FOLDER, '--outDir', folder);
    const { exports: paths } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
    for (const path of Object.values<string>(paths['.'])) {
      expect(existsSync(join(folder, path.replace('./dist/', ''))), path).to.equal(true);
    }
    rmSync(folder, { recursive: true });
  });

  it('reads JSON, and files of other forms', async () => {
    const query = { from: '2013-07-18T12:00:00Z', to: '2013-07-18T15:00:00Z', variables: 'air_temperature' };
    const path = { id: 'JFK' };
    const rows = await make().get('/v1/stations/{id}/observations', { path, query });
    expect(rows.observations.time).to.have.length(3);
    expect(rows.observations['air_temperature']).to.have.length(3);
    const file = await make().response('/v1/stations/{id}/observations', {
      path,
      query: { ...query, format: 'csv', limit: 'all' },
    });
    expect((await file.text()).split('\r\n')[0]).to.equal('time,air_temperature,quality');
  });

  it('goes through the pages', async () => {
    const { stations } = await make().get('/v1/stations');
    const found: string[] = [];
    for await (const page of make().pages('/v1/stations', { query: { limit: 1 } })) {
      expect(page.stations).to.have.length(1);
      found.push(...page.stations.map(({ id }) => id));
    }
    expect(found).to.deep.equal(stations.map(({ id }) => id));
    expect(found.length).to.be.above(1);
  });

  it('fails with the code of the service, and without a reply with UNREACHABLE', async () => {
    const unknown = await make()
      .get('/v1/stations/{id}', { path: { id: 'a/b' } })
      .catch((error: unknown) => error);
    expect(unknown).to.be.instanceOf(WeatherdError).and.include({ code: 'STATION_UNKNOWN', status: 404 });
    const nobody = new WeatherdClient('http://127.0.0.1:1');
    expect(await nobody.get('/').catch((error: unknown) => error)).to.include({
      code: 'UNREACHABLE',
      status: 0,
    });
  });

  it('sends a token, also one that is elevated', async () => {
    const password = PASSWORD;
    const root = { name: 'root', email: 'root@example.org', password, administrator: true };
    await service.application.useCase(AddUser).execute(root, COMMAND_LINE);
    const administrator = make();
    const basic = await administrator.post('/v1/auth/authenticate/', {
      body: { username: 'root', email: null, password },
    });
    administrator.token = basic.token;
    const erase = () =>
      administrator
        .delete('/v1/stations/{id}', { path: { id: 'NOBODY' } })
        .catch((error: WeatherdError) => error.code);
    expect(await erase()).to.equal('AUTH_ELEVATION_REQUIRED');
    const elevated = await administrator.post('/v1/auth/elevate/', { body: { password } });
    administrator.token = elevated.token;
    expect(await erase()).to.equal('STATION_UNKNOWN');
    await administrator.post('/v1/auth/revoke/', { body: { scope: 'session' } });
    expect(await erase()).to.equal('AUTH_TOKEN_INVALID');
  });

  it('takes a token of a function, and changes a station on the condition that it is as it was read', async () => {
    const client = make();
    let token = '';
    client.token = () => token;
    const body = { username: 'root', email: null, password: PASSWORD };
    ({ token } = await client.post('/v1/auth/authenticate/', { body }));
    ({ token } = await client.post('/v1/auth/elevate/', { body: { password: PASSWORD } }));
    const path = { id: 'LGA' };
    const query = { inventory: 'false' } as const;
    const response = await client.response('/v1/stations/{id}', { path, query });
    const { station } = (await response.json()) as Reply<'/v1/stations/{id}', 'get'>;
    const { latitude, longitude, time_zone } = station;
    const name = 'Changed';
    const header = { 'If-Match': response.headers.get('etag') ?? '' };
    const options = { path, header, body: { name, latitude, longitude, time_zone } };
    const change = () => client.put('/v1/stations/{id}', options);
    expect((await change()).station.name).to.equal(name);
    expect(await change().catch((error: WeatherdError) => error.code)).to.equal('PRECONDITION_FAILED');
  });

  it('follows events, and goes on after a broken line', async () => {
    const write = (hour: number) =>
      service.application.useCase(RecordObservations).execute(
        {
          stations: 'JFK',
          times: Float64Array.of(Date.UTC(2014, 0, 1, hour)),
          columns: sentColumns({ air_temperature: [hour] }),
        },
        COMMAND_LINE,
      );
    const opened: string[] = [];
    let lines: AbortController | undefined;
    const breakable: typeof fetch = async (target, init) => {
      lines = new AbortController();
      const response = await fetch(target, { ...init, signal: lines.signal });
      opened.push(target instanceof URL ? target.href : '');
      setTimeout(() => void write(opened.length), 0);
      return response;
    };
    const hours: string[] = [];
    const client = make(breakable);
    client.longestWait = 0.01;
    for await (const event of client.events({ stations: 'JFK' })) {
      if (event.type === 'reset') continue;
      hours.push(event.from.slice(11, 13));
      if (hours.length === 2) break;
      lines?.abort();
    }
    expect(hours).to.deep.equal(['01', '02']);
    expect(opened[1]).to.match(/last_event_id=.+/);
  });
});

describe('TypeScript client › the blocks of a stream', () => {
  it('are the same wherever it is cut, and an incomplete one is left out', async () => {
    const bytes = new TextEncoder().encode(
      'retry: 3000\nid: 1\n\n: é\n\nid: 2\nevent: observation\ndata: {"a":"é"}\n\nid: 3\ndata: {',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
        const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            for (const [index, end] of ends.entries())
              controller.enqueue(bytes.subarray(ends[index - 1] ?? 0, end));
            controller.close();
          },
        });
        const blocks: object[] = [];
        for await (const block of readBlocks(body)) blocks.push(block);
        expect(blocks).to.deep.equal([
          { retry: '3000', id: '1' },
          {},
          { id: '2', event: 'observation', data: '{"a":"é"}' },
        ]);
      }),
    );
  });
});

describe('TypeScript client › refusals', () => {
  let server: Server;
  let requests: string[];
  let answers: (readonly [status: number, headers: Readonly<Record<string, string>>, body?: string])[];

  before(async () => {
    server = createServer(({ method, url }, response) => {
      requests.push(`${method} ${url}`);
      const [status, headers, body = '{}'] = answers.shift() ?? [200, { 'content-type': 'application/json' }];
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    requests = [];
  });
  after(() => {
    server.close();
  });

  const make = () => new WeatherdClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 'done',
      ({ code, retryAfter }: WeatherdError) => [code, retryAfter],
    );
  const busy = (status: number, wait: string, error = 'RATE_LIMITED') =>
    [status, { 'retry-after': wait }, JSON.stringify({ error, message: 'm' })] as const;

  it('are repeated after the time that the service names, a limited number of times', async () => {
    answers = [busy(429, '0'), busy(503, '0')];
    expect(await codeOf(make().get('/'))).to.equal('done');
    answers = [busy(429, '0'), busy(429, '0'), busy(429, '0')];
    const once = make();
    once.retries = 1;
    expect(await codeOf(once.get('/'))).to.deep.equal(['RATE_LIMITED', 0]);
    expect(requests).to.have.length(5);
  });

  it('are not repeated after a long wait, for a POST that may have been carried out, or without a time', async () => {
    answers = [busy(429, '31')];
    expect(await codeOf(make().get('/'))).to.deep.equal(['RATE_LIMITED', 31]);
    answers = [busy(503, '0', 'SERVICE_UNAVAILABLE')];
    expect(await codeOf(make().post('/v1/auth/drop/'))).to.deep.equal(['SERVICE_UNAVAILABLE', 0]);
    answers = [[502, {}, '<html>']];
    expect(await codeOf(make().get('/'))).to.deep.equal(['UNREADABLE', undefined]);
    expect(requests).to.have.length(3);
  });

  it('are told from replies that are not of the service, or not whole', async () => {
    const cut = { 'content-length': '100', connection: 'close' };
    for (const answer of [[200, {}, '<html>'] as const, [200, cut, '{"stations":['] as const]) {
      answers = [answer, answer];
      expect(await codeOf(make().get('/v1/stations'))).to.deep.equal(['UNREADABLE', undefined]);
      expect(await codeOf(make().pages('/v1/stations').next())).to.deep.equal(['UNREADABLE', undefined]);
    }
  });

  it('come in place of pages without an end: a reply without a cursor is the last page, and no cursor may come twice', async () => {
    const json = { 'content-type': 'application/json' };
    // The path has no pages, which TypeScript refuses and JavaScript does not.
    const pages = make().pages('/v1/summaries' as '/v1/stations');
    answers = [[200, json, '{"stations":[]}']];
    expect(await pages.next()).to.deep.include({ done: false });
    expect(await pages.next()).to.deep.include({ done: true });
    const distinct = fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(distinct, fc.nat(), async (cursors, chosen) => {
        const sent = [...cursors, cursors[chosen % cursors.length], null];
        answers = sent.map((next) => [200, json, JSON.stringify({ next })]);
        const endless = make().pages('/v1/stations');
        for (const next of cursors) expect((await endless.next()).value).to.deep.equal({ next });
        expect(await codeOf(endless.next())).to.deep.equal(['UNREADABLE', undefined]);
      }),
      { numRuns: 20 },
    );
  });

  it('of a proxy do not end the events, and those of the service do', async () => {
    const block = 'id: 1\nevent: reset\ndata: {"reason":"missed"}\n\n';
    answers = [
      [502, {}, '<html>'],
      [200, { 'content-type': 'text/event-stream' }, block],
    ];
    const client = make();
    client.longestWait = 0.01;
    expect((await client.events().next()).value).to.include({ type: 'reset', reason: 'missed' });
    answers = [[403, {}, '{"error":"AUTH_NOT_ALLOWED"}']];
    expect(await codeOf(client.events().next())).to.deep.equal(['AUTH_NOT_ALLOWED', undefined]);
  });

  it('never come for a path that a parameter would leave', async () => {
    for (const id of ['..', '.']) {
      const asked = make().get('/v1/stations/{id}/observations', { path: { id } });
      expect(await asked.catch((error: unknown) => error), id).to.be.instanceOf(TypeError);
    }
    expect(requests).to.deep.equal([]);
  });
});
