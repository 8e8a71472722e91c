import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import {
  type AnyEndpoint,
  contentEndpoint,
  documentEndpoint,
  type JsonSuccess,
} from '#adapters/http/core/endpoint.js';
import type { Page } from '#adapters/http/core/pages/page.js';
import type { ContentBody } from '#adapters/http/core/reply/content.js';
import { exchangeRaw, header, type RawReply, request } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { makeServiceUnderTest } from '../../support/service-endpoints.js';

const TYPES = ['application/json', 'application/geo+json', 'text/csv', 'text/plain; charset=utf-8'] as const;
const PLAIN_TYPES = [
  'text/event-stream',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.file',
  'image/png',
] as const;
const BROWSER = 'gzip, deflate, br, zstd';
/** Lengths around the threshold, and one that a thread compresses. */
const LENGTHS = [10, 2047, 2048, 40_000] as const;

const PIECES = { whole: 0, pieces: 1000, 'one piece': 1_000_000 } as const;
type Form = keyof typeof PIECES;

/** Text of `length` bytes that is not the same everywhere. */
const textOf = (length: number) =>
  Array.from({ length: Math.ceil(length / 4) }, (_, index) => `${index % 997},  `)
    .join('')
    .slice(0, length);

/** A page of `length` bytes. */
const PAGE: Page = {
  path: '/pages/{length}',
  answer: async ({ params: { length } }) => ({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    etag: `v${length}`,
    body: textOf(Number(length)),
  }),
};

/** The bodies of a test, and the source of the last one without end. */
class Bodies {
  source = new Readable();
  pieces = 0;
  asked = 0;

  endpoints(): AnyEndpoint[] {
    return [
      contentEndpoint({
        method: 'GET',
        path: '/v1/content',
        summary: 'Content',
        access: 'public',
        query: z.strictObject({
          length: z.string().transform(Number),
          form: z.enum(Object.keys(PIECES) as [Form]),
          type: z.string().default('text/csv'),
          weak: z.string().optional(),
          uncoded: z.string().optional(),
        }),
        success: { kind: 'content', status: 200, description: '', mediaTypes: {} },
        errors: [],
        call: ({ query: { length, form, type, weak, uncoded } }) => ({
          mediaType: type,
          etag: `v${length}`,
          ...(weak !== undefined && { isWeak: true }),
          ...(uncoded !== undefined && { isUncoded: true }),
          body: async () => {
            this.asked += 1;
            return bodyOf(textOf(length), form);
          },
        }),
      }),
      contentEndpoint({
        method: 'GET',
        path: '/v1/endless',
        summary: 'A body without end that does not become smaller',
        access: 'public',
        query: z.strictObject({ fail: z.string().optional(), wait: z.string().optional() }),
        success: { kind: 'content', status: 200, description: '', mediaTypes: {} },
        errors: [],
        call: ({ query }) => ({
          mediaType: 'text/plain',
          body: async () => {
            this.pieces = 0;
            this.source =
              query.wait === undefined
                ? Readable.from(this.#endless(query.fail), { objectMode: false })
                : new Readable({ read: () => undefined });
            if (query.wait !== undefined) this.source.push('few');
            return { content: this.source };
          },
        }),
      }),
      ...([undefined, true] as const).map((isSecret) =>
        documentEndpoint({
          method: 'GET',
          path: isSecret ? '/v1/secret' : '/v1/document',
          summary: 'A document',
          access: 'public',
          ...(isSecret && { isSecret }),
          success: { kind: 'document', status: 200, description: '' },
          errors: [],
          call: () => ({ text: textOf(5000) }),
        }),
      ),
      contentEndpoint({
        method: 'GET',
        path: '/v1/secret-content',
        summary: 'A secret with an ETag',
        access: 'public',
        isSecret: true,
        success: { kind: 'content', status: 200, description: '', mediaTypes: {} },
        errors: [],
        call: () => ({
          mediaType: 'text/plain',
          etag: 's',
          body: async () => ({ content: textOf(5000) }),
        }),
      }),
    ];
  }

  async *#endless(fail: string | undefined): AsyncGenerator<Uint8Array> {
    for (;;) {
      this.pieces += 1;
      if (fail !== undefined && this.pieces > Number(fail)) throw new Error('in the middle');
      yield randomBytes(65_536);
      await sleep(0);
    }
  }
}

function bodyOf(text: string, form: Form): ContentBody {
  if (form === 'whole') return { content: text };
  const length = PIECES[form];
  const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
  return { content: Readable.from(pieces, { objectMode: false }) };
}

