import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import sinon from 'sinon';
import { z } from 'zod';
import {
  type AnyEndpoint,
  bytesEndpoint,
  contentEndpoint,
  jsonEndpoint,
  streamEndpoint,
} from '#adapters/http/core/endpoint.js';
import type { Transport } from '#adapters/http/core/transport.js';
import { SlowClients } from '#adapters/http/server/slow-clients.js';
import { exchangeRaw, header, parseReplies } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, transports } from '../../support/api-server.js';
import { makeCertificate } from '../../support/certificate.js';

const MEBIBYTE = 2 ** 20;
const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

/** Endpoints that record how their requests are handled. */
class Probe {
  served = 0;
  together = 0;
  mostTogether = 0;
  readonly aborted: string[] = [];
  readonly closedBodies: string[] = [];
  /** Releases the waiting requests to `/held`. */
  release: () => void = () => undefined;

  endpoints(): readonly AnyEndpoint[] {
    const common = { method: 'GET', summary: '', access: 'public', errors: [] } as const;
    const schema = z.strictObject({ id: z.string() });
    const params = z.strictObject({ id: z.string() });
    return [
      jsonEndpoint({
        ...common,
        path: '/quick/{id}',
        params,
        success: { kind: 'json', status: 200, message: 'Done.', schema },
        call: async ({ params: { id } }) => {
          this.served += 1;
          this.together += 1;
          this.mostTogether = Math.max(this.mostTogether, this.together);
          await new Promise((resolve) => setImmediate(resolve));
          this.together -= 1;
          return { id };
        },
      }),
      jsonEndpoint({
        ...common,
        path: '/held/{id}',
        params,
        success: { kind: 'json', status: 200, message: 'Done.', schema },
        call: async ({ params: { id }, signal }) => {
          this.served += 1;
          signal.addEventListener('abort', () => this.aborted.push(id));
          await new Promise<void>((resolve) => {
            this.release = resolve;
            signal.addEventListener('abort', () => resolve());
          });
          return { id };
        },
      }),
      streamEndpoint({
        ...common,
        path: '/late-body/{id}',
        params,
        success: { kind: 'stream', status: 200, mediaType: 'text/csv' },
        call: async ({ params: { id }, signal }) => {
          this.served += 1;
          await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
          return new Readable({ read: () => undefined }).once('close', () => this.closedBodies.push(id));
        },
      }),
      bytesEndpoint({
        ...common,
        path: '/large',
        success: { kind: 'bytes', status: 200, mediaType: 'application/octet-stream' },
        call: () => {
          this.served += 1;
          return new Uint8Array(16 * MEBIBYTE);
        },
      }),
      jsonEndpoint({
        ...common,
        method: 'POST',
        path: '/upload',
        body: { kind: 'json', schema: z.unknown(), example: 1, limit: 100 },
        success: { kind: 'json', status: 200, message: 'Done.', schema: z.strictObject({}) },
        call: () => ({}),
      }),
    ];
  }
}

function open(url: string, bytes: string, localAddress = '127.0.0.1'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => undefined);
      socket.pause().write(bytes, () => resolve(socket));
    });
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

const numbered = (path: string, count: number) =>
  Array.from({ length: count }, (_, index) => get(`/${path}/${index}`)).join('');

describe('a body that was made when the client had already left', () => {
  it('is destroyed also if the transport does not send it', async () => {
    const probe = new Probe();
    let replies = 0;
    const silent: Transport = {
      name: 'silent',
      mount: ({ routes }) => ({
        dispatch(message, response) {
          const route = routes.find(({ path }) => path.startsWith('/late-body/'));
          void Promise.resolve(route?.handle({ message, response, params: { id: '1' } })).then(
            () => (replies += 1),
          );
        },
      }),
    };
    const api = await runApi(silent, { endpoints: probe.endpoints() });
    const socket = await open(api.url, get('/late-body/1'));
    await until(() => probe.served === 1);
    socket.resetAndDestroy();
    await until(() => replies === 1);
    await until(() => probe.closedBodies.length === 1);
    await api.server.close(1000);
  });
});

