import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { z } from 'zod';
import {
  type AnyEndpoint,
  bytesEndpoint,
  emptyEndpoint,
  jsonEndpoint,
} from '#adapters/http/core/endpoint.js';
import { exchangeRaw, header, parseReplies } from '#transport-suite/raw-http.js';
import { runApi, transports } from '../../support/api-server.js';
import { makeCertificate } from '../../support/certificate.js';

/** One endpoint that replies when the test releases it, and one that replies at once. */
function slowEndpoints(): { endpoints: AnyEndpoint[]; started: Promise<void>; finish: () => void } {
  let finish!: () => void;
  let begin!: () => void;
  const started = new Promise<void>((resolve) => (begin = resolve));
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const success = { kind: 'json', status: 200, message: 'Done.', schema: z.strictObject({}) } as const;
  const common = { summary: '', access: 'public', errors: [] } as const;
  const slow = jsonEndpoint({
    ...common,
    method: 'GET',
    path: '/slow',
    success,
    call: async () => {
      begin();
      await gate;
      return {};
    },
  });
  const body = { kind: 'json', schema: z.unknown(), example: 1, limit: 100 } as const;
  const upload = jsonEndpoint({
    ...common,
    method: 'POST',
    path: '/upload',
    body,
    success,
    call: () => ({}),
  });
  const probe = emptyEndpoint({
    ...common,
    method: 'GET',
    path: '/probe',
    success: { kind: 'empty', status: 200, description: '' },
    answersWhileClosing: true,
    call: () => undefined,
  });
  return { endpoints: [slow, upload, probe], started, finish };
}

async function open(url: string, bytes: string): Promise<{ socket: Socket; ended: Promise<string> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  let received = '';
  socket.setEncoding('latin1').on('data', (part: string) => (received += part));
  const ended = once(socket, 'close').then(() => received);
  await once(socket, 'connect');
  socket.write(bytes);
  return { socket, ended };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

for (const [name, load] of transports) {
  describe(`HttpServer › on ${name}`, () => {
    it('cuts off a client that is silent, or slow with its headers or its body', async () => {
      const limits = { headersTimeout: 150, requestTimeout: 150, checkInterval: 50 };
      const api = await runApi(await load(), slowEndpoints(), { limits });
      for (const bytes of [
        '',
        'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ',
        'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
      ]) {
        const [reply] = parseReplies(await exchangeRaw(api.url, bytes));
        expect(reply?.status, bytes).to.equal(408);
        expect(header(reply!, 'connection')).to.equal('close');
        expect(JSON.parse(reply?.body ?? '')).to.include({ error: 'REQUEST_TIMEOUT' });
      }
      await api.server.close(1000);
    });

    it('closes a connection that is idle between requests', async () => {
      const api = await runApi(await load(), slowEndpoints(), { limits: { keepAliveTimeout: 100 } });
      const replies = parseReplies(await exchangeRaw(api.url, 'GET /probe HTTP/1.1\r\nHost: a\r\n\r\n'));
      expect(replies.map(({ status }) => status)).to.deep.equal([200]);
      await api.server.close(1000);
    });

    it('cuts off a client that does not read its reply', async () => {
      const large = bytesEndpoint({
        method: 'GET',
        path: '/large',
        summary: '',
        access: 'public',
        errors: [],
        success: { kind: 'bytes', status: 200, mediaType: 'application/octet-stream' },
        call: () => new Uint8Array(32_000_000),
      });
      const limits = { idleTimeout: 150, checkInterval: 50 };
      const api = await runApi(await load(), { endpoints: [large] }, { limits });
      const { socket } = await open(api.url, '');
      socket.pause();
      socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
      await until(() => api.log.length === 1);
      expect(api.log[0]?.fields).to.include({ route: '/large', status: 200, aborted: true });
      socket.destroy();
      await api.server.close(1000);
    });

    it('drops connections beyond the limit', async () => {
      const api = await runApi(await load(), slowEndpoints(), { limits: { maxConnections: 2 } });
      const held = [await open(api.url, ''), await open(api.url, '')];
      expect(await exchangeRaw(api.url, 'GET /probe HTTP/1.1\r\nHost: a\r\n\r\n')).to.equal('');
      await api.server.close(1000);
      expect(await Promise.all(held.map(({ ended }) => ended))).to.deep.equal(['', '']);
    });

    it('ends in an orderly way: finishes work, refuses more, closes idle and half-sent connections', async () => {
      const slow = slowEndpoints();
      const api = await runApi(await load(), slow);
      const idle = await open(api.url, '');
      const kept = await open(api.url, 'GET /probe HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(kept.socket, 'data');
      const halfHead = await open(api.url, 'GET /pro');
      const halfBody = await open(
        api.url,
        'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
      );
      const working = await open(api.url, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
      await slow.started;

      api.beginClosing();
      const closed = api.server.close(10_000);
      expect(await idle.ended).to.equal('');
      expect(await halfHead.ended).to.equal('');
      expect(await halfBody.ended).to.equal('');
      expect(await kept.ended).to.match(/^HTTP\/1.1 200 /);

      // A load balancer that connects during shutdown gets a reply until the work is done.
      const [late] = parseReplies(await exchangeRaw(api.url, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'));
      expect([late?.status, header(late!, 'connection')]).to.deep.equal([503, 'close']);
      const [probe] = parseReplies(await exchangeRaw(api.url, 'GET /probe HTTP/1.1\r\nHost: a\r\n\r\n'));
      expect(probe?.status).to.equal(200);

      slow.finish();
      const [reply] = parseReplies(await working.ended);
      expect([reply?.status, header(reply!, 'connection')]).to.deep.equal([200, 'close']);
      expect(await closed).to.equal(true);
    });

    it('closes connections with unfinished work at the deadline', async () => {
      const slow = slowEndpoints();
      const api = await runApi(await load(), slow);
      const working = await open(api.url, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
      await slow.started;
      expect(await api.server.close(100)).to.equal(false);
      expect(await working.ended).to.equal('');
      slow.finish();
    });

    it('speaks TLS from PEM texts, 1.2 at least', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'weatherd-tls-'));
      const [cert, key] = makeCertificate(folder);
      const api = await runApi(await load(), slowEndpoints(), { tls: { cert, key } });
      expect(api.url).to.match(/^https:/);
      const agent = new Agent({ ca: cert });
      const sent = httpsRequest(`${api.url.replace('127.0.0.1', 'localhost')}/nope`, { agent }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      expect(JSON.parse(await text(response))).to.include({ error: 'ROUTE_NOT_FOUND' });
      agent.destroy();
      // Plain HTTP on the TLS port is told so.
      const [plain] = parseReplies(await exchangeRaw(api.url, 'GET /probe HTTP/1.1\r\nHost: a\r\n\r\n'));
      expect(plain?.status).to.equal(400);
      expect(JSON.parse(plain?.body ?? '')).to.include({ error: 'REQUEST_INVALID' });
      await api.server.close(1000);
      rmSync(folder, { recursive: true });
    });
  });
}
