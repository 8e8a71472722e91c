import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { once } from 'node:events';
import { expect } from 'chai';
import fc from 'fast-check';
import { useFakeTimers } from 'sinon';
import { z } from 'zod';
import { emptyEndpoint, jsonEndpoint } from '#adapters/http/core/endpoint.js';
import { checkedHeadText } from '#adapters/http/core/reply/head-text-check.js';
import { HeadText } from '#adapters/http/core/reply/head-text.js';
import type { Transport } from '#adapters/http/core/transport.js';
import { exchangeRaw } from '#transport-suite/raw-http.js';
import { runApi, transports } from '../../../../support/api-server.js';
import { CODE_POINT } from '../../../../support/code-point.js';

const KEEP_ALIVE = 15_000;

interface Sample {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
type Write = (response: ServerResponse, reply: Sample) => void;

const byNode: Write = (response, { status, headers, body }) => response.writeHead(status, headers).end(body);
const byUs =
  (headText: HeadText): Write =>
  (response, reply) => {
    if (!headText.write(response, reply.status, reply.headers, reply.body)) byNode(response, reply);
  };

const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) });

const REPLIES: Readonly<Record<string, Sample>> = {
  'a text': { status: 200, headers: { ...lengthOf('{}'), 'content-type': 'application/json' }, body: '{}' },
  'a text beyond ASCII': { status: 200, headers: lengthOf('7 °C, 東京'), body: '7 °C, 東京' },
  'a text in Latin-1': { status: 200, headers: lengthOf('°'), body: '°' },
  'a long text': { status: 200, headers: lengthOf('x'.repeat(300_000)), body: 'x'.repeat(300_000) },
  bytes: { status: 200, headers: { 'content-length': '3' }, body: Uint8Array.of(0, 128, 255) },
  'an empty text': { status: 200, headers: { 'content-length': '0' }, body: '' },
  'no body': { status: 200, headers: { 'content-length': '0' } },
  'a text without its length': { status: 200, headers: {}, body: 'text' },
  'no body and no length': { status: 200, headers: {} },
  'an error': { status: 503, headers: { ...lengthOf('{}'), 'retry-after': '5' }, body: '{}' },
  'no content': { status: 204, headers: { 'x-a': '1' } },
  'no content, and a text': { status: 204, headers: lengthOf('text'), body: 'text' },
  'not modified': { status: 304, headers: { etag: '"1"' } },
  'a status without a name': { status: 599, headers: lengthOf('{}'), body: '{}' },
  'an empty value': { status: 200, headers: { 'x-a': '', ...lengthOf('{}') }, body: '{}' },
  'a value in Latin-1': { status: 200, headers: { 'x-a': 'é', ...lengthOf('{}') }, body: '{}' },
  'a name in upper case': { status: 200, headers: { 'X-A': '1', 'Content-Length': '2' }, body: '{}' },
  'a connection header': { status: 200, headers: { connection: 'close', ...lengthOf('{}') }, body: '{}' },
  'a date': { status: 200, headers: { date: 'today', ...lengthOf('{}') }, body: '{}' },
};

const REQUESTS: Readonly<Record<string, string>> = {
  GET: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  HEAD: 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
  'two in a row': 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2),
  'the last one': 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
  'HTTP/1.0, kept alive': 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
  'one that expects 100-continue':
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na',
};

/** A real server, and what a client receives for its requests before the server closes the connection. */
class Wire {
  readonly #server: Server;
  #write: (response: ServerResponse) => void = () => undefined;