for (const [name, load] of transports) {
  describe(`HTTP connections › on ${name}`, () => {
    let probe: Probe;
    let api: RunningApi;
    const start = async (limits: NonNullable<Parameters<typeof runApi>[2]>['limits'] = {}, more = {}) => {
      probe = new Probe();
      api = await runApi(await load(), { endpoints: probe.endpoints() }, { limits, ...more });
    };
    const ofLog = (field: string) =>
      api.log.filter(({ message }) => message === 'request').map(({ fields }) => fields[field]);
    const requests = () => ofLog('id').length;

    afterEach(async () => void (await api.server.close(1000)));

    describe('pipelining', () => {
      it('serves the requests of a connection one after the other, however many there are', async () => {
        await start({ maxPipelined: 8 });
        const bytes = `${numbered('quick', 3000)}${get('/nope', 'Connection: close\r\n')}`;
        const replies = parseReplies(await exchangeRaw(api.url, bytes));
        expect(replies.map(({ status }) => status)).to.deep.equal([...Array(3000).fill(200), 404]);
        expect(replies.slice(0, -1).map(({ body }) => JSON.parse(body).id)).to.deep.equal(
          Array.from({ length: 3000 }, (_, index) => String(index)),
        );
        expect(probe.mostTogether).to.equal(1);
      });

      it('reads the bodies of requests that have waited', async () => {
        await start({ maxPipelined: 1 });
        const post = `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`;
        const bytes = `${get('/quick/1')}${post}{"a": 12}${get('/quick/2')}${post}`;
        const socket = await open(api.url, bytes);
        let text = '';
        socket.setEncoding('latin1').on('data', (part: string) => (text += part));
        socket.resume();
        await until(() => requests() === 3);
        socket.end('{"a": 34}');
        await once(socket, 'close');
        expect(parseReplies(text).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      });

      it('begins no further request for a client that does not read, and holds no more than one reply', async () => {
        await start();
        const socket = await open(api.url, get('/large').repeat(500));
        await until(() => probe.served > 0);
        // After another exchange the server has read all of this one's requests.
        await exchangeRaw(api.url, get('/nope', 'Connection: close\r\n'));
        expect(probe.served).to.equal(1);
        socket.resetAndDestroy();
        await until(() => requests() === 501);
        expect(probe.served).to.equal(1);
        expect(ofLog('aborted')).to.deep.equal([false, ...Array<boolean>(500).fill(true)]);
      });

      it('ends every request of a connection that is reset: signal, log and the count of work', async () => {
        await start();
        const socket = await open(api.url, numbered('held', 200));
        await until(() => probe.served === 1);
        socket.resetAndDestroy();
        await until(() => requests() === 200);
        expect(probe.aborted).to.deep.equal(['0']);
        expect(probe.served).to.equal(1);
        expect(await api.server.close(20_000)).to.equal(true);
      });

      it('disconnects a client with too many waiting requests', async () => {
        await start({ maxWaiting: 100 });
        const socket = await open(api.url, numbered('held', 102));
        await once(socket.resume(), 'close');
        await until(() => requests() >= 102);
        expect(ofLog('status')).to.deep.equal(Array(102).fill(null));
        const other = await open(api.url, numbered('quick', 100));
        await until(() => requests() === 202);
        other.destroy();
      });

      it('ends with the current request when the service ends', async () => {
        await start();
        const socket = await open(api.url, numbered('held', 3));
        await until(() => probe.served === 1);
        const closed = api.server.close(10_000);
        probe.release();
        expect(await closed).to.equal(true);
        expect(probe.served).to.equal(1);
        let text = '';
        socket.setEncoding('latin1').on('data', (part: string) => (text += part));
        await once(socket.resume(), 'close');
        const [reply, ...others] = parseReplies(text);
        expect([reply?.status, header(reply!, 'connection'), others]).to.deep.equal([200, 'close', []]);
      });

      it('answers valid requests before it refuses the bytes after them', async () => {
        await start();
        const chunks = 'POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n';
        for (const broken of ['nonsense\r\n\r\n', chunks, 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n']) {
          const text = await exchangeRaw(api.url, `${get('/quick/1')}${get('/quick/2')}${broken}`);
          const statuses = parseReplies(text).map(({ status }) => status);
          expect(statuses, broken).to.deep.equal([200, 200, 400]);
        }
      });
    });

    for (const more of ['', 'Accept-Encoding: gzip\r\n'])
      it(`destroys a body that was made when the client had already left: ${more}`, async () => {
        await start();
        const socket = await open(api.url, get('/late-body/1', more));
        await until(() => probe.served === 1);
        socket.resetAndDestroy();
        await until(() => probe.closedBodies.length === 1);
        expect(ofLog('aborted')).to.deep.equal([true]);
      });

    describe('replies that nobody reads', () => {
      it('closes the oldest of them if there are too many, and no client that reads', async () => {
        await start({ checkInterval: 30, unreadReplies: 2 });
        const sockets = await Promise.all(Array.from({ length: 5 }, () => open(api.url, get('/large'))));
        await until(() => requests() === 3);
        const check = sinon.spy(SlowClients.prototype, 'check');
        await until(() => check.callCount === 3).finally(() => check.restore());
        expect(ofLog('aborted')).to.deep.equal([true, true, true]);
        const text = await exchangeRaw(api.url, get('/large', 'Connection: close\r\n'));
        expect(parseReplies(text)[0]?.body).to.have.length(16 * MEBIBYTE);
        for (const socket of sockets) socket.destroy();
      });

      it('does the same if they are too large together', async () => {
        await start({ checkInterval: 30, unreadBytes: 40 * MEBIBYTE });
        const sockets = await Promise.all(Array.from({ length: 5 }, () => open(api.url, get('/large'))));
        await until(() => requests() >= 2);
        for (const socket of sockets) socket.destroy();
      });

      it('begins with the address that has most unread bytes', async () => {
        await start({ checkInterval: 30, unreadReplies: 2 });
        const honest = await open(api.url, get('/large'), '127.0.0.9');
        await until(() => probe.served === 1);
        const others = await Promise.all(
          Array.from({ length: 4 }, () => open(api.url, get('/large'), '127.0.0.8')),
        );
        await until(() => requests() === 3);
        expect(new Set(ofLog('client'))).to.deep.equal(new Set(['127.0.0.8']));
        for (const socket of [honest, ...others]) socket.destroy();
      });
    });

    describe('connections of one network', () => {
      it('closes those beyond its share, logs how many, and serves the others', async () => {
        await start({ maxConnectionsPerNetwork: 3, checkInterval: 30 });
        const held = await Promise.all(Array.from({ length: 3 }, () => open(api.url, '')));
        for (let count = 0; count < 4; count += 1) expect(await exchangeRaw(api.url, '')).to.equal('');
        const elsewhere = await open(api.url, get('/quick/1', 'Connection: close\r\n'), '127.0.0.2');
        await until(() => requests() === 1);
        const refused = () =>
          api.log
            .filter(({ message }) => message === 'connections refused')
            .reduce((sum, { fields }) => sum + Number(fields['count']), 0);
        await until(() => refused() >= 4);
        expect(refused()).to.equal(4);
        for (const socket of [...held, elsewhere]) socket.destroy();
      });

      it('releases a connection of the network when it closes', async () => {
        await start({ maxConnectionsPerNetwork: 1 });
        for (let round = 0; round < 5; round += 1) {
          const text = await exchangeRaw(api.url, get('/quick/1', 'Connection: close\r\n'));
          expect(parseReplies(text).map(({ status }) => status)).to.deep.equal([200]);
        }
      });

      it('does not count those of a trusted proxy', async () => {
        await start(
          { maxConnectionsPerNetwork: 1 },
          { isProxy: (address: string) => address === '127.0.0.1' },
        );
        const sockets = await Promise.all(Array.from({ length: 5 }, () => open(api.url, get('/quick/1'))));
        await until(() => requests() === 5);
        for (const socket of sockets) socket.destroy();
      });
    });

    describe('TLS', () => {
      const folder = mkdtempSync(join(tmpdir(), 'weatherd-tls-'));
      const [cert, key] = makeCertificate(folder);
      after(() => rmSync(folder, { recursive: true, force: true }));

      it('ends at once even if a connection is silent, or does not finish its TLS handshake', async () => {
        await start({}, { tls: { cert, key } });
        const silent = await open(api.url, '');
        const hello = await open(api.url, '\u0016\u0003\u0001\u0002\u0000\u0001\u0000');
        const idle = connectTls({ port: Number(new URL(api.url).port), rejectUnauthorized: false });
        idle.on('error', () => undefined);
        await once(idle, 'secureConnect');
        const closed = [silent.resume(), hello.resume(), idle.resume()].map((socket) =>
          once(socket, 'close'),
        );
        // The server gets much time to close, so that an open connection would be noticed.
        expect(await api.server.close(60_000)).to.equal(true);
        await Promise.all(closed);
      });

      it('counts connections before their handshake', async () => {
        await start({ maxConnectionsPerNetwork: 1, checkInterval: 30 }, { tls: { cert, key } });
        const silent = await open(api.url, '');
        expect(await exchangeRaw(api.url, '')).to.equal('');
        await until(() => api.log.some(({ message }) => message === 'connections refused'));
        silent.destroy();
      });

      it('tells a client that sends plain HTTP to use https', async () => {
        await start({}, { tls: { cert, key } });
        const [reply] = parseReplies(await exchangeRaw(api.url, get('/quick/1')));
        expect(reply?.status).to.equal(400);
        expect(JSON.parse(reply?.body ?? '')).to.include({ success: false, error: 'REQUEST_INVALID' });
        expect(reply?.body).to.contain('https://');
        expect(header(reply!, 'connection')).to.equal('close');
      });
    });

    it('serves immediate content, and logs a body that fails while it is sent', async () => {
      const broken = () =>
        Readable.from(
          (function* () {
            yield 'a,b\n';
            throw new Error('in the middle');
          })(),
        );
      const content = (path: string, body: () => string | Readable) =>
        contentEndpoint({
          method: 'GET',
          path,
          summary: '',
          access: 'public',
          errors: [],
          success: { kind: 'content', status: 200, description: '', mediaTypes: { 'text/csv': undefined } },
          call: () => ({ mediaType: 'text/csv', body: async () => ({ content: body() }) }),
        });
      const stream = streamEndpoint({
        method: 'GET',
        path: '/stream',
        summary: '',
        access: 'public',
        errors: [],
        success: { kind: 'stream', status: 200, mediaType: 'text/csv' },
        call: broken,
      });
      const endpoints = [content('/whole', () => 'a,b\n'), content('/broken', broken), stream];
      api = await runApi(await load(), { endpoints });
      const [whole] = parseReplies(await exchangeRaw(api.url, get('/whole', 'Connection: close\r\n')));
      expect([whole?.status, whole?.body]).to.deep.equal([200, 'a,b\n']);
      expect(api.failures).to.deep.equal([]);
      for (const [index, path] of ['/broken', '/stream'].entries()) {
        await exchangeRaw(api.url, get(path));
        expect(api.failures.map((failure) => (failure as Error).message)).to.deep.equal(
          Array(index + 1).fill('in the middle'),
        );
      }
    });
  });
}