function decoded(reply: RawReply): string {
  const bytes = Buffer.from(reply.body, 'latin1');
  const coding = header(reply, 'content-encoding');
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

for (const [name, load] of serviceTransports) {
  describe(`compressed replies › ${name}`, () => {
    const bodies = new Bodies();
    let api: RunningApi;

    before(async () => (api = await runApi(await load(), { endpoints: bodies.endpoints(), pages: [PAGE] })));
    after(() => api.server.close(1000));

    const ask = (path: string, accept?: string, more: readonly string[] = [], method = 'GET') => {
      const lines = [`${method} ${path} HTTP/1.1`, 'Host: a', 'Connection: close', ...more];
      if (accept !== undefined) lines.push(`Accept-Encoding: ${accept}`);
      return request(api.url, `${lines.join('\r\n')}\r\n\r\n`);
    };
    const content = (length: number, form: Form = 'whole', type = 'text/csv') =>
      `/v1/content?length=${length}&form=${encodeURIComponent(form)}&type=${encodeURIComponent(type)}`;
    const coding = (reply: RawReply) => header(reply, 'content-encoding');

    it('gives the same text in each coding, whole or as a stream, and says how long a whole body is', async () => {
      for (const form of Object.keys(PIECES) as Form[])
        for (const length of LENGTHS)
          for (const accept of ['br', 'gzip', BROWSER, 'identity', undefined]) {
            const what = `${form} ${length} ${accept}`;
            const reply = await ask(content(length, form), accept);
            expect(reply.status, what).to.equal(200);
            expect(decoded(reply) === textOf(length), what).to.equal(true);
            const expected = accept === 'identity' ? undefined : accept === BROWSER ? 'br' : accept;
            expect(coding(reply), what).to.equal(length < 2048 ? undefined : expected);
            expect(header(reply, 'vary'), what).to.equal('Accept-Encoding');
            expect(header(reply, 'accept-ranges'), what).to.equal(undefined);
            if (form === 'whole' || (coding(reply) === undefined) === (expected !== undefined))
              expect(header(reply, 'content-length'), what).to.equal(String(reply.body.length));
            if (coding(reply) !== undefined) expect(reply.body.length, what).to.be.below(length);
          }
    });

    it('compresses text of every kind, and neither events nor what is packed', async () => {
      for (const type of TYPES)
        for (const form of ['whole', 'pieces'] as const)
          expect(coding(await ask(content(5000, form, type), BROWSER)), type).to.equal('br');
      for (const type of PLAIN_TYPES)
        for (const form of ['whole', 'pieces'] as const) {
          const reply = await ask(content(5000, form, type), BROWSER);
          expect([coding(reply), header(reply, 'vary'), header(reply, 'etag')], type).to.deep.equal([
            undefined,
            undefined,
            '"v5000"',
          ]);
          expect(reply.body, type).to.equal(textOf(5000));
        }
    });

    it('follows the weights of Accept-Encoding (RFC 9110, section 12.5.3)', async () => {
      for (const [accept, expected] of [
        ['', undefined],
        ['*', 'br'],
        ['*;q=0', undefined],
        ['deflate', undefined],
        ['zstd, compress', undefined],
        ['gzip, br', 'br'],
        ['br;q=0.5, gzip;q=0.9', 'gzip'],
        ['br;q=0, gzip', 'gzip'],
        ['br;q=0, *', 'gzip'],
        ['gzip;q=0, br;q=0', undefined],
        ['gzip;q=0, *;q=0.1', 'br'],
        ['GZIP', 'gzip'],
        ['identity, gzip;q=0.5', undefined],
        ['identity;q=0.5, gzip;q=1', 'gzip'],
        ['identity;q=0, gzip', 'gzip'],
        ['gzip;q=x', undefined],
        [`gzip${';a=b'.repeat(500)}`, 'gzip'],
      ] as const) {
        const reply = await ask(content(3000), accept);
        expect(coding(reply), accept).to.equal(expected);
        expect(decoded(reply), accept).to.equal(textOf(3000));
      }
    });

    it('compresses a short reply too if the client does not accept it as it is', async () => {
      for (const form of Object.keys(PIECES) as Form[])
        for (const accept of ['identity;q=0, gzip', 'br, *;q=0']) {
          const reply = await ask(content(10, form), accept);
          expect(coding(reply), `${form} ${accept}`).to.equal(accept.startsWith('br') ? 'br' : 'gzip');
          expect(decoded(reply)).to.equal(textOf(10));
        }
      const nothing = await ask(content(5000), 'identity;q=0');
      expect([nothing.status, coding(nothing), nothing.body]).to.deep.equal([200, undefined, textOf(5000)]);
    });

    it('names the coding in the ETag of a compressed reply, and in no other', async () => {
      const paths = [
        ...TYPES.flatMap((type) => LENGTHS.map((length) => content(length, 'whole', type))),
        ...PLAIN_TYPES.map((type) => content(5000, 'pieces', type)),
        ...LENGTHS.flatMap((length) =>
          (['pieces', 'one piece'] as const).map((form) => content(length, form)),
        ),
        ...LENGTHS.flatMap((length) => [`${content(length)}&weak=1`, `${content(length)}&uncoded=1`]),
        ...LENGTHS.map((length) => `/pages/${length}`),
        '/v1/secret-content',
      ];
      for (const path of paths)
        for (const accept of [undefined, 'identity', 'br', 'gzip', BROWSER, 'zstd', 'gzip, identity;q=0'])
          for (const method of ['GET', 'HEAD']) {
            const reply = await ask(path, accept, [], method);
            const suffix = coding(reply) === undefined ? '' : `-${coding(reply)}`;
            expect(header(reply, 'etag'), `${method} ${path} ${accept}`).to.match(
              new RegExp(`^(?:W/)?"[a-z]\\d*${suffix}"$`),
            );
          }
    });

    it('answers 304 to the version with and without the coding that the client accepts, and makes no body', async () => {
      const statusOf = async (path: string, accept: string | undefined, condition: string) => {
        const asked = bodies.asked;
        const reply = await ask(path, accept, [`If-None-Match: ${condition}`]);
        expect(reply.status === 304).to.equal(bodies.asked === asked);
        expect(header(reply, 'vary')).to.equal('Accept-Encoding');
        if (reply.status !== 304) return reply.status;
        expect([reply.body, coding(reply), header(reply, 'cache-control')]).to.deep.equal([
          '',
          undefined,
          'no-store',
        ]);
        if (condition !== '*') expect(condition).to.include(header(reply, 'etag'));
        return 304;
      };
      for (const length of LENGTHS)
        for (const [accept, known] of [
          [undefined, ['"v"', 'W/"v"', '"other", "v"', '*']],
          ['identity', ['"v"']],
          ['br', ['"v"', '"v-br"', 'W/"v-br"', '"other", "v-br"', '*']],
          ['gzip', ['"v"', '"v-gzip"', '"v-br", "v-gzip"']],
          ['gzip, identity;q=0', ['"v-gzip"']],
        ] as const) {
          const path = content(length, 'pieces');
          for (const condition of new Set([...known, '"v"', '"v-br"', '"v-gzip"', '"other"'])) {
            const expected = (known as readonly string[]).includes(condition) ? 304 : 200;
            const sent = condition.replaceAll('v', `v${length}`);
            expect(await statusOf(path, accept, sent), `${accept} ${sent}`).to.equal(expected);
          }
          const etag = header(await ask(path, accept), 'etag') as string;
          expect(await statusOf(path, accept, etag), `${accept} ${etag}`).to.equal(304);
        }
    });

    it('answers 304 to a known page with the same Vary', async () => {
      for (const accept of [undefined, 'br', 'gzip, identity;q=0']) {
        const full = await ask('/pages/5000', accept);
        const reply = await ask('/pages/5000', accept, [`If-None-Match: ${header(full, 'etag')}`]);
        const vary = header(full, 'vary');
        expect([vary, reply.status, header(reply, 'vary')]).to.deep.equal(['Accept-Encoding', 304, vary]);
      }
    });

    it('answers HEAD with the headers of GET, but for the length of a stream', async () => {
      const names = ['content-type', 'content-encoding', 'vary', 'etag', 'cache-control'];
      for (const form of Object.keys(PIECES) as Form[])
        for (const length of LENGTHS)
          for (const accept of ['br', 'gzip', undefined]) {
            const path = content(length, form);
            const [get, head] = [await ask(path, accept), await ask(path, accept, [], 'HEAD')];
            expect([head.status, head.body]).to.deep.equal([200, '']);
            for (const field of names) expect(header(head, field), field).to.equal(header(get, field));
            const announced = header(head, 'content-length');
            if (form === 'whole') expect(announced).to.be.a('string');
            if (announced !== undefined) expect(announced).to.equal(header(get, 'content-length'));
          }
    });

    it('never compresses a secret, and leaves its ETag as it is', async () => {
      expect(coding(await ask('/v1/document', BROWSER))).to.equal('br');
      for (const path of ['/v1/secret', '/v1/secret-content'])
        for (const accept of [BROWSER, 'gzip, identity;q=0']) {
          const reply = await ask(path, accept);
          expect([reply.status, coding(reply)], `${path} ${accept}`).to.deep.equal([200, undefined]);
          expect(reply.body).to.include(textOf(5000));
        }
      expect(header(await ask('/v1/secret-content', BROWSER), 'etag')).to.equal('"s"');
    });

    it('adds to Vary, and leaves errors and short replies alone', async () => {
      const own = await runApi(await load(), {
        endpoints: bodies.endpoints(),
        headers: () => ({ vary: 'Origin' }),
      });
      const vary = async (path: string) => {
        const lines = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: br\r\n\r\n`;
        return header(await request(own.url, lines), 'vary');
      };
      expect(await vary(content(5000))).to.equal('Origin, Accept-Encoding');
      expect(await vary('/v1/document')).to.equal('Origin, Accept-Encoding');
      expect(await vary('/v1/secret')).to.equal('Origin');
      expect(await vary('/v1/nothing')).to.equal('Origin');
      await own.server.close(1000);
    });

    it('makes no more than the client reads, and stops when the client leaves', async () => {
      for (const accept of ['br', 'gzip']) {
        const client = connect(Number(new URL(api.url).port), '127.0.0.1');
        client.on('error', () => undefined);
        client.pause();
        client.write(`GET /v1/endless HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${accept}\r\n\r\n`);
        let before = -1;
        while (bodies.pieces === 0 || bodies.pieces !== before) {
          before = bodies.pieces;
          // Requests during which the server compresses as much as it may.
          for (let count = 0; count < 20; count += 1) await ask('/v1/document', BROWSER);
        }
        // The buffers of the sockets hold some MiB, and every MiB is 16 pieces.
        expect(bodies.pieces, accept).to.be.within(1, 16 * 32);
        const closed = new Promise((resolve) => bodies.source.once('close', resolve));
        client.destroy();
        await closed;
      }
      expect(api.failures).to.deep.equal([]);
    });

    it('closes a body whose client leaves before it is known to be long', async () => {
      const client = connect(Number(new URL(api.url).port), '127.0.0.1');
      bodies.source = new Readable();
      const { source } = bodies;
      client.write('GET /v1/endless?wait=1 HTTP/1.1\r\nHost: a\r\nAccept-Encoding: br\r\n\r\n');
      while (bodies.source === source) await sleep(5);
      const closed = new Promise((resolve) => bodies.source.once('close', resolve));
      client.destroy();
      await closed;
      expect(api.failures).to.deep.equal([]);
    });

    it('cuts off a reply whose body fails, and reports it once; before its beginning it is an error', async () => {
      for (const accept of ['br', 'gzip']) {
        const reported = api.failures.length;
        const lines = (fail: number) =>
          `GET /v1/endless?fail=${fail} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Encoding: ${accept}\r\n\r\n`;
        const text = await exchangeRaw(api.url, lines(5));
        expect(text).to.match(new RegExp(`^HTTP/1.1 200 OK\r\n[^]*content-encoding: ${accept}`, 'i'));
        expect(text.endsWith('\r\n0\r\n\r\n')).to.equal(false);
        expect(api.failures.slice(reported).map(String)).to.deep.equal(['Error: in the middle']);
        const early = await request(api.url, lines(0));
        expect([early.status, coding(early)]).to.deep.equal([500, undefined]);
        expect(api.failures.slice(reported).map(String)).to.deep.equal(Array(2).fill('Error: in the middle'));
      }
    });
  });
}

describe('compressed replies › declarations', () => {
  /** Fields of replies that only some people may see, or that open something. */
  const GUARDED = /^(?:token|secret|password|key|keys|email|address|raw|sid|session|users?)$/;

  it('marks every endpoint as secret whose reply has a secret or data about people', async () => {
    const { endpoints } = await makeServiceUnderTest();
    const unmarked = [...endpoints.external, ...endpoints.internal]
      .filter(({ success, isSecret }) => 'schema' in success && success.schema && isSecret !== true)
      .filter(({ success }) =>
        namesIn(z.toJSONSchema((success as JsonSuccess<object>).schema)).some((field) => GUARDED.test(field)),
      )
      .map(({ method, path }) => `${method} ${path}`);
    // Public keys.
    expect(unmarked).to.deep.equal(['GET /v1/auth/keys']);
  });
});

/** The names of all fields in a JSON schema. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { readonly properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(schema).flatMap(namesIn)];
}
