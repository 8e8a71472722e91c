import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { HttpDelivery } from '#adapters/delivery-http/http-delivery.js';
import { retryAfterOf } from '#adapters/http-client/http-exchange.js';
import { PostDelivery } from '#adapters/delivery-http/post-delivery.js';
import type { FailedDelivery } from '#application/ports/delivery.js';
import { FakeClock } from '../../application/fakes/fakes.js';

const MESSAGE = { event: 'observation', id: 'id-1', body: '{"air_temperature":21.5,"name":"Zürich"}' };
const running = () => new AbortController().signal;

describe('Posting of messages', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  const listen = async (server: Server) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    closing.push(() => server.close());
    return (server.address() as AddressInfo).port;
  };
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener);
    closing.push(() => server.closeAllConnections());
    return `http://127.0.0.1:${await listen(server)}/hook?a=b`;
  };
  const delivery = (timeout = 30_000) => new PostDelivery(new HttpDelivery({ timeout }), new FakeClock());
  const send = (url: string, { timeout = 30_000, allowPrivate = true, signal = running() } = {}) =>
    delivery(timeout).send({ kind: 'post', url, allowPrivate }, MESSAGE, signal);

  it('posts JSON with its event, its id and a signature that a receiver can check', async () => {
    const got: [IncomingMessage, Promise<string>][] = [];
    const url = await serve((request, response) => {
      got.push([request, text(request)]);
      request.on('end', () => response.writeHead(204).end());
    });
    const secret = '0123456789abcdef';
    const target = { kind: 'post', url, secret, allowPrivate: true } as const;
    expect(await delivery().send(target, MESSAGE, running())).to.equal('delivered');
    const [[request, sent]] = got as [[IncomingMessage, Promise<string>]];
    const body = await sent;
    expect([request.method, request.url, body]).to.deep.equal(['POST', '/hook?a=b', MESSAGE.body]);
    const time = Math.floor(new FakeClock().time / 1000);
    const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    expect(request.headers).to.deep.include({
      'content-type': 'application/json',
      'weatherd-event': 'observation',
      'weatherd-id': 'id-1',
      'weatherd-signature': `t=${time},v1=${digest}`,
    });
  });

  it('posts the template of the target with the words of the message', async () => {
    const got: [IncomingMessage, Promise<string>][] = [];
    const url = await serve((request, response) => {
      got.push([request, text(request)]);
      request.on('end', () => response.writeHead(204).end());
    });
    const target = {
      kind: 'post',
      url,
      body: '{"content": "{{text}} {{link}}"}',
      allowPrivate: true,
    } as const;
    const fields = { text: 'a "gust"\nof 20 m/s' };
    const link = 'https://weather.example.org/stations/garden';
    const personal = {
      id: 'id-1',
      title: 'Garden',
      text: fields.text,
      urgency: 'low',
      link,
      fields,
    } as const;
    expect(await delivery().send(target, { ...MESSAGE, personal }, running())).to.equal('delivered');
    const [[request, sent]] = got as [[IncomingMessage, Promise<string>]];
    expect(request.headers['content-type']).to.equal('application/json');
    expect(JSON.parse(await sent)).to.deep.equal({ content: `${fields.text} ${link}` });
  });

  const statuses: readonly (readonly [status: number, permanent: boolean])[] = [
    [301, false],
    [400, true],
    [401, false],
    [404, false],
    [410, true],
    [413, true],
    [422, true],
    [500, false],
    [503, false],
  ];
  for (const [status, permanent] of statuses)
    it(`takes ${status} as a failure that ${permanent ? 'stays' : 'may pass'}`, async () => {
      const url = await serve((request, response) => {
        request.resume();
        response.writeHead(status).end('internal');
      });
      const outcome = (await send(url)) as FailedDelivery;
      expect(outcome.failed).to.contain(`The target answered with status ${status}.`);
      expect(outcome.permanent ?? false).to.equal(permanent);
    });

  it('says when the target wants the next attempt', async () => {
    const url = await serve((_, response) => response.writeHead(429, { 'retry-after': '17' }).end());
    expect(await send(url)).to.deep.include({ retryAfter: 17 });
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.UTC(2026, 0, 1);
    const read = [
      undefined,
      '120',
      'Thu, 01 Jan 2026 00:00:30 GMT',
      'Wed, 31 Dec 2025 00:00:00 GMT',
      'soon',
      '-1',
    ];
    expect(read.map((header) => retryAfterOf(header, now))).to.deep.equal([
      undefined,
      120,
      30,
      0,
      undefined,
      undefined,
    ]);
  });

  it('follows no redirect', async () => {
    let visits = 0;
    const inner = await serve((_, response) => {
      visits += 1;
      response.end();
    });
    const url = await serve((_, response) => response.writeHead(307, { location: inner }).end());
    expect(await send(url))
      .to.have.property('failed')
      .that.contains('Redirects are not followed');
    expect(visits).to.equal(0);
  });

  it('reaches no private address that was not allowed, by its number or by a name', async () => {
    let visits = 0;
    const url = await serve((_, response) => {
      visits += 1;
      response.end();
    });
    const byName = url.replace('127.0.0.1', 'localhost');
    const mapped = url.replace('127.0.0.1', '[::ffff:127.0.0.1]');
    const overTls = byName.replace('http:', 'https:');
    for (const one of [url, byName, mapped, overTls])
      expect(await send(one, { allowPrivate: false }))
        .to.have.property('failed')
        .that.contains('no public address');
    expect(visits).to.equal(0);
    expect(await send(byName)).to.equal('delivered');
    const toAll = new HttpDelivery({ allowPrivate: true });
    for (const one of [url, byName]) {
      expect(toAll.refusalOf(new URL(one), false)).to.equal(undefined);
      const outgoing = { method: 'POST', url: new URL(one), allowPrivate: false } as const;
      expect(await toAll.send(outgoing, new AbortController().signal)).to.include({ status: 200 });
    }
  });

  it('gives up a target that does not answer', async () => {
    const url = await serve(() => undefined);
    const outcome = await send(url, { timeout: 50 });
    expect(outcome).to.deep.equal({ failed: 'The target did not answer within 0.05 s.' });
  });

  it('takes the status of a reply whose body does not end', async () => {
    const url = await serve((_, response) => response.writeHead(200).write('a'));
    expect(await send(url, { timeout: 2000 })).to.equal('delivered');
  });

  it('reads only the beginning of a reply', async () => {
    let closed: Promise<unknown> | undefined;
    const url = await serve((request, response) => {
      closed = new Promise((resolve) => request.socket.once('close', resolve));
      const write = () => {
        while (!response.destroyed && response.write('a'.repeat(1000)));
        response.once('drain', write);
      };
      write();
    });
    const exchange = new HttpDelivery({ timeout: 30_000 });
    const reply = await exchange.send({ method: 'GET', url: new URL(url), allowPrivate: true }, running());
    expect(reply).to.have.property('text').with.length(4096);
    await closed;
  });

  it('tells nothing of the address of a target that refuses or closes the connection', async () => {
    const closer = createTcpServer((socket: Socket) => socket.destroy());
    const port = await listen(closer);
    expect(await send(`http://127.0.0.1:${port}/`)).to.deep.equal({
      failed: 'The target closed the connection before it answered.',
    });
    await new Promise((resolve) => closer.close(resolve));
    const refused = await send(`http://127.0.0.1:${port}/`);
    expect(refused).to.deep.equal({ failed: 'The target refused the connection.' });
  });

  it('stops when the service stops, before and while it sends', async () => {
    const stopping = new AbortController();
    const url = await serve(() => stopping.abort());
    const stopped = { failed: 'The service stops.' };
    expect(await send(url, { signal: stopping.signal })).to.deep.equal(stopped);
    expect(await send(url, { signal: stopping.signal })).to.deep.equal(stopped);
  });
});