  constructor() {
    this.#server = createServer({ keepAliveTimeout: KEEP_ALIVE }, (_message, response) =>
      this.#write(response),
    );
  }

  async received(request: string, reply: Sample, write: Write): Promise<string> {
    if (!this.#server.listening) await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    let left = request.split(' HTTP/1.').length - 1;
    this.#write = (response) => {
      const { socket } = response.req;
      const end = () => {
        left -= 1;
        if (left === 0) socket.end();
      };
      response.once('close', end);
      try {
        write(response, reply);
      } catch (error) {
        response.off('close', end);
        socket.end(String(error));
      }
    };
    const client = connect((this.#server.address() as AddressInfo).port, '127.0.0.1');
    client.setEncoding('latin1').write(request);
    return (await text(client)).replaceAll(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, 'Date: now');
  }

  close(): void {
    this.#server.close();
  }
}

/** A response on a connection in memory, and the bytes that it has written. */
function inMemory(Response = ServerResponse): { response: ServerResponse; written: () => string } {
  let bytes = '';
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.toString('latin1');
      done();
    },
  }) as Socket;
  const message = new IncomingMessage(socket);
  Object.assign(message, { method: 'GET', httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  const response = new Response(message);
  response.assignSocket(socket);
  return { response, written: () => bytes };
}

/** Responses as of a version of Node that kept the head elsewhere. */
function otherResponse(Response: typeof ServerResponse): typeof ServerResponse {
  return class extends Response {
    #hasHead = false;

    override writeHead(...parameters: [number, ...never[]]): this {
      this.#hasHead = true;
      return super.writeHead(...parameters);
    }

    override end(...parameters: never[]): this {
      // oxlint-disable-next-line eslint/no-underscore-dangle -- Node's name
      if (!this.#hasHead) Object.assign(this, { _header: null });
      return super.end(...parameters);
    }
  } as typeof ServerResponse;
}

describe('HeadText', () => {
  const wire = new Wire();
  after(() => wire.close());

  for (const [title, request] of Object.entries(REQUESTS)) {
    it(`writes what Node would: ${title}`, async () => {
      const headText = new HeadText(KEEP_ALIVE);
      for (const [name, reply] of Object.entries(REPLIES)) {
        const own = await wire.received(request, reply, byUs(headText));
        expect(own, name).to.equal(await wire.received(request, reply, byNode));
      }
    });
  }

  it('leaves nothing to Node of a text, bytes or no body on a connection that stays open', () => {
    for (const name of ['a text', 'a text beyond ASCII', 'bytes', 'no body', 'an error', 'not modified']) {
      const { status, headers, body } = REPLIES[name] as Sample;
      const { response, written } = inMemory();
      expect(new HeadText(KEEP_ALIVE).write(response, status, headers, body), name).to.equal(true);
      expect(written()).to.match(
        new RegExp(
          `^HTTP/1.1 ${status} .*Connection: keep-alive\\r\\nKeep-Alive: timeout=15\\r\\n\\r\\n`,
          's',
        ),
      );
    }
  });

  it('never lets a name or a value out that Node would refuse', async () => {
    const headText = new HeadText(KEEP_ALIVE);
    const odd = fc.constantFrom('\r\n', '\n', '\r', '\0', 'Ā', '\u{1f327}', 'é', '\x7f', ' ', 'a', ':');
    const value = fc.oneof(fc.string({ unit: odd }), fc.string({ unit: CODE_POINT }), fc.string());
    const name = fc.oneof(fc.constantFrom('x-a', 'x-b', 'etag', 'connection', 'X-C', 'a b', ''), value);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (some) => {
        const reply = { status: 200, headers: { ...some, ...lengthOf('{}') }, body: '{}' };
        const own = await wire.received(REQUESTS['GET']!, reply, byUs(headText));
        expect(own).to.equal(await wire.received(REQUESTS['GET']!, reply, byNode));
      }),
      { numRuns: 100 },
    );
  });

  it('refuses a value after it has taken another one of the same name', () => {
    const headText = new HeadText(KEEP_ALIVE);
    const write = (value: string) => {
      const { response, written } = inMemory();
      const taken = headText.write(response, 200, { 'x-a': value, 'content-length': '0' }, undefined);
      return [taken, written() === ''];
    };
    expect(write('a')).to.deep.equal([true, false]);
    expect(write('a\r\nx-b: c')).to.deep.equal([false, true]);
    expect(write('a\u010d\u010a')).to.deep.equal([false, true]);
    expect(write('a')).to.deep.equal([true, false]);
  });

  it('writes nothing behind a reply that has begun, nor without headers that were set before', () => {
    const begun = inMemory();
    begun.response.writeHead(200);
    const set = inMemory();
    set.response.setHeader('x-a', '1');
    for (const { response } of [begun, set]) {
      expect(new HeadText(KEEP_ALIVE).write(response, 204, {}, undefined)).to.equal(false);
    }
  });

  it('writes the date of the second', () => {
    const clock = useFakeTimers({ now: Date.UTC(2024, 1, 29, 12, 0, 0, 400) });
    try {
      const headText = new HeadText(KEEP_ALIVE);
      const date = () => {
        const { response, written } = inMemory();
        headText.write(response, 204, {}, undefined);
        return /Date: (.*)\r/.exec(written())?.[1];
      };
      expect(date()).to.equal('Thu, 29 Feb 2024 12:00:00 GMT');
      clock.tick(599);
      expect(date()).to.equal('Thu, 29 Feb 2024 12:00:00 GMT');
      clock.tick(1);
      expect(date()).to.equal('Thu, 29 Feb 2024 12:00:01 GMT');
      clock.tick(7000);
      expect(date()).to.equal('Thu, 29 Feb 2024 12:00:08 GMT');
    } finally {
      clock.restore();
    }
  });
});

describe('checkedHeadText', () => {
  it('has one for the responses of this version of Node and of every transport', async () => {
    expect(checkedHeadText(ServerResponse, KEEP_ALIVE)).to.be.instanceOf(HeadText);
    expect(checkedHeadText(ServerResponse, 0)).to.be.instanceOf(HeadText);
    for (const [name, load] of transports) {
      const transport = await load();
      const api = { routes: [], otherwise: () => expect.fail(), fail: () => expect.fail() };
      const mounted = await transport.mount(api);
      expect(
        checkedHeadText(mounted.classes?.ServerResponse ?? ServerResponse, KEEP_ALIVE),
        name,
      ).to.be.instanceOf(HeadText);
      await mounted.close?.();
    }
  });

  it('has one whatever the second, since Node may keep the date of an earlier one', () => {
    inMemory().response.writeHead(204).end();
    const clock = useFakeTimers({ now: Date.now() + 60_000 });
    try {
      expect(checkedHeadText(ServerResponse, KEEP_ALIVE)).to.be.instanceOf(HeadText);
    } finally {
      clock.restore();
    }
  });

  it('has none where the bytes differ, and none where something throws', () => {
    expect(checkedHeadText(otherResponse(ServerResponse), KEEP_ALIVE)).to.equal(undefined);
    class Throwing extends ServerResponse {
      override assignSocket(): void {
        throw new Error('not in this version');
      }
    }
    expect(checkedHeadText(Throwing as typeof ServerResponse, KEEP_ALIVE)).to.equal(undefined);
  });

  for (const [name, load] of transports)
    it(`is said by the server where there is none, and replies are the same, on ${name}`, async () => {
      const common = { method: 'GET', summary: '', access: 'public', errors: [] } as const;
      const schema = z.strictObject({ text: z.string() });
      const success = { kind: 'json', status: 200, message: 'Done.', schema } as const;
      const endpoints = [
        jsonEndpoint({ ...common, path: '/plain', success, call: () => ({ text: 'rain' }) }),
        jsonEndpoint({ ...common, path: '/accents', success, call: () => ({ text: 'Grad °C' }) }),
        emptyEndpoint({
          ...common,
          path: '/empty',
          success: { kind: 'empty', status: 200, description: '' },
          call: () => undefined,
        }),
      ];
      const asked = [
        'GET /plain',
        'HEAD /plain',
        'GET /accents',
        'GET /empty',
        'GET /',
        'PUT /plain',
        'GET /plain?a=1',
      ];
      const lines = asked.map((line) => `${line} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const ask = `${lines.join('')}GET /plain HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const transport = await load();
      const received = async (classesOf: (Response: typeof ServerResponse) => typeof ServerResponse) => {
        const mount: Transport['mount'] = async (parts) => {
          const mounted = await transport.mount(parts);
          const { ServerResponse: Response = ServerResponse, IncomingMessage: Message = IncomingMessage } =
            mounted.classes ?? {};
          return { ...mounted, classes: { IncomingMessage: Message, ServerResponse: classesOf(Response) } };
        };
        const api = await runApi({ name, mount }, { endpoints });
        const reply = await exchangeRaw(api.url, ask);
        await api.server.close(1000);
        const refused = api.log.filter(({ message }) => message === 'head text refused').length;
        return [reply.replaceAll(/(?:date|x-request-id): .*\r\n/gi, ''), refused];
      };
      const [taken] = await received((Response) => Response);
      const statuses = [...String(taken).matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
      expect(statuses).to.deep.equal([200, 200, 200, 200, 404, 405, 400, 200]);
      expect(await received(otherResponse)).to.deep.equal([taken, 1]);
    });
});
